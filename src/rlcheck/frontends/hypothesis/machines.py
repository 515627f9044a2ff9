"""The context of a Hypothesis state machine: what its next rule may depend on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rlcheck.errors import ConfigurationError
from rlcheck.frontends.hypothesis.compat import (
    MACHINE_ATTRIBUTES,
    ConjectureData,
    machine_of,
    running_machine,
)

#: Numbers and sizes above this count as their magnitude.
_SMALL = 4


def tells_context(test: Any) -> bool:
    """Whether a test runs a state machine that defines its own context."""
    return hasattr(machine_of(test), "rlcheck_context")


def context_of(data: ConjectureData | None, label: int) -> Hashable | None:
    """The context of a state machine that is about to take a step; None when there is no machine.

    A machine can define it as a method `rlcheck_context`. Otherwise it is the size of the bundles, and what
    the attributes show without being inspected.
    """
    machine = running_machine(data, label)
    if machine is None:
        return None
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
