"""The context of a Hypothesis state machine: what its next rule may depend on."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

from rlcheck.errors import ConfigurationError

#: Attributes that every machine has.
_HYPOTHESIS_OWN = {"rules", "invariants", "bundles", "names_counters", "names_list", "names_to_values"}

#: Numbers and sizes above this count as their magnitude.
_SMALL = 4


def context_of(data: Any, label: int) -> Hashable | None:
    """The context of the machine of a test case that is about to take a step; None when none is.

    A method `rlcheck_context` says it. Without one it is how full the bundles are, and what can be told
    of the attributes without looking into them.
    """
    stateful = sys.modules.get("hypothesis.stateful")  # Who has a machine has loaded it.
    if stateful is None or label != stateful.STATE_MACHINE_RUN_LABEL:
        return None
    machine = data.hypothesis_runner
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
        if name not in _HYPOTHESIS_OWN and not name.startswith("_")
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
