"""The bandit of a portfolio: decides which member has the next turn, by the yields of recent turns."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rlcheck.learners._exploration import weighted_option

#: A goal with this many yields in memory has half of its full weight: few yields say little about the arms.
_FADE = 3.0
#: After this many turns, the next one goes to a random arm with a probability of one half.
_START = 20.0


class Bandit:
    """Discounted Thompson sampling over arms, for several goals; see `portfolio.py`.

    Args:
        arms: The number of arms.
        discount: How much of a turn's yields remains after the next turn.
        explore: The least share of turns that go to a random arm; 0 for none at all.
        rng: The source of randomness.
    """

    def __init__(self, arms: int, *, discount: float, explore: float, rng: Random) -> None:
        #: How many turns there were.
        self.turns = 0
        self._arms = arms
        self._discount = discount
        self._explore = explore
        self._rng = rng
        # By goal and arm: what the arm found, and the cost of the turns in which the goal was measured.
        self._yields: list[list[float]] = []
        self._costs: list[list[float]] = []
        # By arm: the number of its turns, and their cost.
        self._had = [0] * arms
        self._spent = [0.0] * arms

    def settle(self, arm: int, gained: Sequence[float], cost: float) -> None:
        """Count what a turn of an arm has gained for each goal."""
        self._had[arm] += 1
        self._spent[arm] += cost
        while len(self._yields) < len(gained):
            self._yields.append([0.0] * self._arms)
            self._costs.append([0.0] * self._arms)
        for kept in (*self._yields, *self._costs):
            for place in range(self._arms):
                kept[place] *= self._discount
        for goal, found in enumerate(gained):
            self._yields[goal][arm] += found
            self._costs[goal][arm] += cost

    def next(self) -> int:
        """Return the arm that has the next turn."""
        self.turns += 1
        rng = self._rng
        if self._explore and rng.random() < max(_START / (_START + self.turns), self._explore):
            return self._random_arm()
        scores = [0.0] * self._arms
        for yields, costs in zip(self._yields, self._costs, strict=True):
            total = sum(yields)
            best = max((found / cost for found, cost in zip(yields, costs, strict=True) if cost), default=0.0)
            if not best:
                continue
            weight = total / (_FADE + total) / best
            for place, found in enumerate(yields):
                scores[place] += weight * rng.gammavariate(found + 1.0, 1.0 / (costs[place] + 1.0 / best))
        highest = max(scores)
        return scores.index(highest) if highest else self._random_arm()

    def _random_arm(self) -> int:
        """Return a random arm; in the long run, each arm's random turns cost the same."""
        rates = [had / spent if had else 0.0 for had, spent in zip(self._had, self._spent, strict=True)]
        return weighted_option(self._rng, [rate or max(rates) or 1.0 for rate in rates])

    def is_behind(self, arm: int) -> bool:
        """Whether another arm yields more for the first goal."""
        if not self._yields:
            return True
        rates = [found / (cost or 1.0) for found, cost in zip(self._yields[0], self._costs[0], strict=True)]
        return rates[arm] < max(rates)
