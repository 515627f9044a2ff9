"""Options drawn by weight: few options individually, many in ranges."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below

#: Up to this many options have one weight each; more are split into this many ranges with one weight each.
_MANY = 64
_RANGES = 16


class Parts:
    """The weights of n options or of ranges of them, all equal at first."""

    __slots__ = ("_ranges", "total", "weights")

    def __init__(self, n: int) -> None:
        self._ranges = n > _MANY
        parts = _RANGES if self._ranges else n
        self.weights = [1.0] * parts
        self.total = float(parts)

    def pick(self, roll: float) -> int:
        """Return the part that a number from 0 to 1 falls on."""
        left = roll * self.total
        part = len(self.weights) - 1
        for index, weight in enumerate(self.weights):
            left -= weight
            if left < 0.0:
                part = index
                break
        return part

    def weigh(self, part: int, weight: float) -> None:
        """Change the weight of a part."""
        self.weights[part] = weight
        self.total = sum(self.weights)  # A running sum would drift.

    def option(self, part: int, n: int, random: Callable[[], float]) -> int:
        """Return a random option of a part."""
        if not self._ranges:
            return part
        low, high = n * part // _RANGES, n * (part + 1) // _RANGES
        return low + below(random, high - low)
