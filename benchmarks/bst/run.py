"""Runs the study: every variant with every seed, in worker processes, into `results/bst/study.jsonl`."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from benchmarks import pool, store
from benchmarks.bst.subject import is_bst, size
from benchmarks.bst.sweep import REWARD, SEEDS, TREES, VARIANTS
from benchmarks.curves import Curve
from rlcheck import Campaign, Episode

#: How many points the curves have.
SNAPSHOTS = 50


def run_one(name: str, seed: int, trees: int) -> dict[str, Any]:
    """One variant with one seed."""
    variant = VARIANTS[name]
    sizes: Counter[int] = Counter()

    def measure(episode: Episode) -> None:
        if episode.unique:
            sizes[size(episode.value)] += 1

    curve = Curve(trees, SNAPSHOTS)
    campaign = Campaign(
        variant.generator,
        valid=is_bst,
        learner=variant.learner(),
        abstraction=None if variant.abstraction is None else variant.abstraction(),
        reward=REWARD,
        seed=seed,
        observers=[measure, curve],
    )
    summary = campaign.run(episodes=trees)
    return {
        "variant": name,
        "seed": seed,
        "trees": trees,
        "valid": summary.valid,
        "unique_valid": summary.unique_valid,
        "largest": max(sizes, default=0),
        "rows": getattr(campaign.guide.learner, "states", 0),
        "seconds": round(summary.seconds, 3),
        "sizes": dict(sorted(sizes.items())),
        "curve": curve.points,
    }


def measure(task: tuple[str, int, int]) -> dict[str, Any]:
    """One task of the pool."""
    return run_one(*task)


def run_all(*, trees: int, seeds: int, jobs: int) -> None:
    """All variants with all seeds, `jobs` at a time, and store what came of them."""
    tasks = [(name, seed, trees) for name in VARIANTS for seed in range(seeds)]
    rows = pool.run(measure, tasks, jobs=jobs, says=lambda task, _: f"{task[0]} seed {task[1]}")
    store.write("bst/study", [{**row, "jobs": jobs} for row in rows])


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.bst.run`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bst.run", description=__doc__)
    parser.add_argument("--trees", type=int, default=TREES, help="trees in a run")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="runs of each variant")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    given = parser.parse_args(arguments)
    run_all(trees=given.trees, seeds=given.seeds, jobs=given.jobs)


if __name__ == "__main__":
    main()
