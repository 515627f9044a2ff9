"""Memory: valid inputs that a Hypothesis test keeps for its next run, in its database or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlcheck.frontends.hypothesis.compat import (
    ExampleDatabase,
    Execution,
    choices_from_bytes,
    choices_to_bytes,
)
from rlcheck.frontends.hypothesis.memory_file import MemoryFile

#: How many valid inputs a test keeps, if it rejects more than it accepts.
_KEPT = 50


class Memory:
    """The entries of one test; always empty without a database."""

    def __init__(self, database: ExampleDatabase | MemoryFile | None, key: bytes) -> None:
        self._database = database
        self._key = key
        self._kept: set[bytes] = set()

    @property
    def is_empty(self) -> bool:
        """Whether the last run kept nothing."""
        return self._database is None or not any(self._database.fetch(self._key))

    def recall(self) -> list[list[Any]]:
        """The inputs that the last run kept."""
        if self._database is None:
            return []
        found = []
        for encoded in sorted(self._database.fetch(self._key)):
            choices = choices_from_bytes(encoded)
            if choices is None:
                self._database.delete(self._key, encoded)
            else:
                self._kept.add(encoded)
                found.append(list(choices))
        return found

    def keep(self, choices: Sequence[Any]) -> None:
        """Keep an input for the next run."""
        if self._database is not None and len(self._kept) < _KEPT:
            encoded = choices_to_bytes(choices)
            self._kept.add(encoded)
            self._database.save(self._key, encoded)

    def check(self, replayed: Sequence[Any], drawn: Sequence[Any] | None) -> None:
        """Forget a replayed input unless it was drawn exactly as recorded, and is still valid."""
        if self._database is not None and replayed:
            encoded = choices_to_bytes(replayed)
            if encoded in self._kept and (drawn is None or encoded != choices_to_bytes(drawn)):
                self._kept.remove(encoded)
                self._database.delete(self._key, encoded)


def memory_of(execution: Execution, file: MemoryFile | None) -> Memory:
    """The memory of the test that is running: in a file if there is one, or in Hypothesis' database."""
    if file is not None:
        return Memory(file if execution.may_remember else None, execution.digest)
    return Memory(execution.database, execution.database_key + b".rlcheck")
