"""Marks: what `given` and `settings` attach to a function. Only this module touches the attribute."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

_ATTRIBUTE = "__rlcheck__"


class Settings(NamedTuple):
    """How a property is run."""

    episodes: int | None = 1_000
    seconds: float | None = None
    #: The choices of one recorded input, to run the property on it alone.
    replay: Sequence[int] | None = None
    #: Arguments of `Campaign`.
    campaign: Mapping[str, Any] = MappingProxyType({})


class Property(Protocol):
    """A test that runs on many inputs, made by `given`."""

    @property
    def make(self) -> Callable[..., dict[str, Any]]:
        """A generator of its arguments."""
        ...

    @property
    def test(self) -> Callable[..., Any]:
        """The test itself."""
        ...

    @property
    def unfilled(self) -> Sequence[str]:
        """The names of parameters without a generator and without a default, which pytest fills."""
        ...

    def replay(self, choices: Sequence[int]) -> Any:
        """Run the test on one recorded input; returns None."""
        ...


class Marks(NamedTuple):
    """What is attached to a function."""

    settings: Settings | None = None
    property: Property | None = None


def marks_of(function: object) -> Marks:
    """What is attached to a function; nothing by default."""
    found = getattr(function, _ATTRIBUTE, None)
    return found if isinstance(found, Marks) else Marks()


def mark(
    function: Callable[..., Any], *, settings: Settings | None = None, property: Property | None = None
) -> None:
    """Attach settings or a property to a function, and keep what else is attached."""
    known = marks_of(function)
    setattr(function, _ATTRIBUTE, Marks(settings or known.settings, property or known.property))


def is_hypothesis_test(function: object) -> bool:
    """Whether `hypothesis.given` made the function. Does not import Hypothesis."""
    hypothesis = sys.modules.get("hypothesis")
    return hypothesis is not None and bool(hypothesis.is_hypothesis_test(function))
