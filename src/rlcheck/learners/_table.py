"""A table with a row for each state; when it is full, it is emptied."""

from __future__ import annotations

from collections.abc import Callable, ItemsView
from typing import Generic, TypeAlias, TypeVar

from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import State

R = TypeVar("R")

#: A choice point, a state, and how many options there are.
Key: TypeAlias = tuple[ChoicePoint, State, int]


class Table(Generic[R]):
    """Rows that are created when they are first used.

    Args:
        make: Creates a row for a number of options.
        max_states: The most rows; when there are more, all are forgotten.
    """

    __slots__ = ("_make", "_most", "_rows")

    def __init__(self, make: Callable[[int], R], max_states: int) -> None:
        if max_states < 1:
            raise ConfigurationError(f"max_states={max_states!r} must be at least 1.")
        self._most = max_states
        self._make = make
        self._rows: dict[Key, R] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def items(self) -> ItemsView[Key, R]:
        """All rows by key."""
        return self._rows.items()

    def row(self, point: ChoicePoint, state: State, n: int) -> R:
        """Return the row of a state."""
        key = (point, state, n)
        row = self._rows.get(key)
        if row is None:
            if len(self._rows) >= self._most:
                self._rows.clear()
            row = self._rows[key] = self._make(n)
        return row
