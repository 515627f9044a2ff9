"""Uniform: every option is equally likely, and nothing is learned. Copy this file to write a learner.

Reference: Claessen and Hughes, "QuickCheck", ICFP 2000.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.choice import ChoicePoint
from rlcheck.learners import _exploration
from rlcheck.protocols import State


class Uniform(LearnerBase):
    """The random baseline."""

    #: It needs neither points nor states, so the guide skips both.
    blind = True

    def __init__(self, *, seed: int | None = None) -> None:
        self.rng = Random(seed)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick any option."""
        return _exploration.any_option(self.rng, n)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Pick a random option by weight."""
        return _exploration.weighted_option(self.rng, weights)
