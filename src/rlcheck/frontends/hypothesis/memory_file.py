"""MemoryFile: one file that carries valid inputs of Hypothesis tests from run to run, for a CI cache."""

from __future__ import annotations

import sqlite3
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

from rlcheck.errors import ConfigurationError

#: Marks a file as ours: "rlcm" as a number.
_APPLICATION = 0x726C636D

#: Seconds that a write waits for another process: under pytest-xdist, several share the file.
_PATIENCE = 10.0


class MemoryFile:
    """A store with the methods of a Hypothesis database that `Memory` uses.

    Args:
        path: The file; created if it does not exist.

    Raises:
        ConfigurationError: The file cannot be used, or is not one of ours.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_broken = False
        try:
            with closing(self._open()) as database:
                self._create(database)
        except (sqlite3.Error, OSError) as error:
            raise ConfigurationError(
                f"--rlcheck-memory: {path} cannot be used: {error}. Name another file, or delete this one."
            ) from error

    def fetch(self, key: bytes) -> list[bytes]:
        """The inputs of a test."""
        rows = self._execute("SELECT input FROM inputs WHERE test = ?", key)
        return [value for (value,) in rows if isinstance(value, bytes)]

    def save(self, key: bytes, value: bytes) -> None:
        """Keep an input of a test."""
        self._execute("INSERT OR IGNORE INTO inputs VALUES (?, ?)", key, value)

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget an input of a test."""
        self._execute("DELETE FROM inputs WHERE test = ? AND input = ?", key, value)

    def _open(self) -> sqlite3.Connection:
        # For each use: a test may run in any thread, or fork.
        return sqlite3.connect(self._path, timeout=_PATIENCE)

    def _create(self, database: sqlite3.Connection) -> None:
        """Create the table; refuse a database of another program."""
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        application = database.execute("PRAGMA application_id").fetchone()[0]
        if tables and application != _APPLICATION:
            raise sqlite3.DatabaseError("it is a database of another program")
        with database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS inputs (test BLOB, input BLOB, PRIMARY KEY (test, input))"
            )
            database.execute(f"PRAGMA application_id = {_APPLICATION}")

    def _execute(self, statement: str, *values: bytes) -> list[tuple[Any, ...]]:
        """The rows of a statement. A file that breaks or stays locked costs the memory, and not the test."""
        try:
            with closing(self._open()) as database, database:
                return database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            if not self._is_broken:
                self._is_broken = True
                warnings.warn(f"rlcheck cannot use {self._path}: {error}", stacklevel=2)
            return []
