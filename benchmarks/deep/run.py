"""Runs the study: every row with every seed, in worker processes, into `results/deep/<subject>.jsonl`."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import torch

from benchmarks import pool
from benchmarks.curves import Curve
from benchmarks.deep import stored
from benchmarks.deep.sweep import REWARD, ROWS, SUBJECTS
from rlcheck import Campaign, Episode

#: How many points the curves have.
SNAPSHOTS = 20
SEEDS = 3

#: A subject, a row, a seed and how many inputs.
Task = tuple[str, str, int, int]


def run_one(subject: str, row: str, seed: int, inputs: int) -> dict[str, Any]:
    """One row with one seed."""
    lengths: Counter[int] = Counter()
    choices = 0

    def measure(episode: Episode) -> None:
        nonlocal choices
        choices += len(episode.choices)
        if episode.unique:
            lengths[SUBJECTS[subject].size(episode.value)] += 1

    made = ROWS[row]
    curve = Curve(inputs, SNAPSHOTS)
    campaign = Campaign(
        SUBJECTS[subject].generator,
        valid=SUBJECTS[subject].valid,
        learner=made.learner(),
        abstraction=None if made.abstraction is None else made.abstraction(),
        reward=REWARD,
        seed=seed,
        observers=[measure, curve],
    )
    started = process_time()
    summary = campaign.run(episodes=inputs)
    return {
        "subject": subject,
        "row": row,
        "seed": seed,
        "inputs": inputs,
        "valid": summary.valid,
        "unique_valid": summary.unique_valid,
        "seconds": round(summary.seconds, 3),
        "cpu_seconds": round(process_time() - started, 3),
        "choices": choices,
        "lengths": dict(sorted(lengths.items())),
        "curve": curve.points,
        "torch": torch.__version__,
        "device": str(getattr(campaign.guide.learner, "device", "cpu")),
    }


def measure(task: Task) -> dict[str, Any]:
    """One task of the pool."""
    torch.set_num_threads(1)  # As many processes as cores share the machine.
    return run_one(*task)


def tasks_of(subject: str, rows: list[str], *, inputs: int, seeds: int) -> list[Task]:
    """Every row with its seeds, the last row first: it takes the longest, and shall not be waited for."""
    return [
        (subject, row, seed, inputs)
        for row in reversed(rows)
        for seed in range(max(seeds, (ROWS[row].seeds or {}).get(subject, 0)))
    ]


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.deep.run`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deep.run", description=__doc__)
    parser.add_argument("--subject", nargs="+", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--row", nargs="+", choices=ROWS, default=list(ROWS), help="rows of the tables")
    parser.add_argument("--inputs", type=int, help="inputs in a run, instead of the paper's number")
    parser.add_argument("--quick", action="store_true", help="a tenth of the paper's inputs")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="runs of each row")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, each with one thread")
    parser.add_argument("--output", type=Path, help="a folder instead of that of the results")
    given = parser.parse_args(arguments)
    for subject in given.subject:
        whole = SUBJECTS[subject]
        inputs = given.inputs or whole.inputs // (10 if given.quick and whole.table else 1)
        tasks = tasks_of(subject, given.row, inputs=inputs, seeds=given.seeds)
        runs = pool.run(
            measure, tasks, jobs=given.jobs, says=lambda task, _: f"{task[0]}, {task[1]}, {task[2]}"
        )
        stored.add(subject, [{**run, "jobs": given.jobs} for run in runs], given.output)


if __name__ == "__main__":
    main()
