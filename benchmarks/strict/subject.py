"""Subject: a naive generator, the strict predicate on what it makes, and how to measure that."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from rlcheck.generators import Generator


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested. The generator knows nothing of the predicate, and gives no states."""

    name: str
    generator: Generator[Any]
    valid: Callable[[Any], bool]
    #: The structure of an input, with its leaf values erased.
    shape: Callable[[Any], Hashable]
    size: Callable[[Any], int]
    #: Never looked at while a learner is tuned.
    held_out: bool = False
    #: Packages it imports when it is first used.
    needs: tuple[str, ...] = ()
    #: How many inputs a run makes unless told otherwise.
    inputs: int = 100_000

    @property
    def missing(self) -> list[str]:
        """The packages it needs that are not installed."""
        return [package for package in self.needs if find_spec(package) is None]
