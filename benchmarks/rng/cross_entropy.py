"""CrossEntropy: in each state, draws from a distribution that is fitted to what was drawn in successes.

Reference: Rubinstein, "The Cross-Entropy Method for Combinatorial and Continuous Optimization", 1999, as a
stochastic approximation: after an episode with a reward above 0, for each choice c in it,

    mean[p, s] <- mean[p, s] + step * (c - mean[p, s])
    variance[p, s] <- variance[p, s] + step * ((c - mean[p, s]) ** 2 - variance[p, s])

of a normal distribution over the options, cut off at both ends. Of up to 8 options, each has a probability:

    P[p, s, c'] <- P[p, s, c'] + step * ((c' = c) - P[p, s, c'])

Departures:

1. A success counts the more, the rarer it was: a step is divided by how likely the episode was to succeed,
   which is taken to be a product of one number per state in it. So what few episodes ask for, such as the
   lower nodes of large trees, is heeded by the states before, and not given up for the many easy ones.
2. Episodes that fail teach nothing but these numbers.
3. The first steps average what was seen; later ones have the size `step_size`.
"""

from __future__ import annotations

import math
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_above_zero
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.learners import _exploration
from rlcheck.learners._table import Table
from rlcheck.protocols import State

_FEW = 8
#: The deviation never falls below this share of an option: next to it lies what may be better.
_NARROW = 0.15
_WIDE = 0.5
_RAREST = 0.05
_FIRST = 10.0
_LONGEST = 0.3
_EASE_STEP = 0.02


class _Row:
    """What one state has learned: here, the probability of each of a few options."""

    __slots__ = ("_chances", "ease", "seen")

    def __init__(self, n: int) -> None:
        #: The logarithm of its part in how likely an episode succeeds.
        self.ease = 0.0
        #: How many successes it has seen, by their weight.
        self.seen = 0.0
        self._chances = [1.0 / n] * n

    def draw(self, rng: Random, n: int) -> float:
        """A place from 0 to 1: option c has those from c / n to (c + 1) / n."""
        return (_exploration.weighted_option(rng, self._chances) + 0.5) / n

    def fit(self, place: float, step: float) -> None:
        """Move towards a place."""
        taken = int(place * len(self._chances))
        for index, chance in enumerate(self._chances):
            self._chances[index] = chance + step * ((index == taken) - chance)


class _NormalRow(_Row):
    """The same of many options: they are ordered, and those near a good one are good."""

    __slots__ = ("_deviation", "_mean", "_narrow")

    def __init__(self, n: int) -> None:
        super().__init__(1)
        self._mean = 0.5
        self._deviation = _WIDE
        self._narrow = _NARROW / n

    def draw(self, rng: Random, n: int) -> float:
        while True:
            place = rng.gauss(self._mean, self._deviation)
            if 0.0 <= place < 1.0:
                return place

    def fit(self, place: float, step: float) -> None:
        off = place - self._mean
        variance = self._deviation**2
        self._mean += step * off
        variance += max(-0.2 * variance, min(0.25 * variance, step * (off * off - variance)))
        self._deviation = max(self._narrow, min(_WIDE, math.sqrt(variance)))


def _row(n: int) -> _Row:
    return _Row(n) if n <= _FEW else _NormalRow(n)


class CrossEntropy(LearnerBase):
    """A distribution per (choice point, state), fitted to the episodes whose reward is above 0.

    Args:
        step_size: How far a success moves a distribution; small steps find better ones, later.
        max_states: When there are more states, all are forgotten.
    """

    #: Where a choice is made, and not what was chosen before: few states, each visited often.
    abstraction = "call-stack"

    def __init__(
        self, *, step_size: float = 0.002, max_states: int = 100_000, seed: int | None = None
    ) -> None:
        check_above_zero(1, step_size=step_size)
        self.step_size = step_size
        self.max_states = max_states
        self.rng = Random(seed)
        self._table = Table(_row, max_states)
        self._made: list[tuple[_Row, float]] = []
        self._reward = 0.0

    @property
    def states(self) -> int:
        """How many states have a distribution."""
        return len(self._table)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option drawn from the distribution of this state."""
        row = self._table.row(point, state, n)
        place = row.draw(self.rng, n)
        self._made.append((row, place))
        return min(int(place * n), n - 1)  # A huge n may round up.

    def reward(self, value: float) -> None:
        """Add to the one reward that the whole episode gets."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Fit the distributions to a success, and learn how likely it was."""
        made, success = self._made, self._reward + episode.progress + episode.reward > 0.0
        self.drop()
        expected = math.exp(sum(row.ease for row, _ in made))
        surprise = (success - expected) / max(1.0 - expected, 0.05)
        for row, _ in made:
            row.ease = min(0.0, row.ease + _EASE_STEP * surprise / len(made))
        if success:
            weight = 1.0 / max(expected, _RAREST)
            for row, place in made:
                row.seen += weight
                row.fit(place, min(_LONGEST, weight * max(self.step_size, 1.0 / (row.seen + _FIRST))))

    def drop(self) -> None:
        """Forget the running episode."""
        self._made, self._reward = [], 0.0
