"""The store: runs, their progress, failures and inputs, in one SQLite database in `.rlcheck/`.

Every write is a transaction of its own in a write-ahead log: two processes may write at once, and one that is
killed loses what it had not written yet, never the database. When the database cannot be used, the store says
so once and goes on in memory.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rlcheck.errors import ConfigurationError
from rlcheck.report.blocks import pack, pack_inputs, unpack, unpack_inputs
from rlcheck.report.record import Snapshot

T = TypeVar("T")

FOLDER = ".rlcheck"
_FILE = "runs.db"
_VERSION = 1

_CURE = " Move the file away to begin a new one."

#: What reading or writing a broken database may raise: SQLite does not look at everything it gives back.
_BROKEN = (OSError, sqlite3.Error, zlib.error, TypeError, ValueError, RecursionError)

#: How long a write waits for another process before the store goes on in memory.
_PATIENCE = 2.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, target TEXT NOT NULL, settings BLOB NOT NULL, versions BLOB NOT NULL,
    started REAL NOT NULL, raced INTEGER, stopped TEXT, details BLOB, policy BLOB
);
CREATE TABLE IF NOT EXISTS progress (
    run INTEGER NOT NULL, seconds REAL NOT NULL, episodes INTEGER NOT NULL, valid INTEGER NOT NULL,
    unique_valid INTEGER NOT NULL, overruns INTEGER NOT NULL, failures INTEGER NOT NULL,
    states INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS progress_of_run ON progress (run);
CREATE TABLE IF NOT EXISTS failure (
    id INTEGER PRIMARY KEY, target TEXT NOT NULL, place TEXT NOT NULL, message TEXT NOT NULL,
    choices BLOB NOT NULL, input TEXT NOT NULL, snippet TEXT NOT NULL, count INTEGER NOT NULL,
    isolated INTEGER NOT NULL, first_run INTEGER NOT NULL, last_run INTEGER NOT NULL, fixed REAL,
    UNIQUE (target, place)
);
CREATE TABLE IF NOT EXISTS corpus (run INTEGER NOT NULL, inputs INTEGER NOT NULL, block BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS corpus_of_run ON corpus (run);
"""


class Run(NamedTuple):
    """A stored run."""

    id: int
    target: str
    settings: dict[str, Any]
    versions: dict[str, Any]
    started: float
    #: The run that it was compared with, if any.
    raced: int | None
    #: Why it ended; None while it is running, or when its process was killed.
    stopped: str | None
    #: What a survey found; empty for a run that did not end.
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredFailure:
    """A failure of a target: the first input that failed at its place, shrunk."""

    id: int
    target: str
    place: str
    message: str
    #: The choices that replay it; for a Hypothesis test, the arguments of `reproduce_failure`.
    choices: list[Any]
    input: str
    snippet: str
    count: int
    #: Whether it ended or hung the process: it is replayed in one of its own.
    isolated: bool
    first_run: int
    last_run: int
    #: When it passed again; None while it fails.
    fixed: float | None

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints of it."""
        return {**asdict(self), "id": f"f{self.id}", "fixed": self.fixed is not None}


class Store:
    """The database of a folder.

    Args:
        folder: Where it is.
        say: Given a line when the database cannot be used, and the store goes on in memory. None to read
            only: the database must exist, and what is wrong with it is raised.
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
            self._database = self._open_to_read() if say is None else self._open()
        except _BROKEN as error:
            if say is None:
                raise ConfigurationError(f"{self.path} cannot be read: {error}.{_cure(error)}") from error
            self._go_on_in_memory(error)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def start_run(
        self, target: str, settings: dict[str, Any], versions: dict[str, Any], raced: int | None = None
    ) -> int:
        """Enter a run; its number."""
        values = (target, pack(settings), pack(versions), time.time(), raced)
        return self._write(
            "INSERT INTO run (target, settings, versions, started, raced) VALUES (?, ?, ?, ?, ?)", values
        )

    def add_progress(self, run: int, snapshot: Snapshot, blocks: Sequence[tuple[bytes, int]] = ()) -> None:
        """Keep how far a run is, and blocks of so many inputs that it has found since."""
        progress = f"INSERT INTO progress VALUES ({', '.join('?' * 8)})"
        found = [("INSERT INTO corpus VALUES (?, ?, ?)", (run, inputs, block)) for block, inputs in blocks]
        self._write_all([(progress, (run, *snapshot)), *found])

    def finish_run(
        self, run: int, stopped: str, details: dict[str, Any], policy: Sequence[list[int]]
    ) -> None:
        """Say why a run ended, and what it learned."""
        self._write(
            "UPDATE run SET stopped = ?, details = ?, policy = ? WHERE id = ?",
            (stopped, pack(details), pack_inputs(policy), run),
        )

    def add_failure(self, run: int, failure: dict[str, Any]) -> None:
        """Keep a failure, or count it again: one for each target and place, open again if it was fixed."""
        row = {**failure, "choices": pack(failure["choices"]), "run": run}
        self._write(
            "INSERT INTO failure (target, place, message, choices, input, snippet, count, isolated,"
            " first_run, last_run) VALUES (:target, :place, :message, :choices, :input, :snippet, :count,"
            " :isolated, :run, :run) ON CONFLICT (target, place) DO UPDATE SET message = excluded.message,"
            " choices = excluded.choices, input = excluded.input, snippet = excluded.snippet,"
            " count = count + excluded.count, last_run = excluded.last_run, fixed = NULL",
            row,
        )

    def mark_fixed(self, failure: int) -> None:
        """Say that a failure passes again."""
        self._write("UPDATE failure SET fixed = ? WHERE id = ?", (time.time(), failure))

    def runs(self) -> list[Run]:
        """All runs, the latest first."""
        columns = "id, target, settings, versions, started, raced, stopped, details"
        return self._read(_run, f"SELECT {columns} FROM run ORDER BY id DESC")

    def run(self, number: int) -> Run:
        """The run of a number."""
        for run in self.runs():
            if run.id == number:
                return run
        raise ConfigurationError(f"run {number} is not in {self.path}. See: rlcheck list")

    def progress(self, run: int) -> list[Snapshot]:
        """How far a run was at each second."""
        return self._read(_snapshot, "SELECT * FROM progress WHERE run = ? ORDER BY seconds", run)

    def failures(
        self, *, target: str | None = None, run: int | None = None, number: int | None = None
    ) -> list[StoredFailure]:
        """The failures of a target, a run or a number; all of them when none is given."""
        columns = "id, target, place, message, choices, input, snippet, count, isolated, first_run, last_run"
        wanted = "(?1 IS NULL OR target = ?1) AND (?2 IS NULL OR last_run = ?2) AND (?3 IS NULL OR id = ?3)"
        query = f"SELECT {columns}, fixed FROM failure WHERE {wanted} ORDER BY id"
        return self._read(_failure, query, target, run, number)

    def corpus(self, run: int) -> Iterator[list[int]]:
        """The inputs of a run, as choices."""
        query = "SELECT block FROM corpus WHERE run = ? ORDER BY rowid"
        for block in self._read(lambda row: unpack_inputs(row[0]), query, run):
            yield from block

    def policy(self, run: int) -> list[list[int]]:
        """What a run learned: a sample of its valid inputs."""
        query = "SELECT policy FROM run WHERE id = ? AND policy IS NOT NULL"
        return [
            choices
            for block in self._read(lambda row: unpack_inputs(row[0]), query, run)
            for choices in block
        ]

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        ignore = self.path.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")
        database = sqlite3.connect(self.path, timeout=_PATIENCE)
        try:
            _check_version(database)
            _keep_log(database)
            database.execute("PRAGMA synchronous = NORMAL")
            # Immediate: SQLite waits for others before a transaction, but not in the middle of one.
            database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT")
        except BaseException:
            database.close()
            raise
        return database

    def _open_to_read(self) -> sqlite3.Connection:
        """The database, also where nothing can be written: then without what is only in its log."""
        try:
            return self._opened("mode=ro")
        except sqlite3.OperationalError:
            return self._opened("immutable=1")

    def _opened(self, how: str) -> sqlite3.Connection:
        database = sqlite3.connect(f"{self.path.absolute().as_uri()}?{how}", _PATIENCE, uri=True)
        try:
            _check_version(database)
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
                raise ValueError("it holds no runs yet")
        except BaseException:
            database.close()
            raise
        return database

    def _write(self, statement: str, row: Any) -> int:
        return self._write_all([(statement, row)])

    def _write_all(self, rows: Sequence[tuple[str, Any]]) -> int:
        """Write rows in one transaction; the number of the last one."""
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

    def _read(self, make: Callable[[Any], T], query: str, *values: Any) -> list[T]:
        try:
            return [make(row) for row in self._database.execute(query, values)]
        except _BROKEN as error:
            if self._say is None:
                raise ConfigurationError(f"{self.path} cannot be read: {error}.{_CURE}") from error
            if self.lasting:
                self._go_on_in_memory(error)
            return []

    def _go_on_in_memory(self, error: Exception) -> None:
        assert self._say is not None
        self.lasting = False
        self._say(
            f"{self.path} cannot be used: {error}. The run goes on in memory and is not kept.{_cure(error)}"
        )
        self._database = sqlite3.connect(":memory:")
        self._database.executescript(_SCHEMA)


class _Foreign(ValueError):
    """The database is of another version of rlcheck."""


def _keep_log(database: sqlite3.Connection) -> None:
    """Write ahead, to a log. SQLite does not wait for another process that is about to do the same."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _check_version(database: sqlite3.Connection) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        raise _Foreign(f"it has version {version}, and this rlcheck reads {_VERSION}")


def _cure(error: Exception) -> str:
    text = str(error)
    return _CURE if "malformed" in text or "not a database" in text or isinstance(error, _Foreign) else ""


def _run(row: Sequence[Any]) -> Run:
    number, target, settings, versions, started, raced, stopped, details = row
    known = {} if details is None else unpack(details)
    return Run(
        int(number), str(target), unpack(settings), unpack(versions), float(started), raced, stopped, known
    )


def _snapshot(row: Sequence[Any]) -> Snapshot:
    return Snapshot(float(row[1]), *(int(count) for count in row[2:]))


def _failure(row: Sequence[Any]) -> StoredFailure:
    number, *texts, choices, shown, snippet, count, isolated, first, last, fixed = row
    target, place, message = map(str, texts)
    made = unpack(choices), str(shown), str(snippet), int(count), bool(isolated)
    return StoredFailure(int(number), target, place, message, *made, int(first), int(last), fixed)
