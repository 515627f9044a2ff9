"""Swarm: in each episode some options are likelier than others, at random; nothing is learned.

Reference: Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012.

    P(c) = weight[p, c] / sum of weight[p, .];    weight[p, c] = U ** sharpness, U uniform in [0, 1)

for the options c of a choice point p, drawn when an episode first comes to it. A test that adds to a list as
often as it removes never fills it; in a swarm of tests, some do.

Departures from the paper:

1. Options have weights, where the paper leaves out each with probability one half: none is out of reach.
2. Points may be named: the kind of a call, say, and not its arguments.
3. More than 64 options are equally likely: ranges are data, and no list of features.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate
from random import Random

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.protocols import State

_MOST = 64


class Swarm:
    """Random choices, with other preferences in each episode.

    Args:
        sharpness: How much the weights of options differ; 0 makes them all the same.
        at: The names of the choice points that have preferences; None for all.
    """

    def __init__(
        self, *, sharpness: float = 2.0, at: Iterable[Hashable] | None = None, seed: int | None = None
    ) -> None:
        if not sharpness >= 0:
            raise ConfigurationError(f"sharpness={sharpness!r} must be at least 0.")
        self.sharpness = sharpness
        self.at = None if at is None else frozenset(at)
        self.rng = Random(seed)
        # Of the running episode, by point and number of options: sums of weights.
        self._sums: dict[tuple[ChoicePoint, int], list[float]] = {}

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Any option, some likelier than others."""
        if n > _MOST or (self.at is not None and point.name not in self.at):
            return any_option(self.rng, n)
        sums = self._sums.get((point, n))
        if sums is None:
            weights = [self.rng.random() ** self.sharpness for _ in range(n)]
            sums = self._sums[point, n] = list(accumulate(weights))
        return min(bisect(sums, self.rng.random() * sums[-1]), n - 1)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Any option, each as likely as its weight says."""
        return weighted_option(self.rng, weights)

    def reward(self, value: float) -> None:
        """Nothing is learned."""

    def update(self, outcome: Outcome) -> None:
        """Forget what was preferred."""
        self._sums.clear()
