"""Count the shapes of valid inputs: `python -m benchmarks.structure.run`.

A shape is an input without its values. *Effective shapes* are how many there would be if all were equally
frequent: exp of the entropy of the shapes of all valid inputs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, log
from time import process_time
from typing import Any

from benchmarks import pool, store
from benchmarks.structure.subjects import SUBJECTS
from rlcheck import Campaign, registry
from rlcheck.episode import Episode, Outcome

LEARNERS = ("uniform", "monte-carlo", "zest", "diverse")

#: Effective shapes to reach with `diverse` in 50,000 inputs.
TARGETS = {
    "red-black": 600,
    "avl": 1_000,
    "bst": 2_000,
    "bst-preorder": 4_000,
    "brackets": 1_500,
    "pom": 5_000,
}


@dataclass(frozen=True, slots=True)
class Task:
    """One run."""

    subject: str
    learner: str
    seed: int
    inputs: int


def effective(shapes: Counter[Hashable]) -> float:
    """Return exp of the entropy of some counts; 0 when there are none."""
    total = sum(shapes.values())
    return exp(-sum(n / total * log(n / total) for n in shapes.values())) if total else 0.0


def measure(task: Task) -> dict[str, Any]:
    """Run one campaign."""
    subject = SUBJECTS[task.subject]
    shapes: Counter[Hashable] = Counter()

    def count(episode: Episode) -> None:
        if episode.outcome is not Outcome.INVALID:
            shapes[subject.shape(episode.value)] += 1

    campaign = Campaign(
        subject.generator, valid=subject.valid, learner=task.learner, seed=task.seed, observers=[count]
    )
    started = process_time()
    summary = campaign.run(episodes=task.inputs)
    return {
        "subject": task.subject,
        "learner": task.learner,
        "seed": task.seed,
        "inputs": summary.episodes,
        "valid": summary.valid,
        "unique_valid": summary.unique_valid,
        "shapes": len(shapes),
        "effective_shapes": round(effective(shapes), 1),
        "processor_seconds": round(process_time() - started, 2),
    }


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a Markdown table: means over seeds."""
    lines = [
        "| subject | learner | seeds | unique valid | shapes | effective shapes | target |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for subject in SUBJECTS:
        for learner in dict.fromkeys(row["learner"] for row in rows):
            runs = [row for row in rows if (row["subject"], row["learner"]) == (subject, learner)]
            if not runs:
                continue
            means = [
                sum(row[name] for row in runs) / len(runs)
                for name in ("unique_valid", "shapes", "effective_shapes")
            ]
            target = f"{TARGETS[subject]:,}" if learner == "diverse" else ""
            figures = " | ".join(f"{mean:,.0f}" for mean in means)
            lines.append(f"| {subject} | {learner} | {len(runs)} | {figures} | {target} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 when a run is missing from the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure.run", description=__doc__)
    parser.add_argument("--subject", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), metavar="NAME")
    parser.add_argument(
        "--learner", nargs="+", choices=registry.names("learner"), default=list(LEARNERS), metavar="NAME"
    )
    parser.add_argument("--inputs", type=int, default=50_000)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--name", default="structure", help="the folder of the results")
    options = parser.parse_args(arguments)
    tasks = [
        Task(subject, learner, seed, options.inputs)
        for subject in options.subject
        for seed in range(options.seeds)
        for learner in options.learner
    ]
    rows = pool.run(measure, tasks, jobs=options.jobs, says=_found)
    if rows:
        order = {name: place for place, name in enumerate(SUBJECTS)}
        rows.sort(key=lambda row: (order[row["subject"]], row["learner"], row["seed"]))
        print(store.write(f"{options.name}/inputs", rows))
        lines = ["# Structure", "", f"After {options.inputs:,} inputs, means over seeds.", "", *table(rows)]
        (store.RESULTS / options.name / "README.md").write_text("\n".join(lines) + "\n")
    return int(len(rows) < len(tasks))


def _found(task: Task, row: dict[str, Any] | None) -> str:
    text = f"{task.subject} {task.learner} seed {task.seed}"
    return (
        text if row is None else f"{text}: {row['shapes']:,} shapes, {row['effective_shapes']:,.0f} effective"
    )


if __name__ == "__main__":
    sys.exit(main())
