"""Learners side by side, and what a portfolio of one costs over its member.

python -m benchmarks.portfolio.run
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Any

from benchmarks import store
from benchmarks.portfolio.subjects import SUBJECTS, Subject
from rlcheck import Campaign
from rlcheck.learners import Portfolio

LEARNERS = ("uniform", "diverse", "mutate", "zest", "portfolio")
#: Whose episodes cost least, and most.
MEMBERS = ("uniform", "mutate", "diverse")

_HEAD = """# Learners side by side

Unique valid inputs of {inputs:,}, and branches of the precondition's module covered: means of {seeds} seeds.
`document` counts inputs by what they mean. Coverage is on for all learners.
Reproduce with `make bench-portfolio`.

"""
_COST = """
## What a portfolio costs

The time of a portfolio with one member over the time of that member alone, on `tree`: the median of {pairs}
pairs, run in turns and with the same choices; {inputs:,} inputs each, without coverage.

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
    """How long a portfolio of one takes, over its member."""
    rows = []
    for member in MEMBERS:
        ratios = []
        for seed in range(pairs):
            # This is the seed that a portfolio gives its first member: both make the same inputs.
            alone = _seconds(member, Random(seed).getrandbits(32), inputs)
            ratios.append(_seconds(Portfolio([member]), seed, inputs) / alone)
        rows.append({"member": member, "inputs": inputs, "ratios": ratios})
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
    table = ["| member | portfolio / member |", "|---|---:|"]
    table += [f"| {row['member']} | {median(row['ratios']):.3f} |" for row in costs]
    return (
        _HEAD.format(inputs=rows[0]["inputs"], seeds=len(seeds))
        + "\n".join(lines)
        + "\n"
        + _COST.format(pairs=len(costs[0]["ratios"]), inputs=costs[0]["inputs"])
        + "\n".join(table)
        + "\n"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.portfolio.run", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--name", default="portfolio", help="the folder of the results")
    options = parser.parse_args(arguments)
    rows = compare(options.inputs, range(options.seeds))
    costs = cost(options.inputs // 5, options.pairs)
    store.write(f"{options.name}/learners", rows)
    store.write(f"{options.name}/cost", costs)
    (store.RESULTS / options.name / "README.md").write_text(page(rows, costs))


if __name__ == "__main__":
    main()
