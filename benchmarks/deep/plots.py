"""Draws the figures of the study: how long inputs are, and how they came about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

from benchmarks import store

#: Runs by row.
Runs = dict[str, list[dict[str, Any]]]

_LENGTHS = ("Random", "RLCheck", "RLCheck, call tree", "DQN, bootstrapped", "Recurrent", "Diverse")
_CURVES = ("RLCheck", "RLCheck, call tree", "DQN", "DQN, intrinsic reward", "DQN, bootstrapped", "Recurrent")


def draw(subject: str, runs: Runs, folder: Path) -> None:
    """The paper's Figure 1, and its Figures 2 and 3, of one subject."""
    pyplot.rcParams.update({"svg.hashsalt": "rlcheck", "font.size": 9})
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for name in (name for name in _LENGTHS if name in runs):
        counts: Counter[int] = Counter()
        for run in runs[name]:
            for length, count in run["lengths"].items():
                counts[int(length) // 10 * 10] += count
        total = sum(counts.values())
        if total:
            # A few inputs are a hundred times as long as most: they would leave these no room.
            lengths = sorted(length for length, count in counts.items() if count >= 0.001 * total)
            left.plot(lengths, [counts[length] / total for length in lengths], label=name)
    left.set(xlabel="characters", ylabel="share of unique valid inputs", title="Lengths")
    _legend(left)
    for name in (name for name in _CURVES if name in runs):
        points = zip(*(run["curve"] for run in runs[name]), strict=True)
        curve = [(at[0][0], store.mean_and_error([unique for _, _, unique in at])[0]) for at in points]
        right.plot(*zip(*curve, strict=True), label=name)
    right.set(xlabel="inputs", ylabel="unique valid inputs", title="How they came about")
    _legend(right)
    figure.savefig(folder / f"{subject}.svg", metadata={"Date": None})
    pyplot.close(figure)


def _legend(axes: Any) -> None:
    if axes.lines:
        axes.legend()
