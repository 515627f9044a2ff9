"""One test of an interface: a subject, its oracle, and what must hold after each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlcheck.errors import ConfigurationError
from rlcheck.frontends.api.calls import Call, Operation, name_of


class Disagreement(AssertionError):
    """The subject differs from its oracle, or an invariant does not hold."""


class Rules:
    """How subjects are made and judged.

    Args:
        make: Makes a subject.
        oracle: Makes an object to compare the subject with; None when there is none.
        invariants: Functions of the subject that must not return False or raise after a call.
        allowed: What calls may raise when there is no oracle.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        make: Callable[[], Any],
        oracle: Callable[[], Any] | None,
        invariants: Sequence[Callable[[Any], object]],
        allowed: tuple[type[Exception], ...],
    ) -> None:
        self.operations = operations
        self.make = make
        self.oracle = oracle
        self.invariants = invariants
        self.allowed = allowed
        self._checked = False

    def begin(self) -> Trial:
        """A new subject, with a new oracle."""
        trial = Trial(self)
        if not self._checked:
            self._check(trial.subject)
            self._checked = True
        return trial

    def _check(self, subject: Any) -> None:
        """Raise for a misspelt name, which is not a failure of the subject."""
        for operation in self.operations:
            if operation.function is None and not callable(getattr(subject, operation.name, None)):
                raise ConfigurationError(
                    f"operation={operation.name!r} must be a method of the subject, and"
                    f" {type(subject).__name__} has none of that name."
                )


class Trial:
    """A subject and its oracle, on which the same calls are made."""

    __slots__ = ("_rules", "calls", "has_failed", "oracle", "subject")

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.subject = rules.make()
        self.oracle = None if rules.oracle is None else rules.oracle()
        #: The calls so far.
        self.calls: list[Call] = []
        #: Whether the last call was wrong.
        self.has_failed = False

    def call(self, call: Call) -> Result:
        """Make a call on the subject alone; `judge` decides whether its result is right."""
        self.calls.append(call)
        return result_of(self._rules.operations[call.operation], self.subject, call)

    def repeat(self, calls: Sequence[Call]) -> None:
        """Make calls that an earlier test has judged."""
        for call in calls:
            self.call(call)
            if self.oracle is not None:
                result_of(self._rules.operations[call.operation], self.oracle, call)

    def judge(self, call: Call, result: Result) -> None:
        """Make the same call on the oracle; raise if the results differ or an invariant does not hold."""
        rules = self._rules
        value, error = result
        if rules.oracle is not None:
            self._compare(call, value, error)
        elif error is not None and not isinstance(error, rules.allowed):
            raise error
        for invariant in rules.invariants:
            if invariant(self.subject) is False:
                written = rules.operations[call.operation].written("subject", call.places)
                raise Disagreement(f"{name_of(invariant)}(subject) is False after {written}")

    def _compare(self, call: Call, value: Any, error: Exception | None) -> None:
        operation = self._rules.operations[call.operation]
        expected, oracle_error = result_of(operation, self.oracle, call)
        if error is not None:
            if type(error) is not type(oracle_error):
                raise error
        elif oracle_error is not None:
            raised = type(oracle_error).__name__
            written = operation.written("subject", call.places)
            raise Disagreement(f"{written} gave {value!r}, and the oracle raised {raised}: {oracle_error}")
        elif not (value == expected or (value is self.subject and expected is self.oracle)):
            written = operation.written("subject", call.places)
            raise Disagreement(f"{written} gave {value!r}, and the oracle gave {expected!r}")


#: What a call returned, or what it raised.
Result = tuple[Any, Exception | None]


def result_of(operation: Operation, target: Any, call: Call) -> Result:
    """The result of a call."""
    try:
        return operation.run(target, call.places), None
    except Exception as error:
        return None, error


def failure_of(rules: Rules, calls: Sequence[Call]) -> tuple[Exception, int] | None:
    """What calls on a new subject raise, and how many were made; None if they pass or do not fit."""
    trial = rules.begin()
    for made, call in enumerate(calls, 1):
        options = rules.operations[call.operation].options(trial.subject)
        if any(place >= len(some) for place, some in zip(call.places, options, strict=True)):
            return None
        try:
            trial.judge(call, trial.call(call))
        except Exception as error:
            return error, made
    return None
