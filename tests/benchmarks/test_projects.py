"""Other projects' tests: what is counted, and the page."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.projects import study

SUITE = """
from hypothesis import HealthCheck, assume, given, settings, strategies as st

patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

def test_plain():
    pass

@settings(max_examples=20, database=None, **patient)
@given(st.integers(0, 1000))
def test_half(x):
    assume(x % 2)

@settings(max_examples=20, database=None, **patient)
@given(st.integers(0, 1000))
def test_wrong(x):
    assert x < 0
"""


def test_a_line_is_written_for_each_test_of_hypothesis(tmp_path):
    (tmp_path / "test_it.py").write_text(SUITE)
    root = Path(study.__file__).parents[2]
    environment = {"RLCHECK_COUNTS": str(tmp_path / "counts"), "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.projects.counting", "test_it.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True, timeout=600
    )
    half, wrong = [json.loads(line) for line in (tmp_path / "counts").read_text().splitlines()]
    assert (half["test"], half["outcome"]) == ("test_it.py::test_half", "passed"), done.stdout
    assert half["cases"] == half["rejected"] + 20
    assert half["before_failure"] is None
    assert (wrong["outcome"], wrong["before_failure"]) == ("AssertionError", 0)


def test_the_page_lists_the_tests_whose_outcome_differs():
    def row(method, outcome):
        test = {"outcome": outcome, "cases": 10, "rejected": 4, "seconds": 2.0, "before_failure": None}
        about = {"rlcheck": "0", "compiled": True, "python": "3", "machine": "none"}
        return {"project": "some", "method": method, "seed": 0, "tests": {"test_it": test}, **about}

    page = study.page({"suites": [row("default", "FailedHealthCheck"), row("rlcheck", "passed")]})
    assert "| some | 1 | 1 | 0 | 10 | 10 | 4 | 4 | 2.0 | 2.0 | 1.00 |" in page
    assert "- some, `test_it`: without FailedHealthCheck; with passed." in page
    assert "There is none." in study.page({"suites": [row("default", "passed"), row("rlcheck", "passed")]})
