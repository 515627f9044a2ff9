"""Other projects' Hypothesis tests with and without `pytest --rlcheck`: outcomes, test cases, time."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.projects.install import PYTHON, ROOT, source
from benchmarks.projects.projects import PROJECTS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, origin

METHODS = ("default", "rlcheck")

_HEAD = """# Other projects' tests

The Hypothesis tests of {projects} projects of PyPI, as their sdists have them, run by `pytest` and by
`pytest --rlcheck` (columns *with*); nothing else is changed. Each run has a fixed seed and an empty database.
Seconds are processor time of the tests; the first one
of a suite pays a tenth of a second for loading rlcheck. Reproduce with `make bench-projects`.
"""

_DIFFERENT = """
## Tests whose outcome differs

A test is listed if it passed with one and not with the other in any of the runs.
"""


def measure(task: Task) -> list[Row]:
    """Run a project's tests with both backends, in turn first."""
    methods = task.methods if task.seed % 2 == 0 else task.methods[::-1]
    return [_run(task.subject, method, task.seed) for method in methods]


def _run(name: str, method: str, seed: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.jsonl"
        counts.touch()
        # The rlcheck that runs this study, compiled or not, comes first.
        path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
        environment = os.environ | {"RLCHECK_COUNTS": str(counts), "PYTHONPATH": path}
        environment["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path(folder) / "database")
        options = ["-q", "-p", "no:cacheprovider", "-p", "benchmarks.projects.counting", "-o", "addopts="]
        options += [f"--hypothesis-seed={seed}", *(["--rlcheck"] if method == "rlcheck" else [])]
        done = subprocess.run(
            [PYTHON, "-m", "pytest", *options, *PROJECTS[name].tests],
            cwd=source(name),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        tests = [json.loads(line) for line in counts.read_text().splitlines()]
    if done.returncode > 1 or not tests:
        raise RuntimeError(f"{name} cannot be tested:\n{done.stdout[-2_000:]}{done.stderr[-500:]}")
    row: Row = {"project": name, "version": PROJECTS[name].version, "method": method, "seed": seed}
    return row | {"tests": {test.pop("test"): test for test in tests}}


def _missing(name: str) -> list[str]:
    return [] if source(name).exists() else ["its source (python -m benchmarks.projects.install)"]


def _total(row: Row, what: str) -> float:
    return sum(test[what] for test in row["tests"].values())


def _failed(row: Row) -> int:
    return sum(test["outcome"] not in ("passed", "skipped") for test in row["tests"].values())


def _outcome(row: Row, test: str) -> str:
    return row["tests"][test]["outcome"] if test in row["tests"] else "not run"


def _line(name: str, default: list[Row], guided: list[Row]) -> list[str]:
    """Return one line of the table: both backends beside each other."""
    both = (default, guided)
    cells = [name, str(len(default[0]["tests"]))]
    cells += [f"{median(_failed(row) for row in rows):g}" for rows in both]
    for what in ("cases", "rejected"):
        cells += [f"{median(_total(row, what) for row in rows):,.0f}" for rows in both]
    seconds = [median(_total(row, "seconds") for row in rows) for rows in both]
    ratios = [_total(b, "seconds") / _total(a, "seconds") for a, b in zip(default, guided, strict=True)]
    return [*cells, *(f"{one:.1f}" for one in seconds), f"{median(ratios):.2f}"]


def _differences(name: str, default: list[Row], guided: list[Row]) -> list[str]:
    """Return a line for each test that one of them passes more often than the other."""
    lines = []
    for test in default[0]["tests"]:
        outcomes = [
            [row["tests"].get(test, {}).get("outcome", "not run") for row in rows]
            for rows in (default, guided)
        ]
        if sorted(outcomes[0]) != sorted(outcomes[1]):
            without, within = (", ".join(one) for one in outcomes)
            lines.append(f"- {name}, `{test}`: without {without}; with {within}.")
    return lines


def page(results: Results) -> str:
    """Return the page."""
    rows = results["suites"]
    table, differences = [], []
    for name, group in grouped(rows, "project").items():
        default, guided = ([row for row in group if row["method"] == method] for method in METHODS)
        if len(default) == len(guided):
            table.append(_line(name, default, guided))
            differences += _differences(name, default, guided)
    heads = [
        "project",
        "tests",
        "failed",
        "with",
        "test cases",
        "with",
        "rejected",
        "with",
        "seconds",
        "with",
        "ratio",
    ]
    head = _HEAD.format(projects=len(table))
    found = differences or ["There is none."]
    return "\n".join([head, origin(rows), "", *markdown(heads, table), _DIFFERENT, *found])


STUDY = Study(
    "projects",
    {
        "suites": Part(
            measure,
            list(PROJECTS),
            METHODS,
            seeds=3,
            together=True,
            fresh=True,
            missing=_missing,
            keys=("project", "method"),
        )
    },
    page,
)
