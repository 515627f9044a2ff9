"""Learners side by side, and what a portfolio of one costs over its member."""

from __future__ import annotations

from random import Random
from statistics import quantiles
from time import process_time
from typing import Any

from benchmarks.portfolio.subjects import SUBJECTS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, mean
from rlcheck import Campaign
from rlcheck.learners import Portfolio

LEARNERS = ("uniform", "monte-carlo", "diverse", "zest", "portfolio")
#: Whose episodes cost least, and most.
MEMBERS = ("uniform", "zest", "diverse")
#: Pairs of runs that measure the cost.
PAIRS = 100

_HEAD = """# Learners side by side

Unique valid inputs of {inputs:,}, and branches of the precondition's module covered: means of {seeds} seeds.
`document` counts inputs by what they mean. Coverage is on for all learners.
Reproduce with `make bench-portfolio`.
"""
_COST = """
## What a portfolio costs

The time of a portfolio of one member over that of the member alone, which makes the same inputs, on `tree`:
{pairs} pairs of runs of {inputs:,} inputs, next to each other, without coverage.
"""


def _campaign(name: str, learner: Any, seed: int, **arguments: Any) -> Campaign:
    generator, valid, characteristic = SUBJECTS[name]
    return Campaign(
        generator, valid=valid, characteristic=characteristic, learner=learner, seed=seed, **arguments
    )


def measure(task: Task) -> list[Row]:
    """Run a learner on a subject."""
    covered = [SUBJECTS[task.subject].valid.__module__]
    campaign = _campaign(task.subject, task.method, task.seed, coverage=covered)
    summary = campaign.run(episodes=task.inputs)
    assert summary.coverage is not None
    learner = campaign.guide.learner
    row = {"subject": task.subject, "learner": task.method, "seed": task.seed, "inputs": task.inputs}
    counts = {"unique_valid": summary.unique_valid, "branches": len(summary.coverage.covered)}
    return [row | counts | {"members": learner.episodes if isinstance(learner, Portfolio) else None}]


def cost(task: Task) -> list[Row]:
    """Time a portfolio of one and its member alone, in pairs of runs next to each other.

    The speed of a shared machine drifts by more than what is measured, hence ratios of neighbours: the
    least time of many runs gave 1.03 and 1.12 for the same code.
    """
    ratios = []
    for pair in range(PAIRS):
        # The seed that a portfolio gives its first member: both make the same inputs.
        runs = [(Portfolio([task.method]), 0), (task.method, Random(0).getrandbits(32))]
        order = (0, 1) if pair % 2 else (1, 0)
        seconds = {place: _seconds(*runs[place], task.inputs) for place in order}
        ratios.append(seconds[0] / seconds[1])
    return [{"member": task.method, "inputs": task.inputs, "pairs": PAIRS, "quartiles": quantiles(ratios)}]


def _seconds(learner: Any, seed: int, inputs: int) -> float:
    run = _campaign("tree", learner, seed, coverage=())
    started = process_time()
    run.run(episodes=inputs)
    return (process_time() - started) / run.summary.episodes


def page(results: Results) -> str:
    """Return two tables."""
    rows, costs = results["learners"], results["cost"]
    found = [
        [subject, learner, f"{mean(runs, 'unique_valid'):,.0f}", f"{mean(runs, 'branches'):.1f}"]
        for (subject, learner), runs in grouped(rows, "subject", "learner").items()
    ]
    taken = []
    for row in costs:
        low, middle, high = row["quartiles"]
        taken.append([row["member"], f"{middle:.3f}", f"{low:.3f} to {high:.3f}"])
    lines = [_HEAD.format(inputs=rows[0]["inputs"], seeds=len(grouped(rows, "seed")))]
    lines += markdown(["subject", "learner", "unique valid", "branches"], found, left=2)
    lines += [_COST.format(**costs[0]), *markdown(["member", "median ratio", "quartiles"], taken)]
    return "\n".join(lines)


STUDY = Study(
    "portfolio",
    {
        "learners": Part(
            measure, list(SUBJECTS), LEARNERS, seeds=8, inputs=10_000, keys=("subject", "learner")
        ),
        "cost": Part(cost, methods=MEMBERS, inputs=2_000, keys=("", "member")),
    },
    page,
)
