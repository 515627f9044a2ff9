"""ReplayQueue: inputs that wait to be replayed, and what decides the draws of the running test case."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from rlcheck.frontends.hypothesis.draws import Want, Weights
from rlcheck.learners._exploration import any_option, weighted_option

#: The first test cases are drawn without guidance, to know what guidance is worth: at most a fifth of them.
_UNGUIDED = 20


class ReplayQueue:
    """Inputs to replay, as the values drawn.

    A test case follows an input of the queue, or chance, or the learner.
    """

    def __init__(self, rng: Random) -> None:
        #: Inputs to replay in test cases that Hypothesis sees.
        self.waiting: deque[Sequence[Any]] = deque()
        #: Inputs of the last run that are still valid; they are replayed when Hypothesis runs short.
        self.confirmed: deque[Sequence[Any]] = deque()
        #: The input that is being replayed; empty when there is none.
        self.replayed: Sequence[Any] = ()
        #: Whether the test case is drawn without guidance.
        self.unguided = False
        self._rng = rng
        # Inputs of the last run, which the search tries first.
        self._recalled: deque[Sequence[Any]] = deque()
        self._unguided_cases = _UNGUIDED
        self._decides = False
        # The rest of the input that is being replayed.
        self._values: deque[Any] = deque()

    def recall(self, recalled: Sequence[Sequence[Any]], max_examples: int) -> None:
        """Take the inputs that the last run kept; if there are any, every test case is guided."""
        self._recalled.extend(recalled)
        self._unguided_cases = 0 if recalled else min(_UNGUIDED, max_examples // 5)

    def begin(self, *, searching: bool, unguided: int) -> bool:
        """Begin a test case, after this many unguided ones; returns whether the queue decides its draws."""
        waiting = self._recalled if searching else self.waiting
        self.replayed = waiting.popleft() if waiting else ()
        self._values = deque(self.replayed)
        self.unguided = not self._values and unguided < self._unguided_cases
        self._decides = self.unguided or bool(self._values)
        return self._decides

    def next_value(self, fits: Callable[[Any], bool]) -> Any:
        """The next value of the replayed input; None when there is none, or when it does not fit."""
        if not self._values:
            return None
        value = self._values.popleft()
        if fits(value):
            return value
        self._values.clear()
        self._decides = False
        return None

    def decide(self, n: int, weights: Weights, want: Want) -> int | None:
        """The option to take of n; None when the learner is free to choose."""
        if want is not None:
            return int(want)  # It may be a bool.
        if not self.unguided:
            return None
        return any_option(self._rng, n) if weights is None else weighted_option(self._rng, weights)

    def add(self, drawn: Sequence[Any], *, failing: bool) -> None:
        """Keep a valid input that Hypothesis has not seen."""
        (self.confirmed if self.replayed and not failing else self.waiting).append(drawn)

    def use_confirmed(self) -> None:
        """Replay the inputs of the last run that are still valid."""
        self.waiting, self.confirmed = self.confirmed, self.waiting
