"""The page is for everybody: names, contrast, focus and keys, measured in a browser in both schemes."""

import itertools

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from rlcheck.cli.main import main
from rlcheck.report.dashboard import Server

SUBJECT = """
import rlcheck

def numbers(choose):
    made = [[choose(range(10))] for _ in range(choose(range(1, 6)))]
    rlcheck.event("length", len(made))
    rlcheck.event("parity", "even" if sum(map(sum, made)) % 2 == 0 else "odd")
    return made

def ascending(xs):
    return xs == sorted(xs)

def small(xs):
    assert sum(map(sum, xs)) < 20
"""

#: The contrast of texts with what is behind them, where it is too low; and that of focus and curves.
CONTRAST = """
const parse = (text) => {
  const parts = text.match(/[\\d.]+/g).map(Number);
  return parts.length === 4 ? parts : [...parts, 1];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const light = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((part) => part / 255).map(
    (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement, style = getComputedStyle(element);
  if (!walker.currentNode.textContent.trim() || !element.offsetParent && !element.closest("svg")) continue;
  if (element.disabled || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
  seen += 1;
  const paint = element.closest("svg") ? style.fill : style.color;
  const ratio = contrast(parse(paint), behind(element));
  if (ratio < 4.5) found.push([walker.currentNode.textContent.slice(0, 40), ratio.toFixed(2)]);
}
const hex = (name) => {
  const probe = document.createElement("i");
  probe.style.color = getComputedStyle(document.documentElement).getPropertyValue(name);
  document.body.append(probe);
  const colour = parse(getComputedStyle(probe).color);
  probe.remove();
  return colour;
};
const card = behind(document.querySelector(".plot"));
for (const name of ["--link", "--all", ...[0, 1, 2, 3, 4, 5].map((i) => "--run-" + i)]) {
  const ratio = contrast(hex(name), card);
  if (ratio < 3) found.push([name, ratio.toFixed(2)]);
}
return [seen, found];
"""

ROLES = ("button", "checkbox", "figure", "link", "region", "searchbox", "navigation", "table", "textbox")


@pytest.fixture(scope="module")
def page(tmp_path_factory, browser):
    """The dashboard with two learners, labels and a failure."""
    from selenium.webdriver.support.ui import WebDriverWait

    folder = tmp_path_factory.mktemp("page")
    (folder / "page_subject.py").write_text(SUBJECT)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        arguments = ["page_subject.py::numbers", "--valid", "ascending", "--test", "small", "--seed", "1"]
        assert main(["run", *arguments, "--episodes", "500", "--compare", "uniform"]) == 1
    server = Server(folder / ".rlcheck", "127.0.0.1", 0, "")
    server.start()

    def show(scheme="light", width=1200):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(server.address)
        ready = "return document.querySelectorAll('#failure-list button, #label-tables table').length > 2"
        WebDriverWait(browser, 20).until(lambda _: browser.execute_script(ready))
        return browser

    yield show
    server.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(page, scheme):
    seen, too_faint = page(scheme).execute_script(CONTRAST)
    assert seen > 200
    assert too_faint == []


def test_everything_has_a_name(page):
    browser = page()
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in tree
        if not node.get("ignored") and node.get("role", {}).get("value") in ROLES
    ]
    assert {"button", "checkbox", "figure", "link", "region", "searchbox", "table"} <= {
        role for role, _ in found
    }
    assert [role for role, name in found if not name] == []
    names = {name for role, name in found if role == "checkbox"}
    assert names == {"Compare run 1", "Compare run 2"}


def test_headings_are_in_order(page):
    levels = page().execute_script(
        "return [...document.querySelectorAll('h1, h2, h3')].map((h) => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_focus_is_always_visible_and_reaches_everything(page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser = page()
    wanted = browser.execute_script(
        "return document.querySelectorAll('a, button:enabled, input, summary, [tabindex]').length"
    )
    reached = []
    for _ in range(wanted + 5):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        tag, name, outline = browser.execute_script(
            "const at = document.activeElement, style = getComputedStyle(at);"
            "return [at.tagName, at.id || at.textContent, style.outlineStyle + ' ' + style.outlineWidth]"
        )
        if tag == "BODY":
            break
        assert outline == "solid 3px", (tag, name)
        reached.append(tag)
    assert {"A", "BUTTON", "INPUT", "SUMMARY", "TH", "DIV"} <= set(reached)


def test_keys_do_what_a_mouse_does(page):
    from selenium.webdriver.common.keys import Keys

    browser = page()
    series = browser.find_element("css selector", "#plots .u-series:nth-child(2)")
    series.find_element("tag name", "th").send_keys(Keys.ENTER)
    assert "u-off" in series.get_attribute("class")
    series.find_element("tag name", "th").send_keys(Keys.SPACE)
    assert "u-off" not in series.get_attribute("class")
    point = browser.find_element("css selector", "#trees details")
    was_open = point.get_attribute("open")
    point.find_element("tag name", "summary").send_keys(Keys.ENTER)
    assert point.get_attribute("open") != was_open
    for number in (1, 2):
        browser.find_element("id", f"tick-{number}").send_keys(Keys.SPACE)
    browser.find_element("css selector", "#choose button").send_keys(Keys.ENTER)
    assert "run=2&run=1" in browser.current_url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(page, scheme):
    assert page(scheme, width=390).execute_script("return document.documentElement.scrollWidth") <= 390
