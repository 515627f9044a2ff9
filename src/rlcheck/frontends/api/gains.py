"""What a test gains, in parts of what tests gain just now: how members of a portfolio are compared."""

from __future__ import annotations

from collections.abc import Sequence

# The work of a usual test: gains are compared for equal work.
_WORK = 30_000
# What the level of gains is still worth after the next test: it falls fast when testing begins.
_MEMORY = 0.8


class Gains:
    """Follows the level of gains, which falls as there is less to find, whoever looks for it.

    Without it, who has the first tests, when all is new, would seem the best for long.
    """

    def __init__(self) -> None:
        self._levels: list[float] = []

    def of(self, gained: Sequence[int], work: float) -> list[float]:
        """What a test gained for each goal: 1 is what tests find just now, or one find where that is less."""
        rates = [_WORK * gain / work for gain in gained]
        levels = self._levels or rates
        self._levels = [
            _MEMORY * level + (1 - _MEMORY) * rate for level, rate in zip(levels, rates, strict=True)
        ]
        return [rate / max(level, 1.0) for level, rate in zip(levels, rates, strict=True)]
