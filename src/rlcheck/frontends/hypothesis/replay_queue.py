"""What leads a test case on the Hypothesis backend: an input that is replayed, chance, or the learner."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from rlcheck.frontends.hypothesis.draws import Want, Weights
from rlcheck.learners._exploration import any_option, weighted_option

#: How many test cases at first are drawn without guidance, to know what it is worth; at most a fifth.
_UNGUIDED = 20


class Lead:
    """Inputs that wait to be replayed, as the values drawn, and who leads the test case that is running."""

    def __init__(self, rng: Random) -> None:
        #: To be replayed in test cases that Hypothesis sees.
        self.queue: deque[Sequence[Any]] = deque()
        #: Replayed unseen, and valid again: they wait until there is need of them.
        self.rehearsed: deque[Sequence[Any]] = deque()
        #: The input that is being replayed; empty when there is none.
        self.replayed: Sequence[Any] = ()
        #: Whether the test case is drawn without guidance.
        self.unguided = False
        self._rng = rng
        # Of the last run, to be rehearsed unseen.
        self._recalled: deque[Sequence[Any]] = deque()
        self._unguided_cases = _UNGUIDED
        self._leads = False
        # What is left of the input that is replayed; what the learner is to choose.
        self._script: deque[Any] = deque()
        self._wanted: deque[int] = deque()

    def meet(self, recalled: Sequence[Sequence[Any]], max_examples: int) -> None:
        """Take what the last run has left: with it, no test case is drawn without guidance."""
        self._recalled.extend(recalled)
        self._unguided_cases = 0 if recalled else min(_UNGUIDED, max_examples // 5)

    def begin(self, *, searching: bool, unguided: int) -> Iterator[int] | None:
        """Begin a test case, after so many unguided ones; what the learner is to imitate, if anything."""
        self._wanted.clear()
        waiting = self._recalled if searching else self.queue
        self.replayed = waiting.popleft() if waiting else ()
        self._script = deque(self.replayed)
        self.unguided = not self._script and unguided < self._unguided_cases
        self._leads = self.unguided or bool(self._script)
        return self._choices() if self._leads else None

    def next(self, fits: Callable[[Any], bool]) -> Any:
        """The next value of the input that is replayed; None when there is none, or it does not fit."""
        if not self._script:
            return None
        value = self._script.popleft()
        if fits(value):
            return value
        self._script.clear()
        self._leads = False
        return None

    def want(self, n: int, weights: Weights, want: Want) -> None:
        """Tell the learner what to choose of n options, if it is led."""
        if not self._leads:
            return
        if want is not None:
            self._wanted.append(want)
        elif self.unguided:
            rng = self._rng
            self._wanted.append(any_option(rng, n) if weights is None else weighted_option(rng, weights))

    def found(self, drawn: Sequence[Any], *, failing: bool) -> None:
        """Keep a valid input that Hypothesis has not seen."""
        (self.rehearsed if self.replayed and not failing else self.queue).append(drawn)

    def perform(self) -> None:
        """Replay what was rehearsed."""
        self.queue, self.rehearsed = self.rehearsed, self.queue

    def _choices(self) -> Iterator[int]:
        while self._wanted:
            yield self._wanted.popleft()
