"""What the runs of this study test: short lists of digits whose sum is sometimes too large."""

from __future__ import annotations

from typing import Any


def numbers(choose: Any) -> list[int]:
    """Make up to three digits."""
    return [choose(range(10)) for _ in range(choose(range(4)))]


def small(xs: list[int]) -> None:
    """Fail when the sum is too large."""
    assert sum(xs) < 20, xs[0]
