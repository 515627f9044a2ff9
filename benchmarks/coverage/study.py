"""What coverage costs on this version of Python, and how it shortens cold starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import Any

import rlcheck
from benchmarks.coverage.methods import METHODS, Method
from benchmarks.coverage.subjects import SUBJECTS, Subject, missing
from benchmarks.strict.subjects import SUBJECTS as STRICT
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, verdict
from rlcheck import Campaign
from rlcheck.generators import Generator

#: The most that `trace` may cost.
TARGET = 2.0
#: Turns of each method.
TURNS = 10
LEARNERS = ("diverse", "monte-carlo")

_HEAD = """# What coverage costs

The time of one input with its branches noted, over the time without: the fastest of many, method by method in
turn. `branches`, `trace` and `path` are rlcheck's, with the digest that the characteristic makes of them; the
last two count branches by what Python offers, with a callback in Python. `off again` is the subject after all
that, over the subject before: what stays when coverage is off.

Reproduce with `make bench-coverage`; other versions of Python with `python -m benchmarks coverage`: they need
rlcheck, pycparser and graphql-core on their path.
"""
_COLD = """
## Cold starts

Inputs until the first valid one, one for each seed; a dash where none of {inputs:,} was. `by itself` is what
a campaign does unasked: after 500 inputs without a valid one, new branches of the precondition's own module
count as progress. `without` is `coverage=()`.
"""


def measure(task: Task) -> list[Row]:
    """Time every method on a subject, in turns."""
    subject = Subject(task.subject, SUBJECTS[task.subject]())
    best = dict.fromkeys([*METHODS, "off again"], inf)
    for _ in range(TURNS):
        for name, method in METHODS.items():
            best[name] = min(best[name], _seconds(method, subject, task.inputs))
        best["off again"] = min(best["off again"], _seconds(METHODS["off"], subject, task.inputs))
    return [
        {
            "subject": task.subject,
            "method": name,
            "milliseconds": round(time * 1e3, 4),
            "ratio": round(time / best["off"], 3),
        }
        for name, time in best.items()
        if name != "off"
    ]


def _seconds(method: Method, subject: Subject, inputs: int) -> float:
    """Return the time of the fastest of some inputs, once the code is warm."""
    best = inf
    with method(subject) as run:
        for _ in range(max(3, inputs // 4)):
            run()
        for _ in range(inputs):
            started = perf_counter()
            run()
            best = min(best, perf_counter() - started)
    return best


def in_order(numbers: Sequence[int]) -> bool:
    """At least five numbers, each above the one before."""
    if len(numbers) < 5:
        return False
    for left, right in pairwise(numbers):  # noqa: SIM110 - a loop, as users write them.
        if left >= right:
            return False
    return True


COLD: dict[str, tuple[Generator[Any], Any]] = {
    "in-order": (rlcheck.lists(rlcheck.integers(0, 99), max_size=8), in_order),
    **{
        name: (STRICT[name].generator, STRICT[name].valid)
        for name in ("red-black", "brackets", "sorted-list", "openapi")
    },
}


def cold(task: Task) -> list[Row]:
    """Count the inputs until one is valid, with and without a look at branches."""
    generator, valid = COLD[task.subject]
    rows = []
    for coverage, arguments in (("without", {"coverage": ()}), ("by itself", {})):
        campaign = Campaign(
            generator, valid=valid, test=_found, learner=task.method, seed=task.seed, **arguments
        )
        summary = campaign.run(episodes=task.inputs, stop_on_failure=True)
        first = summary.episodes if summary.valid else None
        row = {"subject": task.subject, "learner": task.method, "coverage": coverage, "seed": task.seed}
        rows.append(row | {"inputs": task.inputs, "first": first})
    return rows


def _found(value: object) -> None:
    raise StopIteration


def page(results: Results) -> str:
    """Return a line for each version and subject, a column for each method; then cold starts."""
    columns = ["branches", "trace", "path", "sys.settrace", "sys.monitoring", "off again"]
    rows = [row for name, part in results.items() if name.startswith("python-") for row in part]
    lines = []
    for (python, subject), group in grouped(rows, "python", "subject").items():
        ratios = {row["method"]: f"{row['ratio']:.2f}" for row in group}
        lines.append([python, subject, *(ratios.get(column, "") for column in columns)])
    text = [_HEAD, *markdown(["Python", "subject", *columns], lines, left=2)]
    if rows:
        worst = max(row["ratio"] for row in rows if row["method"] == "trace")
        met = verdict(worst <= TARGET)
        text += ["", f"`trace` costs at most {worst:.2f}; the target is {TARGET}: {met}."]
    if found := results.get("cold"):
        lines = []
        for (subject, learner), group in grouped(found, "subject", "learner").items():
            sides = grouped(group, "coverage")
            firsts = [
                " · ".join("-" if row["first"] is None else f"{row['first']:,}" for row in sides[side])
                for side in ("without", "by itself")
            ]
            lines.append([subject, learner, *firsts])
        heads = ["subject", "learner", "without", "by itself"]
        text += [_COLD.format(**found[0]), *markdown(heads, lines, left=4)]
    return "\n".join(text)


def _missing(subject: str) -> list[str]:
    return STRICT[subject].missing if subject in STRICT else []


STUDY = Study(
    "coverage",
    {
        f"python-{sys.version_info.major}.{sys.version_info.minor}": Part(
            measure,
            list(SUBJECTS),
            [*METHODS, "off again"],
            inputs=40,
            together=True,
            missing=missing,
        ),
        "cold": Part(
            cold, list(COLD), LEARNERS, seeds=6, inputs=4_000, missing=_missing, keys=("subject", "learner")
        ),
    },
    page,
)
