"""ReplayQueue: inputs that wait to be replayed, and what decides the draws of the running test case."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any


class ReplayQueue:
    """Inputs to replay, as the values drawn.

    A test case follows an input of the queue, or the learner.
    """

    def __init__(self) -> None:
        #: Inputs to replay in test cases that Hypothesis sees.
        self.waiting: deque[Sequence[Any]] = deque()
        #: Inputs of the last run that are still valid; they are replayed when Hypothesis runs short.
        self.confirmed: deque[Sequence[Any]] = deque()
        #: The input that is being replayed; empty when there is none.
        self.replayed: Sequence[Any] = ()
        # Inputs of the last run, which the search tries first.
        self._recalled: deque[Sequence[Any]] = deque()
        # The rest of the input that is being replayed.
        self._values: deque[Any] = deque()

    def recall(self, recalled: Sequence[Sequence[Any]]) -> None:
        """Take the inputs that the last run kept."""
        self._recalled.extend(recalled)

    def begin(self, *, searching: bool) -> bool:
        """Begin a test case; returns whether it replays an input of the queue."""
        waiting = self._recalled if searching else self.waiting
        self.replayed = waiting.popleft() if waiting else ()
        self._values = deque(self.replayed)
        return bool(self._values)

    def next_value(self, fits: Callable[[Any], bool]) -> Any:
        """The next value of the replayed input; None when there is none, or when it does not fit."""
        if not self._values:
            return None
        value = self._values.popleft()
        if fits(value):
            return value
        self._values.clear()
        return None

    def add(self, drawn: Sequence[Any], *, failing: bool) -> None:
        """Keep a valid input that Hypothesis has not seen."""
        (self.confirmed if self.replayed and not failing else self.waiting).append(drawn)

    def use_confirmed(self) -> None:
        """Replay the inputs of the last run that are still valid."""
        self.waiting, self.confirmed = self.confirmed, self.waiting
