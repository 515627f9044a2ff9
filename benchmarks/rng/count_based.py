"""CountBased: pure exploration. In each state, what was taken seldom is taken next.

Reference: Tsai and Taylor, "DeepRNG", 2021, section 4: where new states are the only reward, exploitation may
be left out. An option is taken with probability

    P(c | p, s) ~ 1 / visits[p, s, c] ** evenness

for each choice point p and state s; of more than 64 options, one of 16 parts, and any option in it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_between
from rlcheck.choice import ChoicePoint
from rlcheck.learners._parts import Parts
from rlcheck.learners._table import Table
from rlcheck.protocols import Counts, State


class _Row(Parts):
    """How often each part of the options was taken in one state, and what it weighs now."""

    __slots__ = ("counts",)

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.counts = [1] * len(self.weights)

    def add(self, part: int, count: int, evenness: float) -> None:
        """Count a part; it weighs less from now on."""
        self.counts[part] += count
        self.weigh(part, self.counts[part] ** -evenness)


class CountBased(LearnerBase):
    """Counts how often each option was taken, and evens it out; rewards are not looked at.

    Args:
        evenness: How strongly seldom options are preferred; 0 is uniform.
        max_states: When there are more states, all counts are forgotten.
    """

    #: Where a choice is made, and not what was chosen before: few states, each visited often.
    abstraction = "call-stack"

    def __init__(self, *, evenness: float = 2.0, max_states: int = 100_000, seed: int | None = None) -> None:
        check_between(100, evenness=evenness)
        self.evenness = evenness
        self.max_states = max_states
        self.rng = Random(seed)
        self._random = self.rng.random
        self._table = Table(_Row, max_states)

    @property
    def states(self) -> int:
        """How many states have counts."""
        return len(self._table)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option that was taken seldom in this state."""
        row = self._table.row(point, state, n)
        part = row.pick(self._random())
        row.add(part, 1, self.evenness)
        return row.option(part, n, self._random)

    def counts(self) -> Counts:
        """How often each part was taken."""
        return {
            (point.name, state, n, part): (count - 1, 0.0)
            for (point, state, n), row in self._table.items()
            for part, count in enumerate(row.counts)
            if count > 1
        }

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Add what other workers have counted."""
        for (name, state, n, part), (count, _) in counts.items():
            self._table.row(named(name), state, n).add(part, count, self.evenness)
