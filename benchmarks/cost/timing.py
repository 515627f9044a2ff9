"""Timing on a noisy machine: what is compared is run turn by turn, and the fastest turn counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from time import perf_counter

#: Prepares one turn and returns what is timed. Each turn does the same work.
Turn = Callable[[], Callable[[], object]]


def fastest(turns: Mapping[str, Turn], repeats: int) -> dict[str, float]:
    """Seconds of the fastest turn of each."""
    best = dict.fromkeys(turns, inf)
    for _ in range(repeats):
        for name, prepare in turns.items():
            work = prepare()
            started = perf_counter()
            work()
            best[name] = min(best[name], perf_counter() - started)
    return best
