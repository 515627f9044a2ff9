"""Gains: what a test found, relative to what recent tests find. A portfolio compares its members by it."""

from __future__ import annotations

from collections.abc import Sequence

#: The work of a typical test: gains are compared for equal work.
_WORK = 30_000
#: How much of the level of gains remains after the next test: the level falls fast when testing begins.
_MEMORY = 0.8


class Gains:
    """Follows the level of gains, which falls as less is left to find.

    Without it, the learner that runs the first tests, when everything is new, would look best for long.
    """

    def __init__(self) -> None:
        #: The gains of the last test, one number for each goal.
        self.latest: list[float] = []
        self._levels: list[float] = []

    def add(self, gained: Sequence[int], work: float) -> list[float]:
        """Add a test; 1 for a goal means as much as recent tests found, or one find where that is less."""
        rates = [_WORK * gain / work for gain in gained]
        levels = self._levels or rates
        self._levels = [
            _MEMORY * level + (1 - _MEMORY) * rate for level, rate in zip(levels, rates, strict=True)
        ]
        self.latest = [rate / max(level, 1.0) for level, rate in zip(levels, rates, strict=True)]
        return self.latest
