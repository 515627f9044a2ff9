"""The store: runs, their progress, failures and inputs, in one SQLite database in `.rlcheck/`.

Every write is a transaction in a write-ahead log: two processes can write at once, and a killed process loses
only what it had not written yet. When the database cannot be used, the store says so once and goes on in
memory.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from rlcheck.errors import ConfigurationError
from rlcheck.failure import Failure
from rlcheck.report import database
from rlcheck.report.blocks import pack_inputs, unpack_inputs
from rlcheck.report.record import Snapshot
from rlcheck.report.schema import (
    CORPUS,
    FAILURE,
    LISTED,
    PROGRESS,
    RUN,
    ListedRun,
    Run,
    StoredFailure,
    Table,
)

T = TypeVar("T")
AnyRun = TypeVar("AnyRun", Run, ListedRun)

FOLDER = ".rlcheck"
_FILE = "runs.db"

_CURE = " Move the file away to start a new one."

#: What a broken database may raise: SQLite does not check everything that it returns.
_BROKEN = (OSError, sqlite3.Error, zlib.error, TypeError, ValueError, RecursionError)

#: The columns that identify a failure, and those that its first occurrence decides.
_FAILURE_KEY, _FAILURE_FIRST = ("target", "place"), ("id", "first_run")


class Store:
    """The database of a folder.

    Args:
        folder: Where it is.
        say: Called with a line when the database cannot be used, and the store goes on in memory. None opens
            it to read only: the database must exist, and errors are raised.
    """

    def __init__(
        self, folder: str | os.PathLike[str] = FOLDER, *, say: Callable[[str], None] | None = None
    ) -> None:
        self.path = Path(folder) / _FILE
        #: Whether what is written outlives the process.
        self.lasting = True
        self._say = say
        if say is None and not self.path.exists():
            raise ConfigurationError(
                f"there are no stored runs in {os.fspath(folder)}. Make one with: rlcheck run TARGET"
            )
        try:
            self._database = database.open_to_read(self.path) if say is None else self._open()
        except _BROKEN as error:
            if say is None:
                raise ConfigurationError(f"{self.path} cannot be read: {error}.{_cure(error)}") from error
            self._database = database.open_in_memory()
            self._go_on_in_memory(error)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def start_run(
        self, target: str, settings: dict[str, Any], versions: dict[str, Any], raced: int | None = None
    ) -> int:
        """Add a run; returns its number."""
        about = {"target": target, "settings": settings, "versions": versions, "started": time.time()}
        return self._write(_insert(RUN, {**about, "raced": raced, "details": {}}))

    def add_progress(self, run: int, snapshot: Snapshot, blocks: Sequence[tuple[bytes, int]] = ()) -> None:
        """Write the progress of a run, and blocks of inputs for its corpus."""
        rows = [_insert(CORPUS, {"run": run, "inputs": inputs, "block": block}) for block, inputs in blocks]
        self._write(_insert(PROGRESS, {"run": run, **snapshot._asdict()}), *rows)

    def set_details(self, run: int, details: dict[str, Any]) -> None:
        """Write what is known about a run that is still running."""
        row = RUN.encode({"details": details, "id": run})
        self._write((f"UPDATE {RUN.name} SET details = :details WHERE id = :id", row))

    def finish_run(
        self, run: int, stopped: str, details: dict[str, Any], policy: Sequence[list[int]]
    ) -> None:
        """Write why a run ended, and what it learned."""
        values = {"stopped": stopped, "details": details, "policy": pack_inputs(policy)}
        changes = ", ".join(f"{name} = :{name}" for name in values)
        row = RUN.encode({**values, "id": run})
        self._write((f"UPDATE {RUN.name} SET {changes} WHERE id = :id", row))

    def add_failure(self, run: int, target: str, failure: Failure) -> None:
        """Write a failure, or count it again: one for each target and place, open again if it was fixed."""
        values = {column.name: getattr(failure, column.name, None) for column in FAILURE.columns}
        values |= {"target": target, "first_run": run, "last_run": run, "fixed": None}
        del values["id"]
        kept = (*_FAILURE_KEY, *_FAILURE_FIRST, "count")
        changes = [f"{name} = excluded.{name}" for name in values if name not in kept]
        statement, row = _insert(FAILURE, values)
        conflict = f"ON CONFLICT ({', '.join(_FAILURE_KEY)}) DO UPDATE SET {', '.join(changes)}"
        self._write((f"{statement} {conflict}, count = count + excluded.count", row))

    def mark_fixed(self, failure: int) -> None:
        """Write that a failure passes again."""
        self._write((f"UPDATE {FAILURE.name} SET fixed = ? WHERE id = ?", (time.time(), failure)))

    def runs(self) -> list[Run]:
        """All runs, the latest first."""
        return self._records(RUN, lambda values: Run(**values), "ORDER BY id DESC")

    def latest(self, most: int) -> list[ListedRun]:
        """The latest runs, without their details."""
        return self._records(LISTED, lambda values: ListedRun(**values), "ORDER BY id DESC LIMIT ?", most)

    def run(self, number: int) -> Run:
        """The run with a number."""
        for run in self._records(RUN, lambda values: Run(**values), "WHERE id = ?", number):
            return run
        raise ConfigurationError(f"run {number} is not in {self.path}. See: rlcheck list")

    def progress(self, run: int) -> list[Snapshot]:
        """The counts of a run at each second."""
        rest = "WHERE run = ? ORDER BY seconds"
        return self._records(PROGRESS, lambda values: Snapshot(**values), rest, run)

    def failures(
        self, *, target: str | None = None, run: int | None = None, number: int | None = None
    ) -> list[StoredFailure]:
        """The failures of a target, a run or a number; all failures if none is given."""
        wanted = {"target": target, "last_run": run, "id": number}
        given = {name: value for name, value in wanted.items() if value is not None}
        rest = "".join(f" AND {name} = ?" for name in given)
        return self._records(FAILURE, StoredFailure, f"WHERE TRUE{rest} ORDER BY id", *given.values())

    def corpus(self, run: int) -> Iterator[list[int]]:
        """The inputs of a run, as choices."""
        query = f"SELECT block FROM {CORPUS.name} WHERE run = ? ORDER BY rowid"
        for block in self._read(lambda row: unpack_inputs(row[0]), query, run):
            yield from block

    def policy(self, run: int) -> list[list[int]]:
        """What a run learned: a sample of its valid inputs."""
        query = f"SELECT policy FROM {RUN.name} WHERE id = ? AND policy IS NOT NULL"
        blocks = self._read(lambda row: unpack_inputs(row[0]), query, run)
        return [choices for block in blocks for choices in block]

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        ignore = self.path.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")
        return database.open_to_write(self.path)

    def _write(self, *rows: tuple[str, Any]) -> int:
        """Write rows in one transaction; returns the number of the last one."""
        try:
            return self._try(rows)
        except _BROKEN as error:
            if not self.lasting or self._say is None:
                raise
            self._go_on_in_memory(error)
            return self._try(rows)

    def _try(self, rows: Sequence[tuple[str, Any]]) -> int:
        with self._database:
            return [self._database.execute(*row).lastrowid or 0 for row in rows][-1]

    def _records(self, table: Table, make: Callable[[dict[str, Any]], T], rest: str, *values: Any) -> list[T]:
        """The records of a table, also of one that an older rlcheck made."""

        def query() -> str:
            return table.select(database.columns_of(self._database, table.name), rest)

        return self._read(lambda row: make(table.decode(row)), query, *values)

    def _read(self, make: Callable[[Any], T], query: str | Callable[[], str], *values: Any) -> list[T]:
        try:
            text = query if isinstance(query, str) else query()
            return [make(row) for row in self._database.execute(text, values)]
        except _BROKEN as error:
            if self._say is None:
                raise ConfigurationError(f"{self.path} cannot be read: {error}.{_CURE}") from error
            if self.lasting:
                self._go_on_in_memory(error)
            return []

    def _go_on_in_memory(self, error: Exception) -> None:
        assert self._say is not None
        self.lasting = False
        with suppress(sqlite3.Error):
            self._database.close()  # It may hold a lock.
        self._database = database.open_in_memory()
        self._say(
            f"{self.path} cannot be used: {error}. The run goes on in memory and is not kept.{_cure(error)}"
        )


def with_rivals(wanted: Sequence[AnyRun], runs: Sequence[AnyRun]) -> list[AnyRun]:
    """The wanted runs, and those that they were compared with."""
    races = {run.raced or run.id for run in wanted}
    numbers = {run.id for run in wanted}
    return sorted(
        (run for run in runs if run.id in numbers or (run.raced or run.id) in races), key=lambda run: run.id
    )


def _insert(table: Table, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return table.insert(values), table.encode(values)


def _cure(error: Exception) -> str:
    text = str(error)
    is_lost = "malformed" in text or "not a database" in text or isinstance(error, database.Foreign)
    return _CURE if is_lost else ""
