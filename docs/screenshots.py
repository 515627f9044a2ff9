"""Make the screenshots of the tutorial from real runs: `python docs/screenshots.py`.

This needs chromium and chromedriver, like the tests of the report.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.text import Text
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from rlcheck.cli.targets import Target
from rlcheck.engines import Plan
from rlcheck.engines.local import LocalEngine
from rlcheck.report.dashboard import Server
from rlcheck.report.progress import View

IMAGES = Path(__file__).parent / "img"
EXAMPLES = Path(__file__).parents[1] / "examples"


def main() -> None:
    """Make all screenshots."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder), _browser() as browser:
        for name in ("trees.py", "insert_property.py", "label_inputs.py"):
            shutil.copy(EXAMPLES / name, name)
        _terminal(browser, "demo", "rlcheck demo", Text(_rlcheck("demo", "--seconds", "10")))
        _terminal(browser, "live", "rlcheck run trees.py::tree --valid is_bst --compare uniform", _live())
        found = _rlcheck("run", "insert_property.py::test_insert", "--seconds", "3")
        _terminal(browser, "failure", "rlcheck run insert_property.py::test_insert", Text(found.strip()))
        _rlcheck("run", "trees.py::tree", "--valid", "is_bst", "--compare", "uniform", "--seconds", "20")
        _rlcheck("report", "-o", "report.html")
        _page(browser, "report", width=1100, height=1500, scheme="light")
        _page(browser, "report-phone", width=390, height=1100, scheme="dark")
        _dashboard(browser, "dashboard", "gallery")
        _rlcheck("run", "label_inputs.py::tree", "--valid", "is_bst", "--seconds", "10")
        _dashboard(browser, "distributions", "distributions")


def _dashboard(browser: Any, name: str, section: str) -> None:
    """A section of the dashboard."""
    server = Server(".rlcheck", "127.0.0.1", 0, "")
    server.start()
    _size(browser, width=1100, height=900, scheme="light")
    browser.get(server.address)
    WebDriverWait(browser, 20).until(lambda _: browser.find_elements("css selector", "#pictures svg"))
    browser.execute_script("document.getElementById(arguments[0]).scrollIntoView()", section)
    time.sleep(0.5)  # Plots take their size in the next frame.
    browser.save_screenshot(str(IMAGES / f"{name}.png"))
    server.stop()


def _rlcheck(*arguments: str) -> str:
    command = [sys.executable, "-m", "rlcheck", *arguments]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    # Importing an example runs it, so drop what it prints.
    return shown[shown.index("diverse: ") :] if arguments[0] == "run" else shown


def _live() -> Any:
    """Return what the live view shows after some seconds of a race."""
    target = Target("trees.py::tree", "is_bst")
    engines = {}
    for learner in ("diverse", "uniform"):
        plan = Plan(target.load, {"learner": learner}, 0)
        engines[learner] = LocalEngine(plan, target.load())
    view = View(lambda snapshots: 0.4, io.StringIO())
    for _ in range(40):
        snapshots = {}
        for learner, engine in engines.items():
            engine.step(0.1)
            snapshots[learner] = engine.snapshot()
            view._note(learner, snapshots[learner])
    return view._table(snapshots, 0.4)


def _terminal(browser: Any, name: str, title: str, shown: Any) -> None:
    console = Console(record=True, width=120, file=io.StringIO())
    console.print(shown)
    Path("screen.svg").write_text(console.export_svg(title=title), encoding="utf-8")
    _open(browser, "screen.svg", width=1100, height=800, scheme="light")
    size = browser.execute_script(
        "const box = document.documentElement.viewBox.baseVal; return [box.width, box.height]"
    )
    height = round(1100 * size[1] / size[0])
    _open(browser, "screen.svg", width=1100, height=height, scheme="light")
    browser.save_screenshot(str(IMAGES / f"{name}.png"))


def _page(browser: Any, name: str, *, width: int, height: int, scheme: str) -> None:
    _open(browser, "report.html", width=width, height=height, scheme=scheme)
    browser.save_screenshot(str(IMAGES / f"{name}.png"))


def _open(browser: Any, path: str, *, width: int, height: int, scheme: str) -> None:
    _size(browser, width=width, height=height, scheme=scheme)
    browser.get(Path(path).absolute().as_uri())


def _size(browser: Any, *, width: int, height: int, scheme: str) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@contextlib.contextmanager
def _browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    driver = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    opened = webdriver.Chrome(options=options, service=driver)
    try:
        yield opened
    finally:
        opened.quit()


if __name__ == "__main__":
    main()
