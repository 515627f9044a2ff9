"""A pytest plugin that runs only Hypothesis tests, and writes a line of JSON for each.

The environment variable RLCHECK_COUNTS names the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis.statistics import collector


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that Hypothesis runs."""
    items[:] = [item for item in items if getattr(getattr(item, "obj", None), "is_hypothesis_test", False)]


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count the test cases of one test, and its processor time."""
    cases: list[str] = []

    def note(statistics: dict[str, Any]) -> None:
        phases = [value for name, value in statistics.items() if name.endswith("-phase")]
        cases.extend(case["status"] for phase in phases for case in phase["test-cases"])

    started = process_time()
    row = {"test": item.nodeid, "outcome": "passed"}
    try:
        with collector.with_value(note):
            yield
    except pytest.skip.Exception:
        row["outcome"] = "skipped"
        raise
    except BaseException as error:
        row["outcome"] = type(error).__name__
        raise
    finally:
        row |= {"seconds": round(process_time() - started, 4), "cases": len(cases)}
        row["rejected"] = sum(status in ("invalid", "overrun") for status in cases)
        row["before_failure"] = cases.index("interesting") if "interesting" in cases else None
        with Path(os.environ["RLCHECK_COUNTS"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
