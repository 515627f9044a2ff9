"""Lesson: the last unique valid input, for a member that is behind to begin its turn with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlcheck.episode import Episode


class Lesson:
    """What the last unique valid input was, who made it, and how much of it is left to imitate."""

    __slots__ = ("_choices", "_left", "_shown", "_teacher", "_worth", "running")

    def __init__(self) -> None:
        self._choices: Sequence[int] = ()
        self._teacher = -1
        self._worth = 0.0
        # Whether members that watch have been shown it.
        self._shown = False
        self._left: Iterator[int] = iter(())
        #: Whether the running episode imitates it.
        self.running = False

    def keep(self, episode: Episode, teacher: int, *, shown: bool) -> None:
        """Take an episode for the next lesson."""
        self._choices, self._worth = episode.choices, episode.reward
        self._teacher, self._shown = teacher, shown

    def suits(self, pupil: int, *, watches: bool) -> bool:
        """Tell whether there is a lesson that this member does not know."""
        return bool(self._choices) and self._teacher != pupil and not (self._shown and watches)

    def begin(self) -> None:
        """Begin to imitate; a lesson is given once."""
        self._left, self._choices, self.running = iter(self._choices), (), True

    def next(self, n: int) -> int:
        """Return the next choice of the lesson, or -1 when none fits: then the lesson is over."""
        index = next(self._left, -1)
        if 0 <= index < n:
            return index
        self._left = iter(())
        return -1

    def end(self, episode: Episode) -> float:
        """End the episode that imitates, and return what it counts for the pupil: as much as the original."""
        self._left, self.running = iter(()), False
        return self._worth if episode.outcome is not None and not episode.unique else episode.reward
