"""Streams: repeats what the best episode so far chose in each state, with a few changes.

Reference: Rechenberg's (1+1) evolution strategy, 1973: one parent, one child, and the better of them is the
next parent. What is inherited is not one sequence of choices, as in Zest, but one for each state: the k-th
choice in a state is the k-th one that the parent made there,

    c[p, s, k] <- parent[p, s, k], or with probability `change` any option

so a change in one place leaves all others as they were, however the episode goes on. The probability is drawn
for each episode from `changes`.

Departures: the first episodes are random, and the best of them is the first parent.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rlcheck.abilities import LearnerBase
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.protocols import State

#: How many choices are changed, each as likely as the others.
_CHANGES = (0.01, 0.02, 0.04)
#: So many episodes are random.
_FIRST = 4


class Streams(LearnerBase):
    """Keeps the choices of the best episode by (choice point, state).

    Args:
        seed: Same seed, same choices.
    """

    abstraction = "call-stack"

    def __init__(self, *, seed: int | None = None) -> None:
        self.rng = Random(seed)
        self._episodes = 0
        self._change = 1.0
        self._best = float("-inf")
        self._parent: dict[Any, list[int]] = {}
        self._made: dict[Any, list[int]] = {}
        self._earned = 0.0

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """What the parent chose, or any option."""
        made = self._made.setdefault((point, state), [])
        known = self._parent.get((point, state), ())
        if len(made) < len(known) and known[len(made)] < n and self.rng.random() >= self._change:
            index = known[len(made)]
        else:
            index = self.rng.randrange(n)
        made.append(index)
        return index

    def reward(self, value: float) -> None:
        """Add to what the episode is worth."""
        self._earned += value

    def update(self, episode: Episode) -> None:
        """Keep the episode as the parent if it is worth at least as much."""
        if self._earned >= self._best:
            self._best, self._parent = self._earned, self._made
        self._episodes += 1
        self.drop()

    def drop(self) -> None:
        """Begin another episode."""
        self._made, self._earned = {}, 0.0
        self._change = 1.0 if self._episodes < _FIRST else self.rng.choice(_CHANGES)
