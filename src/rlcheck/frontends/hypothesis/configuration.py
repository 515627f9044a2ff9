"""What the pytest plugin and the engine ask of the Hypothesis tests that they start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from rlcheck.frontends.hypothesis.memory_file import MemoryFile
from rlcheck.frontends.hypothesis.tally import Tally
from rlcheck.protocols import Observer


@dataclass(frozen=True, slots=True)
class Configuration:
    """How the tests that start now are run."""

    #: Seconds that each test is searched for failures, in addition to its `max_examples`.
    seconds: float = 0.0
    #: Where tests keep valid inputs for the next run; in Hypothesis' database if None.
    memory: MemoryFile | None = None
    #: Collects the tallies of the tests, if someone wants them.
    tallies: list[Tally] | None = None
    #: Called with each episode, also with test cases that Hypothesis makes by itself.
    observers: Sequence[Observer] = ()
    #: Whether the learner makes every test case, also while nothing is rejected.
    at_once: bool = False
    #: Called when the tests have ended.
    at_end: list[Callable[[], None]] = field(default_factory=list)


_current: ContextVar[Configuration] = ContextVar("rlcheck's Hypothesis configuration")
_DEFAULT = Configuration()


def current() -> Configuration:
    """The configuration of tests that start now."""
    return _current.get(_DEFAULT)


@contextmanager
def configured(configuration: Configuration) -> Iterator[None]:
    """Use a configuration for the tests that start in a block."""
    outer = _current.set(configuration)
    try:
        yield
    finally:
        _current.reset(outer)
        for end in configuration.at_end:
            end()
