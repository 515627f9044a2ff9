"""Rates: which of a few ways pays, learned while they are used; and what was tried before."""

from __future__ import annotations

from collections.abc import Callable

#: What a way is thought to bring before it was tried, as if that had been seen so many times.
_HOPE = 0.3
_SEEN = 2

#: Keeps every way in play.
_LEAST = 0.01

#: Of how many structures it is known how often they were tried.
_STRUCTURES = 100_000


class Rates:
    """Running means of what each of a few ways brought; those that brought more are taken more often."""

    __slots__ = ("_memory", "_tries", "means")

    def __init__(self, ways: int, memory: int) -> None:
        self.means: list[float] = [_HOPE] * ways
        self._tries = [_SEEN] * ways
        # How many of the latest results count.
        self._memory = memory

    def like(self, other: Rates) -> None:
        """Begin with what another one has learned."""
        self.means = other.means[:]

    def tries(self, way: int) -> int:
        """Return how often a way was tried, as far as that counts."""
        return self._tries[way]

    def learn(self, way: int, result: float) -> None:
        """Note what a way brought, from 0 to 1."""
        tries = self._tries[way]
        mean = self.means[way]
        self.means[way] = mean + (result - mean) / tries
        if tries < self._memory:
            self._tries[way] = tries + 1

    def pick(self, random: Callable[[], float], ways: int) -> int:
        """Return one of the first `ways`, each in proportion to the square of its mean."""
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


class Tries:
    """How often each structure was tried."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._tries: dict[int, int] = {}

    def enough(self, fine: int) -> bool:
        """Return whether a structure rather is not tried again; count it otherwise."""
        tried = self._tries.get(fine, 0)
        if tried and self._random() < tried / (tried + 1.0):
            return True
        if len(self._tries) >= _STRUCTURES:
            self._tries.clear()
        self._tries[fine] = tried + 1
        return False
