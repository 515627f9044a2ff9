"""The memory of table and networks as a run grows."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from typing import Any

import torch

from benchmarks.campaigns import Curve, Method, Subject

SNAPSHOTS = 10
ROWS = ("RLCheck", "RLCheck, call tree", "DQN", "Recurrent")


def measure(row: str, subject: Subject, method: Method, choices: int, reward: Any) -> dict[str, Any]:
    """Run a method for this many choices, and measure its memory ten times."""
    torch.set_num_threads(1)
    curve = Curve(subject.size, 1, 1)
    campaign = method.campaign(subject, 0, reward=reward, observers=[curve])
    snapshots = []
    for snapshot in range(1, SNAPSHOTS + 1):
        while curve.choices < choices * snapshot // SNAPSHOTS:
            campaign.run(episodes=500)
        snapshots.append(
            {
                "choices": curve.choices,
                "resident": _resident(),
                "tensors": _tensors(),
                "rows": campaign.guide.abilities.states,
                "unique_valid": campaign.summary.unique_valid,
            }
        )
    return {"subject": subject.name, "row": row, "snapshots": snapshots, "torch": torch.__version__}


def _tensors() -> int:
    """Return the bytes of all tensors."""
    # Asking an object for its class runs code of some; its type does not.
    return sum(thing.nbytes for thing in gc.get_objects() if issubclass(type(thing), torch.Tensor))


def _resident() -> int:
    """Return the bytes of this process in memory, without what glibc keeps for later; Linux only."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)  # Else two equal runs differ by a dozen megabytes.
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
