"""Swarm: in each episode some options are likelier than others, at random or as in one that was rewarded.

Reference: Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012.

    P(c) = weight[p, c] / sum of weight[p, .];    weight[p, c] = U ** sharpness, U uniform in [0, 1)

for the options c of a choice point p, drawn when an episode first comes to it. A test that adds to a list as
often as it removes never fills it; in a swarm of tests, some do. With `inherit`, an episode takes over each
weight with probability 0.8 from another one: of four of the last 64, the one that was rewarded most.

Departures from the paper:

1. Options have weights, where the paper leaves out each with probability one half: none is out of reach.
2. Points may be named: the kind of a call, say, and not its arguments.
3. More than 64 options are equally likely: ranges are data, and no list of features.
4. Preferences may be inherited: what finds much just now is tried again, with changes.
"""

from __future__ import annotations

from bisect import bisect
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_between
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.protocols import State

_MOST = 64
#: Who inherits does so from the best of a few out of the last episodes, and keeps a weight with this
#: probability.
_REMEMBERED, _RIVALS, _KEPT = 64, 4, 0.8

# By point and number of options: numbers of them.
_Numbers = dict[tuple[ChoicePoint, int], list[float]]


class Swarm(LearnerBase):
    """Random choices, with other preferences in each episode.

    Args:
        sharpness: How much the weights of options differ; 0 makes them all the same.
        at: The names of the choice points that have preferences; None for all.
        inherit: The share of the episodes that take over most preferences of one that was rewarded; with 0
            nothing is learned.
    """

    def __init__(
        self,
        *,
        sharpness: float = 2.0,
        at: Iterable[Hashable] | None = None,
        inherit: float = 0.0,
        seed: int | None = None,
    ) -> None:
        if not sharpness >= 0:
            raise ConfigurationError(f"sharpness={sharpness!r} must be at least 0.")
        check_between(1, inherit=inherit)
        self.sharpness = sharpness
        self.at = None if at is None else frozenset(at)
        self.inherit = inherit
        self.rng = Random(seed)
        # Of the running episode: weights, their sums, whose weights it inherits, and its reward.
        self._weights: _Numbers = {}
        self._sums: _Numbers = {}
        self._inherited: _Numbers = {}
        self._reward = 0.0
        # The rewards and weights of the last episodes. Rewards fall as less is new: old ones would be best.
        self._past: deque[tuple[float, _Numbers]] = deque(maxlen=_REMEMBERED)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Any option, some likelier than others."""
        if n > _MOST or (self.at is not None and point.name not in self.at):
            return any_option(self.rng, n)
        sums = self._sums.get((point, n))
        if sums is None:
            weights = self._weights[point, n] = self._drawn((point, n))
            sums = self._sums[point, n] = list(accumulate(weights))
        return min(bisect(sums, self.rng.random() * sums[-1]), n - 1)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Any option, each as likely as its weight says."""
        return weighted_option(self.rng, weights)

    def reward(self, value: float) -> None:
        """What is rewarded may be inherited."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Remember what was preferred, and decide whose preferences the next episode inherits."""
        random = self.rng.random
        if self.inherit:
            self._past.append((self._reward + episode.progress + episode.reward, self._weights))
            self._inherited = {}
            if random() < self.inherit:
                rivals = [self._past[int(random() * len(self._past))] for _ in range(_RIVALS)]
                self._inherited = max(rivals, key=_rewarded)[1]
        self.drop()

    def drop(self) -> None:
        """Forget what is preferred in the running episode."""
        self._weights, self._sums, self._reward = {}, {}, 0.0

    def _drawn(self, key: tuple[ChoicePoint, int]) -> list[float]:
        """The weights of the options at a point."""
        random, sharpness = self.rng.random, self.sharpness
        inherited = self._inherited.get(key)
        if inherited is None:
            return [random() ** sharpness for _ in range(key[1])]
        return [weight if random() < _KEPT else random() ** sharpness for weight in inherited]


def _rewarded(episode: tuple[float, _Numbers]) -> float:
    return episode[0]
