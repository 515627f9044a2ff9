"""Writes a failing test of an interface as a Python program that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rlcheck.frontends.api.calls import Call, name_of
from rlcheck.frontends.api.trial import Rules, result_of


def snippet(rules: Rules, calls: Sequence[Call]) -> str:
    """A program that makes the calls; the last one fails."""
    body = list(_body(rules, calls))
    return "\n".join([*_imports(rules, calls, body), "", *body]) + "\n"


def _imports(rules: Rules, calls: Sequence[Call], body: Sequence[str]) -> Iterator[str]:
    named: list[Callable[..., Any]] = [rules.make]
    if rules.oracle is not None:
        named.append(rules.oracle)
    for call in calls:
        named.extend(rules.operations[call.operation].names(call.places))
    named.extend(
        invariant for invariant in rules.invariants if any(_asserts(invariant) == line for line in body)
    )
    if any("suppress(" in line for line in body):
        yield "from contextlib import suppress"
    yield from dict.fromkeys(_import(function) for function in named if function.__module__ != "builtins")


def _import(function: Callable[..., Any]) -> str:
    """The import of a name; for a method, that of its class."""
    name = name_of(function)
    if "<" in getattr(function, "__qualname__", "<"):
        return f"# {name} stands for what ApiTest was given: it cannot be imported from a module."
    return f"from {function.__module__} import {name.partition('.')[0]}"


def _body(rules: Rules, calls: Sequence[Call]) -> Iterator[str]:
    trial = rules.begin()
    yield f"subject = {name_of(rules.make)}()"
    if rules.oracle is not None:
        yield f"oracle = {name_of(rules.oracle)}()"
    for number, call in enumerate(calls, 1):
        operation = rules.operations[call.operation]
        on_subject, on_oracle = (operation.written(target, call.places) for target in ("subject", "oracle"))
        result, error = trial.call(call)
        expected, raised = (None, None) if rules.oracle is None else result_of(operation, trial.oracle, call)
        if rules.oracle is None:
            fails = error is not None and not isinstance(error, rules.allowed)
            yield on_subject if error is None or fails else _suppressed(error, on_subject)
        elif error is None and raised is None:
            same = result is trial.subject and expected is trial.oracle
            yield f"{on_subject}; {on_oracle}" if same else f"assert {on_subject} == {on_oracle}"
        elif error is None:
            yield from _must_raise(on_subject, raised)
        elif type(error) is type(raised):
            yield _suppressed(error, on_subject)
            yield _suppressed(error, on_oracle)
        else:
            yield on_subject
        if number == len(calls):
            yield from _broken(rules, trial.subject)


def _broken(rules: Rules, subject: Any) -> Iterator[str]:
    """The first invariant that does not hold."""
    for invariant in rules.invariants:
        try:
            holds = invariant(subject) is not False
        except Exception:
            holds = False
        if not holds:
            yield _asserts(invariant)
            return


def _asserts(invariant: Callable[[Any], object]) -> str:
    return f"assert {name_of(invariant)}(subject) is not False"


def _suppressed(error: Exception, written: str) -> str:
    kind = type(error)
    name = kind.__name__ if kind.__module__ == "builtins" else "Exception"
    return f"with suppress({name}): {written}"


def _must_raise(written: str, raised: Exception | None) -> Iterator[str]:
    yield "try:"
    yield f"    {written}"
    yield "except Exception: pass"
    yield f'else: raise AssertionError("the oracle raises {type(raised).__name__}")'
