"""Rates: which of a few ways pays, learned while it is used."""

from __future__ import annotations

from collections.abc import Callable

#: What a way is thought to be worth before it was tried.
_HOPE = 0.3

#: Keeps every way in play.
_LEAST = 0.02


class Rates:
    """Running means of what each of a few ways brought; likely ones are taken more often."""

    __slots__ = ("_memory", "_tries", "means")

    def __init__(self, ways: int, memory: int) -> None:
        self.means = [_HOPE] * ways
        self._tries = [4] * ways
        # How many of the latest results count.
        self._memory = memory

    def like(self, other: Rates) -> None:
        """Begin with what another one has learned."""
        self.means[:] = other.means

    def learn(self, way: int, result: float) -> None:
        """Note what a way brought, from 0 to 1."""
        tries = self._tries[way]
        self.means[way] += (result - self.means[way]) / tries
        if tries < self._memory:
            self._tries[way] = tries + 1

    def pick(self, random: Callable[[], float], ways: int) -> int:
        """One of the first so many ways, in proportion to the square of its mean."""
        total = 0.0
        for way in range(ways):
            mean = self.means[way] + _LEAST
            total += mean * mean
        roll = random()
        left = roll * total
        for way in range(ways):
            mean = self.means[way] + _LEAST
            left -= mean * mean
            if left < 0.0:
                return way
        return ways - 1
