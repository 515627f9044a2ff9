"""Targets of `rlcheck run` for these measurements."""

from __future__ import annotations

from typing import Any

from benchmarks.bst.subject import is_bst, tree

__all__ = ["is_bst", "is_sorted", "many_lists", "numbers", "tree"]


def many_lists(choose: Any) -> list[int]:
    """Lists of up to 24 numbers: every one is valid, and hardly any is made twice."""
    return [choose(range(100)) for _ in range(4 + choose(range(21)))]


def numbers(choose: Any) -> list[int]:
    """Lists that know nothing of order."""
    made: list[int] = []
    while len(made) < 20 and choose([True, False]):
        made.append(choose(range(101)))
    return made


def is_sorted(xs: list[int]) -> bool:
    """Whether at least five numbers are in order."""
    return len(xs) >= 5 and xs == sorted(xs)
