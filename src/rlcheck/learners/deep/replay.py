"""Replay: the latest transitions of successful episodes, to learn from again."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

#: The number of a choice point that does not exist: there is no next choice.
END = -1


#: A choice and the one that came after it: point, state, which output was taken, point, state and number of
#: options of the next one, reward.
Transition: TypeAlias = tuple[int, bytes, int, int, bytes, int, float]


class Replay:
    """A ring of transitions.

    Args:
        capacity: How many are kept; the oldest makes room.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._kept: list[Transition] = []
        self._at = 0

    def __len__(self) -> int:
        return len(self._kept)

    def extend(self, transitions: list[Transition]) -> None:
        """Keep transitions."""
        for transition in transitions:
            if len(self._kept) < self.capacity:
                self._kept.append(transition)
            else:
                self._kept[self._at] = transition
                self._at = (self._at + 1) % self.capacity

    def sample(self, rng: Random, number: int) -> list[Transition]:
        """Draw this many of them at random."""
        if not self._kept:
            return []
        size = len(self._kept)
        return [self._kept[int(rng.random() * size)] for _ in range(number)]
