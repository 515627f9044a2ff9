"""Measures the memory of table and networks as a run grows, into `results/deep/memory.jsonl`."""

from __future__ import annotations

import argparse
import ctypes
import gc
from pathlib import Path
from typing import Any

import torch

from benchmarks import pool
from benchmarks.deep import stored
from benchmarks.deep.sweep import REWARD, ROWS, SUBJECTS
from rlcheck import Campaign, Episode

CHOICES = 1_000_000
SNAPSHOTS = 10
_MEASURED = ("RLCheck", "RLCheck, call tree", "DQN", "Recurrent")
_SUBJECT = "javascript"


def measure(task: tuple[str, int]) -> dict[str, Any]:
    """One row, for so many choices."""
    torch.set_num_threads(1)
    row, choices = task
    made = 0

    def note(episode: Episode) -> None:
        nonlocal made
        made += len(episode.choices)

    campaign = Campaign(
        SUBJECTS[_SUBJECT].generator,
        valid=SUBJECTS[_SUBJECT].valid,
        learner=ROWS[row].learner(),
        abstraction=None if (abstraction := ROWS[row].abstraction) is None else abstraction(),
        reward=REWARD,
        seed=0,
        observers=[note],
    )
    snapshots = []
    for snapshot in range(1, SNAPSHOTS + 1):
        while made < choices * snapshot // SNAPSHOTS:
            campaign.run(episodes=500)
        snapshots.append(
            {
                "choices": made,
                "resident": _resident(),
                "tensors": _tensors(),
                "rows": getattr(campaign.guide.learner, "states", 0),
                "unique_valid": campaign.summary.unique_valid,
            }
        )
    return {"subject": _SUBJECT, "row": row, "snapshots": snapshots, "torch": torch.__version__}


def _tensors() -> int:
    """Bytes of all tensors."""
    # Asking an object for its class runs code of some; its type does not.
    return sum(thing.nbytes for thing in gc.get_objects() if issubclass(type(thing), torch.Tensor))


def _resident() -> int:
    """Bytes of this process in memory, without what glibc keeps for later; Linux only."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)  # Else two equal runs differ by a dozen megabytes.
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.deep.memory`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deep.memory", description=__doc__)
    parser.add_argument("--choices", type=int, default=CHOICES, help="choices in a run")
    parser.add_argument("--row", nargs="+", choices=_MEASURED, default=list(_MEASURED))
    parser.add_argument("--output", type=Path, help="a folder instead of that of the results")
    given = parser.parse_args(arguments)
    rows = []
    for row in given.row:  # Each has a process of its own, so that none inherits memory.
        rows += pool.run(measure, [(row, given.choices)], jobs=1, says=lambda task, _: task[0])
    stored.add("memory", rows, given.output)


if __name__ == "__main__":
    main()
