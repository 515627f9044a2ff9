"""Generators to build with: functions of `choose` that compose.

pairs = rlcheck.lists(rlcheck.integers(0, 10), max_size=2)
pairs(choose)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from rlcheck.choice import as_sequence, count, no_options, site_name
from rlcheck.errors import ConfigurationError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Choose(Protocol):
    """What a generator receives: `Guide.choose`, a replayed sequence, or a Hypothesis draw."""

    def __call__(self, options: Any, *, at: Hashable | None = None, state: Hashable | None = None) -> Any:
        """One of the options."""
        ...


#: Any function of `choose`.
Generator: TypeAlias = Callable[[Choose], T_co]


class OneOf(Generic[T]):
    """A generator that makes one choice; its choice point is where it was constructed."""

    __slots__ = ("at", "name", "options")

    def __init__(self, name: str, options: Sequence[T], at: Hashable) -> None:
        if count(options) == 0:
            raise no_options(options, name)
        self.name = name
        self.options = options
        self.at = at

    def __call__(self, choose: Choose) -> T:
        """Make the choice."""
        return choose(self.options, at=self.at)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return self.name


#: Frames of this code are looked through: the choice belongs to the frame that called the generator.
ONE_CHOICE = OneOf.__call__.__code__


class Lists(Generic[T]):
    """A generator of lists: before each further element, whether to go on."""

    __slots__ = ("at", "element", "max_size", "min_size")

    def __init__(self, element: Generator[T], min_size: int, max_size: int, at: Hashable) -> None:
        self.element = element
        self.min_size = min_size
        self.max_size = max_size
        self.at = at

    def __call__(self, choose: Choose) -> list[T]:
        """Make a list."""
        made: list[T] = []
        while len(made) < self.max_size:
            if len(made) >= self.min_size and not choose((True, False), at=self.at):
                break
            made.append(self.element(choose))
        return made

    def __repr__(self) -> str:
        return f"lists({self.element!r}, min_size={self.min_size}, max_size={self.max_size})"


def integers(lo: int, hi: int) -> OneOf[int]:
    """An integer from `lo` to `hi`, both included."""
    if not isinstance(lo, int) or not isinstance(hi, int):
        raise ConfigurationError(f"lo={lo!r} and hi={hi!r} must be integers.")
    if lo > hi:
        raise ConfigurationError(f"lo={lo} is above hi={hi}. Swap them.")
    return OneOf(f"integers({lo}, {hi})", range(lo, hi + 1), site_name(sys._getframe(1)))


def booleans() -> OneOf[bool]:
    """True or False."""
    return OneOf("booleans()", (False, True), site_name(sys._getframe(1)))


def sampled_from(options: Sequence[T]) -> OneOf[T]:
    """One of the options."""
    name = f"sampled_from({options!r})"
    return OneOf(name, as_sequence(options), site_name(sys._getframe(1)))


def lists(element: Generator[T], min_size: int = 0, max_size: int = 10) -> Lists[T]:
    """A list of `min_size` to `max_size` elements."""
    if not callable(element):
        raise ConfigurationError(f"element={element!r} must be a generator: a function of choose.")
    if not 0 <= min_size <= max_size:
        raise ConfigurationError(
            f"min_size={min_size} and max_size={max_size} must satisfy 0 <= min_size <= max_size."
        )
    return Lists(element, min_size, max_size, site_name(sys._getframe(1)))
