"""Opens the database of the store: creates it, upgrades an older one, and refuses what is not its own."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from rlcheck.report.schema import TABLES

#: The version of the schema. When a record gets a column with a default, add 1: older databases are upgraded.
#: Version 2 marks the file as one of rlcheck, version 3 counts branches.
VERSION = 3

#: Marks a database of rlcheck: "rlck" as a number.
_APPLICATION = 0x726C636B

#: Seconds that a write waits for another process.
PATIENCE = 2.0


class Foreign(ValueError):
    """The database belongs to another program, or to a newer rlcheck."""


def open_to_write(path: Path) -> sqlite3.Connection:
    """The database, created or upgraded if necessary."""
    database = sqlite3.connect(path, timeout=PATIENCE)
    try:
        if check(database) < VERSION:
            _write_ahead(database)
            _upgrade(database)
        else:
            _write_ahead(database)
        database.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """The database, also where nothing can be written: then without what is only in its log."""
    try:
        return _open_to_read(path, "mode=ro")
    except sqlite3.OperationalError:
        return _open_to_read(path, "immutable=1")


def open_in_memory() -> sqlite3.Connection:
    """An empty database that nothing outlives."""
    database = sqlite3.connect(":memory:")
    _upgrade(database)
    return database


def check(database: sqlite3.Connection) -> int:
    """The version of a database, 0 for an empty one; raises if it is not one of ours, or newer."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = {table.name for table in TABLES} <= tables
    # Version 1 did not mark the file.
    is_marked = application == _APPLICATION or (application == 0 and version == 1 and ours)
    if tables and not is_marked:
        raise Foreign("it is not a database of rlcheck")
    if version > VERSION:
        raise Foreign(f"a newer rlcheck wrote it: it has version {version}, and this rlcheck reads {VERSION}")
    return version


def columns_of(database: sqlite3.Connection, table: str) -> set[str]:
    """The names of the columns that a table has."""
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


def _open_to_read(path: Path, how: str) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", timeout=PATIENCE, uri=True)
    try:
        if not check(database):
            raise ValueError("it holds no runs yet")
    except BaseException:
        database.close()
        raise
    return database


def _upgrade(database: sqlite3.Connection) -> None:
    """Create what is missing, in one transaction: tables, and columns that an older version did not have."""
    # Immediate: SQLite waits for others before a transaction, but not in the middle of one.
    database.execute("BEGIN IMMEDIATE")
    with database:
        check(database)  # Another process may have upgraded it meanwhile.
        for table in TABLES:
            present = columns_of(database, table.name)
            for column in table.all if present else ():
                if column.name not in present:
                    database.execute(f"ALTER TABLE {table.name} ADD COLUMN {column.definition}")
            for statement in filter(str.strip, table.create().split(";")):
                database.execute(statement)
        database.execute(f"PRAGMA application_id = {_APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")


def _write_ahead(database: sqlite3.Connection) -> None:
    """Write to a log first. SQLite does not wait for another process that is about to do the same."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
