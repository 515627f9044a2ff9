"""Learners side by side, and what a portfolio of one costs over its member.

python -m benchmarks.portfolio.run
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import fmean, quantiles
from time import process_time
from typing import Any

from benchmarks import store
from benchmarks.portfolio.subjects import SUBJECTS, Subject
from rlcheck import Campaign
from rlcheck.learners import Portfolio

LEARNERS = ("uniform", "monte-carlo", "diverse", "zest", "portfolio")
#: Whose episodes cost least, and most.
MEMBERS = ("uniform", "zest", "diverse")

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


def campaign(subject: Subject, learner: Any, seed: int, **arguments: Any) -> Campaign:
    """A campaign on a subject."""
    generator, valid, characteristic = subject
    return Campaign(
        generator, valid=valid, characteristic=characteristic, learner=learner, seed=seed, **arguments
    )


def compare(inputs: int, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """What each learner makes on each subject."""
    rows = []
    for name, subject in SUBJECTS.items():
        for learner in LEARNERS:
            for seed in seeds:
                made = campaign(subject, learner, seed, coverage=[subject.valid.__module__])
                summary = made.run(episodes=inputs)
                assert summary.coverage is not None
                row = {"subject": name, "learner": learner, "seed": seed, "inputs": inputs}
                rows.append(
                    row
                    | {
                        "unique_valid": summary.unique_valid,
                        "branches": len(summary.coverage.covered),
                        "members": getattr(made.guide.learner, "episodes", None),
                    }
                )
    return rows


def cost(inputs: int, pairs: int) -> list[dict[str, Any]]:
    """How long a portfolio of one takes over its member alone, in pairs of runs next to each other.

    The speed of a shared machine drifts by more than what is measured, hence ratios of neighbours: the
    least time of many runs gave 1.03 and 1.12 for the same code.
    """
    rows = []
    for member in MEMBERS:
        ratios = []
        for pair in range(pairs):
            # This is the seed that a portfolio gives its first member: both make the same inputs.
            runs = [(Portfolio([member]), 0), (member, Random(0).getrandbits(32))]
            order = (0, 1) if pair % 2 else (1, 0)
            seconds = {place: _seconds(*runs[place], inputs) for place in order}
            ratios.append(seconds[0] / seconds[1])
        rows.append({"member": member, "inputs": inputs, "pairs": pairs, "quartiles": quantiles(ratios)})
    return rows


def _seconds(learner: Any, seed: int, inputs: int) -> float:
    run = campaign(SUBJECTS["tree"], learner, seed, coverage=())
    started = process_time()
    run.run(episodes=inputs)
    return (process_time() - started) / run.summary.episodes


def page(rows: list[dict[str, Any]], costs: list[dict[str, Any]]) -> str:
    """Two tables."""
    seeds = {row["seed"] for row in rows}
    lines = ["| subject | learner | unique valid | branches |", "|---|---|---:|---:|"]
    for subject in SUBJECTS:
        for learner in LEARNERS:
            runs = [row for row in rows if row["subject"] == subject and row["learner"] == learner]
            unique, branches = (fmean(row[what] for row in runs) for what in ("unique_valid", "branches"))
            lines.append(f"| {subject} | {learner} | {unique:,.0f} | {branches:.1f} |")
    table = ["| member | median ratio | quartiles |", "|---|---:|---:|"]
    for row in costs:
        low, middle, high = row["quartiles"]
        table.append(f"| {row['member']} | {middle:.3f} | {low:.3f} to {high:.3f} |")
    return (
        _HEAD.format(inputs=rows[0]["inputs"], seeds=len(seeds))
        + "\n".join(lines)
        + "\n"
        + _COST.format(**costs[0])
        + "\n".join(table)
        + "\n"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.portfolio.run", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=100, help="of runs, to measure the cost")
    parser.add_argument("--name", default="portfolio", help="the folder of the results")
    options = parser.parse_args(arguments)
    rows = compare(options.inputs, range(options.seeds))
    costs = cost(options.inputs // 5, options.pairs)
    store.write(f"{options.name}/learners", rows)
    store.write(f"{options.name}/cost", costs)
    (store.RESULTS / options.name / "README.md").write_text(page(rows, costs))


if __name__ == "__main__":
    main()
