"""Lesson: the last unique valid input, with which a member that is behind begins its turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlcheck.episode import Episode


class Lesson:
    """The last unique valid input, the member that made it, and what is left of it to imitate."""

    __slots__ = ("_choices", "_left", "_shown", "_teacher", "_worth", "running")

    def __init__(self) -> None:
        self._choices: Sequence[int] = ()
        self._teacher = -1
        self._worth = 0.0
        # Whether members that watch have received it.
        self._shown = False
        self._left: Iterator[int] = iter(())
        #: Whether the running episode imitates it.
        self.running = False

    def keep(self, episode: Episode, teacher: int, *, shown: bool) -> None:
        """Use an episode as the next lesson."""
        self._choices, self._worth = episode.choices, episode.reward
        self._teacher, self._shown = teacher, shown

    def suits(self, pupil: int, *, watches: bool) -> bool:
        """Return whether there is a lesson that this member does not know."""
        return bool(self._choices) and self._teacher != pupil and not (self._shown and watches)

    def begin(self) -> None:
        """Begin to imitate; each lesson is used once."""
        self._left, self._choices, self.running = iter(self._choices), (), True

    def next(self, n: int) -> int:
        """Return the next choice of the lesson; -1 if none fits, which ends the lesson."""
        index = next(self._left, -1)
        if 0 <= index < n:
            return index
        self._left = iter(())
        return -1

    def end(self, episode: Episode) -> float:
        """End the episode that imitates, and return its reward for the pupil: that of the original."""
        self._left, self.running = iter(()), False
        return self._worth if episode.outcome is not None and not episode.unique else episode.reward
