"""Tests containers and HTML parsers for equal times of the processor.

The methods of a subject take turns of about half a second: what else runs on the machine hardly counts, and
hits all of them alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Any

from benchmarks import turns
from benchmarks.containers.html import HTML
from benchmarks.containers.methods import ALLOWANCE, METHODS
from benchmarks.containers.subjects import PACKAGES, PLANTED, TEXTBOOK
from benchmarks.study import Row, Task
from rlcheck import ApiTest

SUBJECTS = {subject.name: subject for subject in (*TEXTBOOK, *PACKAGES, *HTML, *PLANTED)}
#: About how long a turn is, in seconds: to begin one takes some milliseconds.
TURN = 0.5
#: The most frequent calls of a quarter that are stored.
FREQUENT = 12


def explore(task: Task) -> list[Row]:
    """Run the methods of a subject in turns."""
    return turns.run(_explore, [replace(task, methods=(method,)) for method in task.methods])


def hunt(task: Task) -> list[Row]:
    """Look for a planted bug."""
    return [_row(task) | _hunt(_test(task), task.seconds)]


def _row(task: Task) -> Row:
    return {
        "study": task.part,
        "subject": task.subject,
        "method": task.method,
        "seed": task.seed,
        "seconds": task.seconds,
    }


def _test(task: Task) -> ApiTest:
    return SUBJECTS[task.subject].test(**({"seed": task.seed} | METHODS[task.method]()))


def _explore(task: Task) -> Iterator[Row | None]:
    """Cover as much as the time permits, in turns; calls are counted by quarters of them."""
    test = _test(task)
    number = 4 * max(1, round(task.seconds / TURN / 4))
    budget = task.seconds * ALLOWANCE.get(task.method, 1.0)
    quarters: list[Counter[str]] = []
    started = process_time()
    before: Counter[Any] = Counter()
    for turn in range(1, number + 1):
        while (left := budget * turn / number - (process_time() - started)) > 0:
            if test.run(seconds=left, stop_on_failure=False).stopped == "exhausted":
                break
        if turn % (number // 4) == 0:
            quarters.append(_written(test, test.summary.distribution - before))
            before = test.summary.distribution.copy()
        if turn < number:
            yield None
    summary = test.summary
    yield _row(task) | {
        "tests": summary.episodes,
        "calls": summary.calls,
        "branches": summary.branches,
        "paths": summary.paths,
        "shapes": summary.shapes,
        "combinations": summary.combinations,
        "failures": [failure.snippet for failure in summary.failures],
        "quarters": [quarter.most_common(FREQUENT) for quarter in quarters],
    }


def _written(test: ApiTest, made: Counter[Any]) -> Counter[str]:
    """Calls as source code, each with its percentage of all calls."""
    total = made.total() or 1
    return Counter(
        {test.written(call): round(100 * times / total, 4) for call, times in made.most_common(FREQUENT)}
    )


def _hunt(test: ApiTest, seconds: float) -> Row:
    """Look for a bug, and run the snippet that shows it."""
    started = process_time()
    while not test.summary.failures and process_time() - started < seconds:
        test.run(seconds=seconds - (process_time() - started))
    if not test.summary.failures:
        return {"found": False, "spent": process_time() - started}
    failure = test.summary.failures[0]
    return {
        "found": True,
        "spent": process_time() - started,
        "calls": len(failure.calls),
        "snippet": failure.snippet,
        "fails": _fails(failure.snippet),
    }


def _fails(snippet: str) -> bool:
    try:
        exec(compile(snippet, "<snippet>", "exec"), {"__name__": "snippet"})
    except Exception:
        return True
    return False
