"""The documentation tells the truth: its code runs, and its output is what the code prints.

A block quotes an example when the line above its fence is one of

    <!-- example: examples/NAME.py -->    the code is a verbatim part of that file
    <!-- output: examples/NAME.py -->     the text is what that file prints

A table quotes stored results when the line above it is

    <!-- rows: benchmarks/results/NAME/README.md -->    each of its rows is a line of that page

Other tables with columns of numbers say "Not stored." above. The page of figures lists every folder of stored
results, with the command that makes them.

After a change that alters outputs or results, `python tests/repo/test_docs.py` rewrites what pages quote.
"""

import functools
import os
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
PAGES = sorted(DOCS.rglob("*.md"))
#: Here every block of Python comes from an example; elsewhere it may be a signature or a template.
HANDS_ON = [DOCS / "index.md", *sorted(DOCS.glob("tutorial/*.md")), *sorted(DOCS.glob("how-to/*.md"))]
HANDS_ON += sorted(DOCS.glob("gallery/*.md"))
QUOTING = [ROOT / "README.md", *PAGES]
QUOTE = re.compile(r"(<!-- (example|output): (\S+) -->\n+```(python|text)\n)(.*?)(```)", re.DOTALL)
ROWS = re.compile(r"<!-- rows: (\S+) -->\n((?:\|[^\n]*\n)+)")
#: The line above a table with a column that is aligned to the right.
TABLES_OF_NUMBERS = re.compile(r"^([^|\n][^\n]*)\n+\|[^\n]*\n\|(?=[-:|]*-:\|)[-:|]+\n", re.MULTILINE)


def relative(path):
    return path.relative_to(ROOT).as_posix()


def text_of(path):
    return path.read_text(encoding="utf-8")


#: Python imports `sitecustomize` when it starts. With it, examples of Hypothesis pass on a busy machine.
PATIENT = """
import sys

with open(sys.orig_argv[-1], encoding="utf-8") as file:
    needed = "hypothesis" in file.read()
if needed:
    from hypothesis import HealthCheck, settings

    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
"""


@functools.cache
def run(example):
    command = [sys.executable, "-W", "error", example]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(PATIENT, encoding="utf-8")
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=600
        )
    if "MissingExtra" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    return done


def quotes(kind):
    """Yield (page, example, block) of every quote of a kind."""
    for page in QUOTING:
        for _, found, example, language, block, _ in QUOTE.findall(text_of(page)):
            assert language == {"example": "python", "output": "text"}[found]
            if found == kind:
                yield page, ROOT / example, block


@pytest.mark.parametrize("example", EXAMPLES, ids=relative)
def test_example_runs_and_prints_what_pages_say(example):
    pytest.importorskip("hypothesis")
    done = run(example)
    assert done.returncode == 0, done.stderr
    for page, quoted, block in quotes("output"):
        assert quoted != example or block == done.stdout, f"{relative(page)} says something else"


def test_quoted_code_is_that_of_the_examples():
    for page, example, block in quotes("example"):
        assert block in text_of(example), f"{relative(page)} says something else"
    assert {example for _, example, _ in quotes("output")} <= set(EXAMPLES)


@pytest.mark.parametrize("page", HANDS_ON, ids=relative)
def test_every_python_block_quotes_an_example(page):
    quoted = [example for quoting, example, _ in quotes("example") if quoting == page]
    assert text_of(page).count("```python\n") == len(quoted)


@pytest.mark.parametrize("page", QUOTING, ids=relative)
def test_every_mark_has_its_block(page):
    assert len(re.findall("<!-- (?:example|output):", text_of(page))) == len(QUOTE.findall(text_of(page)))


@pytest.mark.parametrize("page", QUOTING, ids=relative)
def test_quoted_results_are_the_stored_ones(page):
    for stored, table in ROWS.findall(text_of(page)):
        missing = set(table.splitlines()) - set(text_of(ROOT / stored).splitlines())
        assert not missing, f"not in {stored}"


@pytest.mark.parametrize("page", QUOTING, ids=relative)
def test_every_mark_of_rows_has_its_table(page):
    assert text_of(page).count("<!-- rows:") == len(ROWS.findall(text_of(page)))


@pytest.mark.parametrize("page", QUOTING, ids=relative)
def test_tables_of_numbers_are_stored_results(page):
    for above in TABLES_OF_NUMBERS.findall(text_of(page)):
        assert re.search(r"<!-- (rows|results): \S+ -->|Not stored\.", above), (
            "where do these numbers come from?"
        )


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_page_is_in_the_navigation_or_excluded(page):
    assert f" {page.relative_to(DOCS).as_posix()}\n" in text_of(ROOT / "mkdocs.yml")


@pytest.mark.parametrize("name", rlcheck.__all__)
def test_public_name_is_in_the_reference(name):
    assert f"\n### {name}\n" in text_of(DOCS / "reference" / "api.md")


@pytest.mark.parametrize("kind", sorted(registry.KNOWN))
def test_names_and_defaults_are_in_the_reference(kind):
    default = registry.DEFAULTS[kind]
    names = [f"`{name}` (default)" if name == default else f"`{name}`" for name in registry.names(kind)]
    assert f"| `{kind}` | {', '.join(names)} |" in text_of(DOCS / "reference" / "api.md")


@pytest.mark.parametrize("name", registry.names("learner"))
def test_learner_has_a_page(name):
    assert (DOCS / "learners" / f"{name}.md").exists()


FIGURES = DOCS / "reference" / "figures.md"


def figures():
    """The table of stored results: what they are, the command, and the pages that name them."""
    rows = ["| figures | command | stored in | used on |", "|---|---|---|---|"]
    for stored in sorted((ROOT / "benchmarks" / "results").glob("*/README.md")):
        name, text = stored.parent.name, text_of(stored)
        title = text.splitlines()[0].removeprefix("# ")
        command = re.search(r"`(make (?:bench-\w+|chaos))", text)[1]
        pages = [
            f"[{page.stem}](../{page.relative_to(DOCS).as_posix()})"
            for page in PAGES
            if page != FIGURES and f"results/{name}/" in text_of(page)
        ]
        readme = ["README"] if f"results/{name}/" in text_of(ROOT / "README.md") else []
        rows.append(f"| {title} | `{command}` | `{name}/` | {', '.join([*readme, *pages])} |")
    return "\n".join(rows) + "\n"


TABLE = re.compile(r"(<!-- figures -->\n)((?:\|[^\n]*\n)+)")


def test_the_page_of_figures_lists_all_stored_results():
    assert TABLE.search(text_of(FIGURES))[2] == figures()


def test_every_command_of_a_figure_can_be_run():
    targets = {path.parent.name for path in (ROOT / "benchmarks").glob("*/study.py")}
    for command in re.findall(r"`make (\S+)`", figures()):
        assert command == "chaos" or command.removeprefix("bench-") in targets


def current_rows(quote):
    """A quoted table with its rows as they are stored now: a row is known by its cells that are texts."""
    head, aligned, *rows = quote[2].splitlines()
    texts = aligned.split("|")[1:-1].index("---:")
    lines = text_of(ROOT / quote[1]).splitlines()
    stored = {tuple(line.split("|")[: texts + 1]): line for line in reversed(lines)}
    rows = [row if row in lines else stored.get(tuple(row.split("|")[: texts + 1]), row) for row in rows]
    return "\n".join([f"<!-- rows: {quote[1]} -->", head, aligned, *rows, ""])


def rewrite_outputs():
    def current(quote):
        printed = run(ROOT / quote[3]).stdout if quote[2] == "output" else quote[5]
        return quote[1] + printed + quote[6]

    for page in QUOTING:
        old = text_of(page)
        new = ROWS.sub(current_rows, QUOTE.sub(current, old))
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"rewrote {relative(page)}")
    listed = TABLE.sub(lambda table: table[1] + figures(), text_of(FIGURES))
    FIGURES.write_text(listed, encoding="utf-8")


if __name__ == "__main__":
    rewrite_outputs()
