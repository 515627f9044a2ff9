"""Learners side by side, and what a portfolio of one costs over its member.

python -m benchmarks.portfolio.run
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import fmean
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

The time of an input on `tree` with a member alone, and with a portfolio of it, which makes the same inputs:
the least of {runs} runs of {inputs:,} inputs, in turns, without coverage.

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


def cost(inputs: int, runs: int) -> list[dict[str, Any]]:
    """How long a portfolio of one takes for an input, and its member alone: the least of some runs each."""
    rows = []
    for member in MEMBERS:
        # This is the seed that a portfolio gives its first member: both make the same inputs.
        seed = Random(0).getrandbits(32)
        pairs = [
            (_seconds(Portfolio([member]), 0, inputs), _seconds(member, seed, inputs)) for _ in range(runs)
        ]
        portfolio, alone = map(min, zip(*pairs, strict=True))
        rows.append(
            {"member": member, "inputs": inputs, "runs": runs, "portfolio": portfolio, "alone": alone}
        )
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
    table = ["| member | microseconds alone | in a portfolio | ratio |", "|---|---:|---:|---:|"]
    for row in costs:
        alone, portfolio = 1e6 * row["alone"], 1e6 * row["portfolio"]
        table.append(f"| {row['member']} | {alone:.1f} | {portfolio:.1f} | {portfolio / alone:.3f} |")
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
    parser.add_argument("--runs", type=int, default=25, help="of each kind, to measure the cost")
    parser.add_argument("--name", default="portfolio", help="the folder of the results")
    options = parser.parse_args(arguments)
    rows = compare(options.inputs, range(options.seeds))
    costs = cost(options.inputs // 5, options.runs)
    store.write(f"{options.name}/learners", rows)
    store.write(f"{options.name}/cost", costs)
    (store.RESULTS / options.name / "README.md").write_text(page(rows, costs))


if __name__ == "__main__":
    main()
