"""Zest and our learners on JQF's generators: a short run of each, and the page."""

import pytest
from benchmarks.jqf import install
from benchmarks.jqf.runs import METHODS, measure
from benchmarks.jqf.study import STUDY
from benchmarks.study import Task
from tests.toolchains import find


def row(subject, method, seed, traces, faults):
    counts = {"valid": 10, "invalid": 90, "unique": 8, "traces": traces, "branches": 100}
    where = {"subject": subject, "method": method, "seed": seed, "seconds": 20.0, "faults": faults}
    return where | counts | {"rlcheck": "0", "compiled": False, "python": "3", "machine": "x"}


def test_the_page_says_who_is_ahead_and_who_found_what():
    rows = [
        row(subject, method, seed, 7 if method == "diverse" else 5, {"Oops at x": 2.0} if seed else {})
        for subject in install.SUBJECTS
        for method in METHODS
        for seed in range(2)
    ]
    page = STUDY.page({"runs": rows})
    assert "| diverse | 100 ± 0 | 10 ± 0 | 8.0 ± 0.0 | 7.0 ± 0.0 | 100 ± 0 |" in page
    assert (
        "PASS: `diverse` has more diverse valid inputs than `zest` on ant, maven, rhino, closure, bcel"
        in page
    )
    assert "MISS: `monte-carlo` has more diverse valid inputs than `zest` on none" in page
    assert "| ant: Oops at x | 2.0 s (1 of 2) |" in page


@pytest.mark.heavy
def test_a_short_run_keeps_valid_inputs_that_replay():
    """One test of both methods: two workers would install the subjects into one folder at the same time."""
    find("javac", "openjdk-17-jdk-headless")
    find("mvn", "maven")
    pytest.importorskip("jpype", reason="JPype is missing: pip install -r benchmarks/jqf/requirements.txt")
    if install.missing():
        install.install()
    for method in ("zest", "monte-carlo"):
        [made] = measure(Task("runs", "bcel", (method,), 0, 0, 8.0))
        assert made["valid"] + made["invalid"] > 0
        assert made["unique"] <= made["valid"]
        assert made["traces"] <= made["unique"]
        assert (made["branches"] > 0) == (made["unique"] > 0)
