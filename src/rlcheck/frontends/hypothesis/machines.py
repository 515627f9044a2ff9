"""Hypothesis state machines: what their next rule may depend on, and which rules never ran."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rlcheck.errors import ConfigurationError
from rlcheck.frontends.hypothesis.compat import (
    MACHINE_ATTRIBUTES,
    machine_of,
    rules_of,
)

#: Numbers and sizes above this count as their magnitude.
_SMALL = 4


def tells_context(test: Any) -> bool:
    """Whether a test runs a state machine that defines its own context."""
    return hasattr(machine_of(test), "rlcheck_context")


def context_of(machine: Any) -> Hashable:
    """The context of a state machine that is about to take a step.

    A machine can define it as a method `rlcheck_context`. Otherwise it is the size of the bundles, and what
    the attributes show without being inspected.
    """
    own = getattr(machine, "rlcheck_context", None)
    if own is None:
        return _shape(machine)
    context = own()
    try:
        hash(context)
    except TypeError as error:
        raise ConfigurationError(
            f"{type(machine).__name__}.rlcheck_context() returned {context!r}, which cannot be hashed."
            " Return a tuple, a string or a number."
        ) from error
    return (context,)


def _shape(machine: Any) -> Hashable:
    bundles = tuple((name, min(len(values), _SMALL)) for name, values in sorted(machine.bundles.items()))
    attributes = tuple(
        (name, _simple(value))
        for name, value in sorted(vars(machine).items())
        if name not in MACHINE_ATTRIBUTES and not name.startswith("_")
    )
    return (bundles, attributes)


def _simple(value: Any) -> Hashable:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _SMALL else (value > 0, value.bit_length())
    if isinstance(value, str | bytes | list | tuple | dict | set | frozenset):
        return (type(value).__name__, min(len(value), _SMALL))
    return type(value).__name__


@contextmanager
def noted_rules(test: Any) -> Iterator[dict[str, int]]:
    """Count how often each rule of a test's state machine runs in a block."""
    counts: dict[str, int] = {}
    rules = rules_of(test)
    functions = [rule.function for rule in rules]
    for rule in rules:
        rule.function = _counted(rule.function, counts)
    try:
        yield counts
    finally:
        for rule, function in zip(rules, functions, strict=True):
            rule.function = function


def _counted(function: Callable[..., Any], counts: dict[str, int]) -> Callable[..., Any]:
    code = function.__code__
    name = f"{function.__name__} ({Path(code.co_filename).name}:{code.co_firstlineno})"
    counts[name] = 0

    @functools.wraps(function)
    def counted(*arguments: Any, **keywords: Any) -> Any:
        __tracebackhide__ = True
        counts[name] += 1
        return function(*arguments, **keywords)

    return counted
