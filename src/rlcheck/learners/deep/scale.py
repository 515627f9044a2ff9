"""Scale: the running mean and deviation of rewards, so that a learner sees numbers of one size."""

from __future__ import annotations

#: How much of the running means remains after each reward.
_KEPT = 0.998


class Scale:
    """The scale of rewards, mostly of the last thousand or so."""

    def __init__(self) -> None:
        self.mean = 0.0
        self.square = 1.0

    def add(self, reward: float) -> None:
        """Add a reward."""
        self.mean += (1.0 - _KEPT) * (reward - self.mean)
        self.square += (1.0 - _KEPT) * (reward * reward - self.square)

    @property
    def deviation(self) -> float:
        """The standard deviation, never 0."""
        return max(self.square - self.mean * self.mean, 1e-4) ** 0.5
