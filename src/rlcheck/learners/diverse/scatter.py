"""Scatter: inputs that are drawn at random.

They need neither points nor states, so that they cost a tenth of the others. Nothing is known of their
structure: a valid one that asked for something new is made once more, and looked at.
"""

from __future__ import annotations

from collections.abc import Callable

#: How many kinds of questions are known.
_MOST = 100_000

#: The first episodes are never drawn at random: a small space ends before an input of it is made twice.
_FIRST = 500


class Scatter:
    """Decides which inputs are drawn at random, and which of them are made once more."""

    def __init__(self, random: Callable[[], float]) -> None:
        #: Whether the next input is drawn at random.
        self.active = False
        #: Whether the next input is made once more.
        self.again = False
        self._random = random
        self._known: set[int] = set()
        self._episodes = 0
        self._choices: list[int] = []
        self._made = 0

    def decide(self, often: float) -> None:
        """Decide how the next input is made."""
        self._episodes += 1
        self.active = self._episodes > _FIRST and not self.again and self._random() < often

    def end(self, choices: list[int], sizes: list[int]) -> None:
        """Keep a valid input that was drawn at random, if nobody asked for such choices before."""
        questions = hash(tuple(sizes))
        if questions not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known.add(questions)
            self.again = True
            self._choices = choices
            self._made = 0

    def take(self, n: int) -> int:
        """Return the next choice of an input that is made once more; -1 when it does not fit."""
        made = self._made
        self._made = made + 1
        index = self._choices[made] if made < len(self._choices) else -1
        return index if index < n else -1

    def drop(self) -> None:
        """Forget the running input."""
        self.active = self.again = False
