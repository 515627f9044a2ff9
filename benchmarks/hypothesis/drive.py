"""Drives a test through Hypothesis for a number of test cases, or for some time, and counts what it makes.

Nothing of Hypothesis is patched. A test case is counted where Hypothesis hands it to the executor of the
test's class: one that a filter ends counts too, and so do those that a backend runs by itself. What ends a
test, at the end of a test case, is `SkipTest`, which the engine hands through.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from math import inf
from time import process_time
from typing import Any, Protocol
from unittest import SkipTest

from hypothesis import HealthCheck, Verbosity, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition, Unsatisfiable
from hypothesis.stateful import run_state_machine_as_test

from benchmarks.hypothesis.property import Property

BACKENDS = ("hypothesis", "rlcheck")

#: Explicit, since profiles differ: on CI machines Hypothesis derandomizes and has no database.
STOCK: dict[str, Any] = {
    "derandomize": False,
    "database": None,
    "deadline": None,
    "verbosity": Verbosity.quiet,
    "report_multiple_bugs": False,
}
#: A test that ends by the count of its calls alone, as far as the engine lets it.
ENDLESS = STOCK | {"max_examples": 10**9, "suppress_health_check": list(HealthCheck)}


class Enough(SkipTest):
    """The test has run as long as it was to run."""


class Counter(Protocol):
    """Follows a test, and says when it has run long enough."""

    calls: int

    @property
    def enough(self) -> bool:
        """Whether the test has run as long as it was to run."""

    def begin(self) -> None:
        """A test case begins."""

    def end(self) -> None:
        """A test case ends, whichever way; raises `Enough`."""

    def accept(self, *values: Any) -> None:
        """A test case was valid."""

    def fail(self) -> None:
        """A test case failed."""


class Meter:
    """Counts test cases, and what the valid ones are. The time that this takes is kept apart."""

    def __init__(self, shape: Callable[..., Any], *, calls: float = inf, seconds: float = inf) -> None:
        self.calls = 0
        self.valid = 0
        #: Valid test cases among the first ones, and how many those are.
        self.valid_of_first = 0
        self.first = 100
        #: The call that failed first.
        self.failed_at: int | None = None
        self._shape = shape
        self._most_calls, self._most_seconds = calls, seconds
        self._seen: set[str] = set()
        self._shapes: set[Any] = set()
        gc.collect()
        self._overhead = 0.0
        self._started = process_time()

    @property
    def enough(self) -> bool:
        """Whether the test has run as long as it was to run."""
        return self.calls >= self._most_calls or self.seconds() >= self._most_seconds

    def seconds(self) -> float:
        """Processor time that the test has taken."""
        return process_time() - self._started - self._overhead

    def begin(self) -> None:
        """A test case begins."""
        self.calls += 1

    def end(self) -> None:
        """A test case ends, whichever way."""
        if self.enough:
            raise Enough

    def accept(self, *values: Any) -> None:
        """A test case was valid."""
        started = process_time()
        self.valid += 1
        self.valid_of_first += self.calls <= self.first
        text = repr(values)
        if text not in self._seen:
            self._seen.add(text)
            self._shapes.add(self._shape(*values))
        self._overhead += process_time() - started

    def fail(self) -> None:
        """A test case failed."""
        if self.failed_at is None:
            self.failed_at = self.calls

    def figures(self) -> dict[str, Any]:
        """What was counted."""
        return {
            "calls": self.calls,
            "valid": self.valid,
            "unique_valid": len(self._seen),
            "shapes": len(self._shapes),
            "seconds": round(self.seconds(), 4),
        }


def prepared(subject: Property, meter: Counter, number: int, options: settings) -> Callable[[], object]:
    """The test, as it is run once."""
    if subject.machine is not None:
        return lambda: run_state_machine_as_test(_counted(subject, meter, number), settings=options)

    def test(self: Any, **inputs: Any) -> None:
        try:
            subject.test(**inputs)
        except AssertionError:
            meter.fail()
            raise
        meter.accept(*inputs.values())

    test.__name__ = subject.test.__name__  # Hypothesis keys a test by its name and source.

    class Tests:
        # In this order: `seed` takes the database away.
        run = options(seed(number)(given(**subject.strategies)(test)))

        def execute_example(self, function: Callable[[], Any]) -> Any:
            meter.begin()
            try:
                return function()
            finally:
                meter.end()

    return Tests().run


def _counted(subject: Property, meter: Counter, number: int) -> type[Any]:
    class Counted(subject.machine):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            meter.begin()
            super().__init__()

        def teardown(self) -> None:
            if (found := self.hit()) is not None:
                meter.accept(found)
            meter.end()

    return seed(number)(Counted)


def drive(
    subject: Property,
    backend: str,
    number: int,
    *,
    calls: float = float("inf"),
    seconds: float = float("inf"),
) -> dict[str, Any]:
    """Run a test for `calls` test cases, or for `seconds` of processor time."""
    meter = Meter(subject.shape, calls=calls, seconds=seconds)
    starts = until_enough(subject, backend, number, meter)
    return meter.figures() | {"starts": starts}


def until_enough(subject: Property, backend: str, number: int, meter: Counter) -> int:
    """Run a test until a counter has enough; return how often it was started.

    The engine ends a test that rejects too much, or that it takes for exhausted. It is then started again
    with another seed, and whatever a backend had learned is gone.
    """
    starts = 0
    while True:
        before = meter.calls
        try:
            prepared(subject, meter, 1_000 * number + starts, settings(backend=backend, **ENDLESS))()
        except (Enough, FlakyStrategyDefinition, Unsatisfiable) as error:
            # The engine may wonder that a test case which it has seen before ended otherwise.
            if isinstance(error, FlakyStrategyDefinition) and not meter.enough:
                raise
        starts += 1
        if meter.enough:
            return starts
        if meter.calls == before:
            raise RuntimeError(f"{subject.name} on {backend} runs no test cases.")
