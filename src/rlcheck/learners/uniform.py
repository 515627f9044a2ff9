"""Uniform: every option is equally likely, nothing is learned. Copy this file to write a learner.

Reference: Claessen and Hughes, "QuickCheck", ICFP 2000.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.learners import _exploration
from rlcheck.protocols import State


class Uniform:
    """The random baseline."""

    #: Points and states are not looked at, so the guide need not make them.
    blind: ClassVar[bool] = True

    def __init__(self, *, seed: int | None = None) -> None:
        self.rng = Random(seed)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Any option."""
        return _exploration.any_option(self.rng, n)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Any option, each as likely as its weight says."""
        return _exploration.weighted_option(self.rng, weights)

    def reward(self, value: float) -> None:
        """Nothing is learned."""

    def update(self, outcome: Outcome) -> None:
        """Nothing is learned."""
