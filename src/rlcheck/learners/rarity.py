"""Rarity: in each state, prefers the options of episodes that took rare branches.

References: Lemieux and Sen, "FairFuzz", ASE 2018, which mutates inputs that take rare branches; Strehl and
Littman, "An Analysis of Model-Based Interval Estimation for Markov Decision Processes", 2008: what was
visited N times is worth a bonus that falls with N. Here the bonus is 1 / N, for branches instead of states:

    gain <- sum of 1 / hits[b] over the branches b of the episode / number of its choices
    value[p, s, c] <- value[p, s, c] + step_size * (gain / level - value[p, s, c])
    level <- level + 0.1 * (gain - level)

after an episode, for each choice c in it, made at choice point p in state s; hits[b] counts the episodes that
took branch b. An option is taken with probability

    P(c | p, s) ~ value[p, s, c] ** sharpness

and, with probability explore, any; of more than 64 options, one of 16 parts, and any option in it.

Departures:

1. Nothing is mutated: preferences in each state keep what episodes with rare branches have in common.
2. Gains are per choice: an episode of twice the length has to find twice as much.
3. Gains are relative to those of recent episodes, because less and less is left to find, and at most 20.
4. Without coverage, the gain is the reward of the episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_above_zero, check_between
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.learners._parts import Parts
from rlcheck.learners._table import Table
from rlcheck.protocols import State

#: How far the level moves towards the last gain; the first gains are averaged.
_LEVEL_STEP = 0.1
#: One lucky episode must not decide everything, nor an unlucky one.
_MOST = 20.0
_LEAST = 0.01


class _Row(Parts):
    """What each part of the options is worth in one state; 1 is usual."""

    __slots__ = ("values",)

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.values = [1.0] * len(self.weights)


class Rarity(LearnerBase):
    """Values options by how rare the branches were in episodes that took them.

    Args:
        step_size: How far a value moves towards the gain of an episode.
        sharpness: How strongly better options are preferred; 0 is uniform.
        explore: The share of random choices.
        max_states: When there are more states, all values are forgotten.
    """

    #: States say where a choice is made, not what was chosen before: there are few, each visited often.
    abstraction = "call-stack"
    coverage = "counts"

    def __init__(
        self,
        *,
        step_size: float = 0.03,
        sharpness: float = 4.0,
        explore: float = 0.1,
        max_states: int = 100_000,
        seed: int | None = None,
    ) -> None:
        check_above_zero(1, step_size=step_size)
        check_between(100, sharpness=sharpness)
        check_between(1, explore=explore)
        self.step_size = step_size
        self.sharpness = sharpness
        self.explore = explore
        self.max_states = max_states
        self.rng = Random(seed)
        self._random = self.rng.random
        self._table = Table(_Row, max_states)
        #: How many episodes took each branch.
        self.hits: dict[int, int] = {}
        self._episodes = 0
        self._level = 0.0
        # The choices of the running episode, and its rewards.
        self._taken: list[tuple[_Row, int]] = []
        self._reward = 0.0

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many states have values."""
        return len(self._table)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick an option; those with a high value in this state are likelier."""
        row = self._table.row(point, state, n)
        if self._random() < self.explore:
            part = any_option(self.rng, len(row.weights))
        else:
            part = row.pick(self._random())
        self._taken.append((row, part))
        return row.option(part, n, self._random)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Pick an option whose weight says how likely it is before anything is learned."""
        row = self._table.row(point, state, n)
        if len(row.weights) < n or self._random() < self.explore:
            index = weighted_option(self.rng, weights)
        else:
            both = [weight * own for weight, own in zip(weights, row.weights, strict=True)]
            index = weighted_option(self.rng, both)
        if len(row.weights) == n:
            self._taken.append((row, index))
        return index

    def reward(self, value: float) -> None:
        """Add to the reward of the episode, which counts if branches are not recorded."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Move the values of the options taken towards the gain of the episode."""
        if episode.counts is None:
            worth = max(self._reward + episode.progress + episode.reward, 0.0)
        else:
            worth = self._rarity_of(episode.counts)
        gain = worth / max(len(self._taken), 1)
        self._episodes += 1
        if self._level > 0.0:
            self._learn(min(gain / self._level, _MOST))
        self._level += max(_LEVEL_STEP, 1.0 / self._episodes) * (gain - self._level)
        self.drop()

    def _rarity_of(self, branches: Iterable[int]) -> float:
        """Count the branches of an episode, and sum up how rare they are."""
        hits = self.hits
        rarity = 0.0
        for branch in branches:
            hits[branch] = times = hits.get(branch, 0) + 1
            rarity += 1.0 / times
        return rarity

    def _learn(self, gain: float) -> None:
        for row, part in self._taken:
            value = row.values[part]
            row.values[part] = value = max(_LEAST, value + self.step_size * (gain - value))
            row.weigh(part, value**self.sharpness)

    def drop(self) -> None:
        """Forget the running episode."""
        self._taken.clear()
        self._reward = 0.0
