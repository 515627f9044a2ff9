"""Checks of arguments that many parts share; an error shows the argument and what it must be."""

from __future__ import annotations

from math import inf
from random import SystemRandom
from typing import TypeGuard

from rlcheck.errors import ConfigurationError

# Flags of the code of generator functions, coroutines and asynchronous generators, as in `inspect`.
_RUNS_LATER = 0x20 | 0x80 | 0x200


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -inf < value < inf


def check_integer(name: str, value: object, *, least: int = 1) -> int:
    """Return the value if it is an integer of at least `least`."""
    if not is_integer(value) or value < least:
        raise ConfigurationError(f"{name}={value!r} must be an integer of at least {least}.")
    return value


def check_between(most: float, **values: float) -> None:
    """Raise if one of the values does not lie between 0 and `most`."""
    for name, value in values.items():
        if not 0 <= value <= most:
            raise ConfigurationError(f"{name}={value!r} must lie between 0 and {most:,}.")


def check_above_zero(most: float, **values: float) -> None:
    """Raise if one of the values is not above 0, or is above `most`."""
    for name, value in values.items():
        if not 0 < value <= most:
            raise ConfigurationError(f"{name}={value!r} must be above 0 and at most {most:,}.")


def check_positive(name: str, value: object) -> float:
    """Return the value if it is a finite number above 0."""
    if not is_number(value) or value <= 0:
        raise ConfigurationError(f"{name}={value!r} must be a number above 0.")
    return value


def check_budget(episodes: int | None, seconds: float | None) -> None:
    """Raise unless both are budgets or None."""
    if episodes is not None and (isinstance(episodes, bool) or not isinstance(episodes, int) or episodes < 1):
        raise ConfigurationError(f"episodes={episodes!r} must be an integer above 0, or None.")
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise ConfigurationError(f"seconds={seconds!r} must be above 0 and finite, or None.")


def check_seed(seed: int | None) -> int:
    """Return the seed, or draw one when none is given."""
    if seed is None:
        return SystemRandom().getrandbits(32)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ConfigurationError(f"seed={seed!r} must be an integer or None.")
    return seed


def check_function(name: str, function: object) -> None:
    """Raise unless it is a function that runs when it is called."""
    if not callable(function):
        raise ConfigurationError(f"{name}={function!r} must be a function.")
    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & _RUNS_LATER:
        raise ConfigurationError(
            f"{name}={function!r} is a function with `yield` or `async`: calling it runs nothing."
            " Give a plain function."
        )


def check_choices(example: object) -> list[int]:
    """Return a choice sequence as a list; raise if it is not one."""
    whole = isinstance(example, list | tuple) and all(
        isinstance(index, int) and not isinstance(index, bool) and index >= 0 for index in example
    )
    if not whole:
        raise ConfigurationError(f"example={example!r} must be a list of indices: integers of at least 0.")
    return list(example)  # type: ignore[call-overload, no-any-return]
