"""What is stored outlives kills, and a database that cannot be used is said so once."""

import contextlib
import multiprocessing
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from rlcheck.errors import ConfigurationError
from rlcheck.failure import Failure
from rlcheck.report import database, schema
from rlcheck.report import store as store_module
from rlcheck.report.blocks import pack_inputs, unpack_inputs
from rlcheck.report.record import Snapshot
from rlcheck.report.store import Store

FAILURE = Failure("AssertionError at a.py:1", "AssertionError", [1, 2], input="[1]", snippet="b()")

#: A database that rlcheck wrote before the schema had a version 2, as SQL.
VERSION_1 = Path(__file__).with_name("store_version_1.sql")


def snapshot(seconds, episodes):
    return Snapshot(seconds, episodes, episodes // 2, episodes // 4, 0, 0, 7)


@pytest.fixture
def said():
    return []


@pytest.fixture
def store(tmp_path, said):
    made = Store(tmp_path / ".rlcheck", say=said.append)
    yield made
    made.close()


def test_what_is_written_is_read_back(store, tmp_path):
    number = store.start_run("a.py::b", {"seed": 1}, {"rlcheck": "x"})
    store.add_progress(number, snapshot(1.0, 100))
    store.add_progress(number, snapshot(2.0, 200), [(pack_inputs([[1, 2], [3]]), 2)])
    store.finish_run(number, "episodes", {"looked": 3}, [[1, 2]])
    again = Store(tmp_path / ".rlcheck")
    run = again.run(number)
    assert (run.target, run.settings, run.stopped, run.details) == (
        "a.py::b",
        {"seed": 1},
        "episodes",
        {"looked": 3},
    )
    assert again.progress(number) == [snapshot(1.0, 100), snapshot(2.0, 200)]
    assert list(again.corpus(number)) == [[1, 2], [3]]
    assert again.policy(number) == [[1, 2]]
    again.close()


def test_failures_are_one_for_each_place_and_open_again(store):
    run = store.start_run("a.py::b", {}, {})
    store.add_failure(run, "a.py::b", FAILURE)
    store.add_failure(run, "a.py::b", FAILURE.replace(choices=[0], count=2))
    store.add_failure(run, "a.py::b", FAILURE.replace(place="elsewhere"))
    first, second = store.failures(target="a.py::b")
    assert (first.count, first.choices, first.fixed) == (3, [0], None)
    assert second.place == "elsewhere"
    store.mark_fixed(first.id)
    assert store.failures(number=first.id)[0].fixed is not None
    store.add_failure(run, "a.py::b", FAILURE)
    assert store.failures(number=first.id)[0].fixed is None


def test_processes_that_begin_at_once_write_at_once(tmp_path):
    code = """
import sys
from rlcheck.report.store import Store
store = Store(sys.argv[1], say=print)
for _ in range(25):
    store.start_run("t", {}, {})
"""
    folder = str(tmp_path / "here")
    command = [sys.executable, "-c", code, folder]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [writer.communicate(timeout=600)[0] for writer in writers] == [""] * 4
    made = Store(folder)
    assert len(made.runs()) == 100
    made.close()


def write_until_killed(folder, told):
    store = Store(folder, say=print)
    run = store.start_run("t", {}, {})
    count = 0
    while True:
        count += 1
        store.add_progress(run, snapshot(float(count), count), [(pack_inputs([[count]]), 1)])
        told.send(count)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="starting 50 processes without fork takes too long")
def test_kill_loses_nothing_that_was_written(tmp_path):
    rng = random.Random(0)
    context = multiprocessing.get_context("fork")
    for kill in range(50):
        folder = tmp_path / str(kill % 5)
        ours, theirs = context.Pipe(duplex=False)
        writer = context.Process(target=write_until_killed, args=(folder, theirs))
        writer.start()
        theirs.close()
        last = ours.recv()
        time.sleep(rng.random() * 0.03)
        writer.kill()
        writer.join()
        with contextlib.suppress(EOFError, OSError):
            while True:
                last = ours.recv()
        ours.close()
        store = Store(folder)
        newest = store.runs()[0].id
        kept = [row.episodes for row in store.progress(newest)]
        inputs = list(store.corpus(newest))
        store.close()
        assert len(kept) == len(inputs) >= last
        assert kept == list(range(1, len(kept) + 1))


def test_a_full_disk_is_one_line_and_the_run_goes_on(store, said):
    run = store.start_run("t", {}, {})
    store._database.execute("PRAGMA max_page_count = 20")
    for second in range(200):
        store.add_progress(run, snapshot(float(second), second), [(os.urandom(4_000), 1)])
    assert len(said) == 1
    assert "full" in said[0]
    assert "goes on in memory" in said[0]
    assert not store.lasting
    assert len(store.progress(run)) > 100


def test_a_locked_database_is_one_line(tmp_path, said, monkeypatch):
    monkeypatch.setattr("rlcheck.report.database.PATIENCE", 0.1)
    store = Store(tmp_path, say=said.append)
    other = sqlite3.connect(store.path)
    other.execute("BEGIN IMMEDIATE")
    run = store.start_run("t", {}, {})
    assert len(said) == 1
    assert "locked" in said[0]
    assert store.run(run).target == "t"
    other.close()
    store.close()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, said):
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file", say=said.append)
    assert len(said) == 1
    assert store.start_run("t", {}, {}) == 1
    store.close()


def test_a_read_only_database_is_one_line(store, said):
    store._database.execute("PRAGMA query_only = ON")
    assert store.start_run("t", {}, {}) == 1
    assert len(said) == 1
    assert "readonly" in said[0]


def test_a_database_of_another_version_is_left_alone(tmp_path, said):
    Store(tmp_path, say=said.append).close()
    with sqlite3.connect(tmp_path / "runs.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = (tmp_path / "runs.db").read_bytes()
    Store(tmp_path, say=said.append).close()
    assert "version 99" in said[0]
    assert (tmp_path / "runs.db").read_bytes() == before
    with pytest.raises(ConfigurationError, match="version 99"):
        Store(tmp_path)


def old_database(folder):
    """A database that an earlier rlcheck left."""
    made = sqlite3.connect(folder / "runs.db")
    made.executescript(VERSION_1.read_text())
    made.execute("PRAGMA user_version = 1")
    made.close()
    return folder / "runs.db"


def contents(store):
    """Everything that a store holds."""
    runs = store.runs()
    kept = [(store.progress(run.id), list(store.corpus(run.id)), store.policy(run.id)) for run in runs]
    return runs, kept, [failure.as_json() for failure in store.failures()]


def version_of(path):
    made = sqlite3.connect(path)
    version = made.execute("PRAGMA user_version").fetchone()[0]
    made.close()
    return version


def test_a_database_of_an_earlier_version_is_read_and_upgraded(tmp_path, said):
    path = old_database(tmp_path)
    reader = Store(tmp_path)
    before = contents(reader)
    reader.close()
    assert version_of(path) == 1  # Reading changes nothing.
    (run,), ((progress, inputs, policy),), (failure,) = before
    assert (run.target, run.settings["seed"], run.stopped) == ("t.py::numbers --test small", 1, "episodes")
    assert progress[-1].episodes == 300
    assert len(inputs) == len(policy) == progress[-1].unique_valid
    assert (failure["message"], failure["choices"]) == ("AssertionError: too large", [2, 2, 9, 9])
    writer = Store(tmp_path, say=said.append)
    assert contents(writer) == before
    writer.add_failure(writer.start_run("t", {}, {}), "t", FAILURE)
    writer.close()
    assert (said, version_of(path)) == ([], database.VERSION)


class Extended(NamedTuple):
    """Snapshots of a later version, with one more count."""

    seconds: float
    episodes: int
    valid: int
    unique_valid: int
    overruns: int
    failures: int
    states: int
    more: int = 7


def test_a_column_that_an_older_database_lacks_is_added(tmp_path, said, monkeypatch):
    path = old_database(tmp_path)
    later = schema.Table("progress", Extended, more={"run": int}, index="run")
    tables = [later if table.name == "progress" else table for table in schema.TABLES]
    monkeypatch.setattr(database, "TABLES", tables)
    monkeypatch.setattr(database, "VERSION", 4)
    monkeypatch.setattr(store_module, "PROGRESS", later)
    monkeypatch.setattr(store_module, "Snapshot", Extended)
    for say in (None, said.append, None):  # Read only, then upgraded, then read again.
        opened = Store(tmp_path, say=say)
        assert {row.more for row in opened.progress(1)} == {7}
        opened.close()
    assert (said, version_of(path)) == ([], 4)
    writer = Store(tmp_path, say=said.append)
    writer.add_progress(1, Extended(99.0, 1, 1, 1, 0, 0, 0, more=3))
    assert writer.progress(1)[-1].more == 3
    writer.close()


@pytest.mark.parametrize(
    "mark", ["user_version = 0", "user_version = 1", "user_version = 2", "application_id = 5"]
)
def test_a_database_of_another_program_is_left_alone(tmp_path, said, mark):
    made = sqlite3.connect(tmp_path / "runs.db")
    made.executescript(f"CREATE TABLE run (id INTEGER, name TEXT); PRAGMA {mark};")
    made.close()
    before = (tmp_path / "runs.db").read_bytes()
    Store(tmp_path, say=said.append).close()
    assert "it is not a database of rlcheck" in said[0]
    assert (tmp_path / "runs.db").read_bytes() == before
    with pytest.raises(ConfigurationError, match="it is not a database of rlcheck"):
        Store(tmp_path)


def test_reading_what_is_not_there_says_how_to_make_it(tmp_path):
    with pytest.raises(ConfigurationError, match="Make one with: rlcheck run"):
        Store(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("largest", [3, 255, 256, 2**16, 2**32, 2**64, 2**70])
def test_a_block_is_read_back(largest):
    inputs = [[1, 2, largest], [], [largest - 1], [0] * 300]
    assert unpack_inputs(pack_inputs(inputs)) == inputs


def test_a_block_has_a_checksum():
    broken = bytearray(pack_inputs([[1, 2, 3]] * 50))
    broken[-1] ^= 1
    with pytest.raises(Exception, match="incorrect data check"):
        unpack_inputs(bytes(broken))


def test_what_cannot_be_written_can_be_read(store, tmp_path, monkeypatch):
    store.add_progress(store.start_run("a.py::b", {}, {}), snapshot(1.0, 10))
    reader = Store(tmp_path / ".rlcheck")
    assert len(reader.runs()) == 1  # While it is open elsewhere.
    reader.close()
    store.close()
    connect = sqlite3.connect

    def without_a_log(path, *arguments, **named):
        if "immutable=1" not in path:
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return connect(path, *arguments, **named)

    monkeypatch.setattr(sqlite3, "connect", without_a_log)
    reader = Store(tmp_path / ".rlcheck")
    assert [run.target for run in reader.runs()] == ["a.py::b"]
    reader.close()
