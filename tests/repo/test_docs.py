"""The documentation tells the truth: its code runs, and its output is what the code prints.

A block quotes an example when the line above its fence is one of

    <!-- example: examples/NAME.py -->    the code is a verbatim part of that file
    <!-- output: examples/NAME.py -->     the text is what that file prints

After a change that alters outputs, `python tests/repo/test_docs.py` rewrites the quoted ones.
"""

import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import rlcheck
from rlcheck import registry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
#: Here every block of Python comes from an example; elsewhere it may be a signature or a template.
HANDS_ON = [DOCS / "index.md", *sorted(DOCS.glob("tutorial/*.md")), *sorted(DOCS.glob("how-to/*.md"))]
QUOTE = re.compile(r"<!-- (example|output): (\S+) -->\n+```(python|text)\n(.*?)```", re.DOTALL)


def relative(path):
    return str(path.relative_to(ROOT))


@functools.cache
def run(example):
    pytest.importorskip("hypothesis")
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, "-W", "error", ROOT / example],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )


@pytest.mark.parametrize("example", map(relative, EXAMPLES))
def test_example_runs(example):
    done = run(example)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", map(relative, PAGES))
def test_quotes_are_up_to_date(page):
    for kind, example, language, block in QUOTE.findall((ROOT / page).read_text(encoding="utf-8")):
        if kind == "example":
            assert language == "python"
            assert block in (ROOT / example).read_text(encoding="utf-8")
        else:
            assert language == "text"
            assert block == run(example).stdout


@pytest.mark.parametrize("page", map(relative, HANDS_ON))
def test_every_python_block_quotes_an_example(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    quoted = sum(kind == "example" for kind, *_ in QUOTE.findall(text))
    assert text.count("```python\n") == quoted


@pytest.mark.parametrize("name", rlcheck.__all__)
def test_public_name_is_in_the_reference(name):
    assert re.search(rf"^### {name}$", (DOCS / "reference" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", registry.names("learner"))
def test_learner_has_a_page(name):
    assert (DOCS / "learners" / f"{name}.md").exists()


@pytest.mark.parametrize("page", [relative(page) for page in PAGES if page.is_relative_to(DOCS)])
def test_page_can_be_reached(page):
    place = Path(page).relative_to("docs").as_posix()
    assert f" {place}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def _rewrite_outputs():
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        new = QUOTE.sub(
            lambda quote: (
                quote[0].replace(f"```text\n{quote[4]}```", f"```text\n{run(quote[2]).stdout}```")
                if quote[1] == "output"
                else quote[0]
            ),
            old,
        )
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"rewrote {relative(page)}")


if __name__ == "__main__":
    _rewrite_outputs()
