"""Swarm: each episode prefers some options, at random or as in an earlier episode with a high reward.

Reference: Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012.

    P(c) = weight[p, c] / sum of weight[p, .];    weight[p, c] = U ** sharpness, U uniform in [0, 1)

for the options c of a choice point p, drawn when an episode first reaches it. A test that adds to a list as
often as it removes never fills it; in a swarm of tests, some do. With `inherit`, an episode copies each
weight with probability 0.8 from another one: of four of the last 64, the one with the highest reward.

Departures from the paper:

1. Options have weights, so none is out of reach; the paper leaves out each with probability one half.
2. Preferences may be limited to some choice points: say the kind of a call, but not its arguments.
3. More than 64 options are equally likely: a long range is data, not a list of features.
4. Preferences may be inherited: those that currently find much are tried again, with changes.
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
#: An episode inherits from the best of a few of the last episodes, and copies each weight with this
#: probability.
_REMEMBERED, _RIVALS, _KEPT = 64, 4, 0.8

# By choice point and number of options: one number for each option.
_Numbers = dict[tuple[ChoicePoint, int], list[float]]


class Swarm(LearnerBase):
    """Random choices with different preferences in each episode.

    Args:
        sharpness: How much the weights of options differ; 0 makes them all the same.
        at: The names of the choice points that have preferences; None for all.
        inherit: The share of episodes that inherit most preferences of one with a high reward; with 0,
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
        # The running episode: its weights, their sums, the weights it inherits, and its reward.
        self._weights: _Numbers = {}
        self._sums: _Numbers = {}
        self._inherited: _Numbers = {}
        self._reward = 0.0
        # The rewards and weights of the last episodes. Rewards fall as less is new, so old ones must go.
        self._past: deque[tuple[float, _Numbers]] = deque(maxlen=_REMEMBERED)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick an option by the preferences of this episode."""
        if n > _MOST or (self.at is not None and point.name not in self.at):
            return any_option(self.rng, n)
        sums = self._sums.get((point, n))
        if sums is None:
            weights = self._weights[point, n] = self._drawn((point, n))
            sums = self._sums[point, n] = list(accumulate(weights))
        return min(bisect(sums, self.rng.random() * sums[-1]), n - 1)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Pick an option by weight."""
        return weighted_option(self.rng, weights)

    def reward(self, value: float) -> None:
        """Add to the reward of the running episode."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Remember the preferences of the episode, and decide which ones the next episode inherits."""
        random = self.rng.random
        if self.inherit:
            self._past.append((self._reward + episode.progress + episode.reward, self._weights))
            self._inherited = {}
            if random() < self.inherit:
                rivals = [self._past[int(random() * len(self._past))] for _ in range(_RIVALS)]
                self._inherited = max(rivals, key=_rewarded)[1]
        self.drop()

    def drop(self) -> None:
        """Forget the preferences of the running episode."""
        self._weights, self._sums, self._reward = {}, {}, 0.0

    def _drawn(self, key: tuple[ChoicePoint, int]) -> list[float]:
        """Return the weights of the options at a point."""
        random, sharpness = self.rng.random, self.sharpness
        inherited = self._inherited.get(key)
        if inherited is None:
            return [random() ** sharpness for _ in range(key[1])]
        return [weight if random() < _KEPT else random() ** sharpness for weight in inherited]


def _rewarded(episode: tuple[float, _Numbers]) -> float:
    return episode[0]
