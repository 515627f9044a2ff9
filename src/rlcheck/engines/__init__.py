"""Engines run the episodes of a campaign: in this process, in worker processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlcheck.failure import Failure
from rlcheck.report.distributions import Distributions
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
        """Campaign arguments that the subject sets itself."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, in a form that can be sent to other processes."""

    #: Loads the subject in the process that calls it.
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


#: Called now and then during a long step, so that a view can be drawn and results stored.
Listener = Callable[[], None]


def no_listener() -> None:
    """Do nothing: the listener of a step that nobody follows."""


class Engine(Protocol):
    """Runs episodes one step at a time, so that the caller can draw, store or stop in between."""

    #: Why it ended; empty while it runs.
    stopped: str
    #: The failures so far, by place, without exceptions: they can be sent to other processes.
    failures: dict[str, Failure]

    @property
    def note(self) -> str:
        """What the campaign did on its own initiative."""
        ...

    @property
    def sizes(self) -> dict[int, int]:
        """The number of unique valid inputs for each number of choices."""
        ...

    @property
    def distributions(self) -> Distributions:
        """How sizes and labels are distributed."""
        ...

    @property
    def sample(self) -> list[tuple[bool, list[int]]]:
        """Episodes to survey: whether each was valid, and its choices."""
        ...

    def step(self, seconds: float, listener: Listener = no_listener) -> None:
        """Run for about `seconds`; sets `stopped` when the budget is spent.

        An engine that cannot pause runs for longer, and calls `listener` now and then.
        """
        ...

    def snapshot(self) -> Snapshot:
        """The counts so far."""
        ...

    def take(self) -> tuple[bytes, int]:
        """The inputs for the corpus since the last call: a block, and the number of inputs in it."""
        ...

    def close(self) -> None:
        """Release every resource."""
        ...
