"""Engines: where the episodes of a campaign are run. In this process, in workers, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlcheck.report.record import Snapshot


class Subject(Protocol):
    """What an engine runs."""

    @property
    def generator(self) -> Callable[..., Any]:
        """A function of `choose`."""
        ...

    @property
    def valid(self) -> Callable[[Any], Any] | None:
        """The precondition."""
        ...

    @property
    def test(self) -> Callable[[Any], Any] | None:
        """The property."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """What the subject itself says about its campaign."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, in a form that reaches other processes."""

    #: Loads the subject, in whichever process it is called.
    load: Callable[[], Subject]
    #: Arguments of `Campaign`.
    settings: dict[str, Any]
    seed: int
    episodes: int | None = None
    seconds: float | None = None
    #: Seconds after which an input counts as hanging.
    timeout: float | None = None
    #: Choice sequences to begin with.
    examples: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """A failure: the first input that failed at its place."""

    place: str
    message: str
    choices: list[Any]
    input: str
    count: int = 1
    #: Whether it ended or hung the process.
    isolated: bool = False


class Engine(Protocol):
    """Runs episodes a step at a time, so that in between someone may draw, store or stop."""

    #: Why it ended; "" while it runs.
    stopped: str
    #: By place.
    failures: dict[str, Found]

    @property
    def note(self) -> str:
        """What it did by itself."""
        ...

    @property
    def sizes(self) -> dict[int, int]:
        """How many unique valid inputs there were of each number of choices."""
        ...

    @property
    def sample(self) -> list[tuple[bool, list[int]]]:
        """Episodes to survey: whether each was valid, and its choices."""
        ...

    def step(self, seconds: float) -> None:
        """Run for about so long; sets `stopped` when the budget is spent."""
        ...

    def snapshot(self) -> Snapshot:
        """How far it is."""
        ...

    def take(self) -> tuple[bytes, int]:
        """The inputs for the corpus that came since they were last taken: a block of so many."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
