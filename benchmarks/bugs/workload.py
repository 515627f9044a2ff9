"""Workload: an implementation with planted bugs, its properties, and three ways to make its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis.strategies import SearchStrategy

from rlcheck.generators import Generator

#: Takes an implementation and a valid input, and says whether the property holds. It may raise instead.
Property = Callable[[Any, Any], bool]


@dataclass(frozen=True, slots=True)
class Workload:
    """What is tested. All bugs are in one implementation, and at most one of them is active."""

    name: str
    #: Makes the implementation with a bug by its name; "" makes the right one.
    implementation: Callable[[str], Any]
    #: Makes inputs that are seldom valid.
    generator: Generator[Any]
    #: The same inputs, as a user writes them down at first.
    strategy: SearchStrategy[Any]
    valid: Callable[[Any], bool]
    #: Each bug with the properties that it breaks.
    bugs: Mapping[str, tuple[Property, ...]]
    #: Makes valid inputs at once. It finds every bug.
    handwritten: Callable[[Random], Any]
    #: Never looked at while a learner is tuned.
    held_out: bool = False

    @property
    def properties(self) -> dict[str, Property]:
        """All properties by name."""
        return {each.__name__: each for broken in self.bugs.values() for each in broken}

    def tasks(self) -> list[Task]:
        """Each bug with each property that it breaks."""
        return [Task(self, bug, each.__name__) for bug, broken in self.bugs.items() for each in broken]


@dataclass(frozen=True, slots=True)
class Task:
    """A bug, and a property that finds it."""

    workload: Workload
    bug: str
    property: str

    @property
    def name(self) -> str:
        """Bug and property: its name within the workload."""
        return f"{self.bug}/{self.property}"

    def test(self) -> Callable[[Any], None]:
        """Return the test of the property, which fails when an input shows the bug."""
        implementation = self.workload.implementation(self.bug)
        holds = self.workload.properties[self.property]

        def test(value: Any) -> None:
            assert holds(implementation, value)

        return test
