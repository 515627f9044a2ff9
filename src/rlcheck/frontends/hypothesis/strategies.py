"""Generators as Hypothesis strategies, and recorded choices shrunk by Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar
from unittest import SkipTest

from rlcheck import registry
from rlcheck.choice import as_sequence, count, no_options
from rlcheck.errors import ConfigurationError, Signal
from rlcheck.generators import Generator

try:
    from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
    from hypothesis import strategies as st

    from rlcheck.frontends.hypothesis.compat import ExampleDatabase, choices_to_bytes
except ModuleNotFoundError as error:
    raise registry.missing_extra("rlcheck.to_strategy", error) from error

T = TypeVar("T")


def to_strategy(generator: Generator[T]) -> st.SearchStrategy[T]:
    """A generator as a Hypothesis strategy: it shrinks, composes and replays like any other."""
    if not callable(generator):
        raise ConfigurationError(f"generator={generator!r} must be a function of choose.")
    return _recorded(generator).map(lambda pair: pair[0])


def shrink(generator: Generator[T], fails: Callable[[T], bool], choices: Sequence[int]) -> tuple[int, ...]:
    """The choices of the smallest input that Hypothesis finds on which `fails` still holds."""
    smallest = tuple(choices)

    @settings(
        database=_OneInput(choices_to_bytes(list(choices))),
        derandomize=False,  # Hypothesis' CI profile sets it, and then ignores the database.
        phases=(Phase.reuse, Phase.shrink),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
    )
    @seed(0)  # It stands below settings(), because a seed removes the database and settings() restores it.
    @given(_recorded(generator))
    def search(pair: tuple[T, tuple[int, ...]]) -> None:
        nonlocal smallest
        value, made = pair
        try:
            failed = fails(value)
        except Signal:
            reject()
        if failed:
            smallest = made
            raise _Failed

    try:
        search()
    except (_Failed, SkipTest):  # Skipped: under pytest --hypothesis-seed the database is not read.
        pass
    return smallest


class _Failed(Exception):
    """The property fails on this input."""


def _recorded(generator: Generator[T]) -> st.SearchStrategy[tuple[T, tuple[int, ...]]]:
    """What the generator makes, together with its choices."""

    @st.composite
    def strategy(draw: st.DrawFn) -> tuple[T, tuple[int, ...]]:
        made: list[int] = []

        def choose(options: Any, *, at: Hashable | None = None, state: Hashable | None = None) -> Any:
            n = count(options)
            if n == 0:
                raise no_options(options, at)
            index = draw(st.integers(0, n - 1))
            made.append(index)
            return as_sequence(options)[index]

        try:
            return generator(choose), tuple(made)
        except Signal:
            reject()

    return strategy()


class _OneInput(ExampleDatabase):
    """A database that holds one failing input, and stores nothing.

    It answers for the secondary corpus only, because Hypothesis does not shrink inputs of the primary one.
    """

    def __init__(self, encoded: bytes) -> None:
        super().__init__()
        self._encoded = encoded

    def fetch(self, key: bytes) -> Iterable[bytes]:
        return [self._encoded] if key.endswith(b".secondary") else []

    def save(self, key: bytes, value: bytes) -> None:
        pass

    def delete(self, key: bytes, value: bytes) -> None:
        pass
