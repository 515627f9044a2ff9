"""Damaged files: each kind of file is mutated, and read as a user would read it.

A reader may accept a mutated file, or refuse it with one clear line. Anything else counts against it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import sqlite3
import tempfile
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.chaos import subject
from rlcheck import Campaign, GuidedRandom
from rlcheck.cli.main import main
from rlcheck.errors import RlcheckError
from rlcheck.failure import message_of, place_of
from rlcheck.frontends.random import channel
from rlcheck.frontends.random.recording import read_actions, write_actions

#: The most seconds that reading a file may take.
LIMIT = 10

#: Tokens that JSON and SQL readers trip over.
_TOKENS = [
    *("NaN", "Infinity", "-Infinity", "1e999", "null", "true", "[]", "{}", '""', "-1", "0", "9" * 400),
    *("1e-999", '"\\ud800"', "[" * 2_000, "18446744073709551616", '"__class__"', "\x00", "é"),
]


def _policy(folder: Path) -> Path:
    campaign = Campaign(subject.numbers, seed=0)
    campaign.run(50)
    campaign.save(folder / "policy.json")
    return folder / "policy.json"


def _read_policy(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Campaign(subject.numbers, policy=path, seed=0).run(5)


def _database(folder: Path) -> Path:
    shutil.copy(subject.__file__, folder)
    main(["run", "subject.py::numbers", "--test", "small", "--episodes", "300", "--seed", "0"])
    with contextlib.closing(sqlite3.connect(folder / ".rlcheck/runs.db")) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return folder / ".rlcheck/runs.db"


def _read_database(path: Path) -> None:
    commands = [["list"], ["show", "1"], ["show", "f1", "--json"], ["report", "-o", "out.html"]]
    commands.append(["run", "subject.py::numbers", "--test", "small", "--episodes", "5", "--seed", "0"])
    for command in commands:
        main(command)


def _actions(folder: Path) -> Path:
    write_actions(folder / "actions.jsonl", [(6, 2), (10, 9), (2**60, 5)] * 5, command=["true"])
    return folder / "actions.jsonl"


def _read_actions(path: Path) -> None:
    rng = GuidedRandom(read_actions(path))
    rng.randrange(6)


def _replay(folder: Path) -> Path:
    shutil.copy(subject.__file__, folder)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        main(["run", "subject.py::numbers", "--test", "small", "--episodes", "300", "--json", "--no-save"])
    (folder / "failures.json").write_text(told.getvalue())
    return folder / "failures.json"


def _read_replay(path: Path) -> None:
    main(["replay", path.name])


def _checkpoint(folder: Path) -> Path:
    from rlcheck.learners.deep.dqn import Dqn

    learner = Dqn(seed=0)
    Campaign(subject.numbers, learner=learner, seed=0).run(30)
    learner.save(folder / "dqn.pt")
    return folder / "dqn.pt"


def _read_checkpoint(path: Path) -> None:
    from rlcheck.learners.deep.dqn import Dqn

    Campaign(subject.numbers, learner=Dqn.load(path), seed=0).run(3)


def _protocol(folder: Path) -> Path:
    lines = [{"rlcheck": 1}, {"n": 6, "state": ["a", "end"], "coverage": 3}, {"end": "pass", "coverage": 4}]
    (folder / "stream").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "stream"


def _read_protocol(path: Path) -> None:
    first, *rest = path.read_bytes().removesuffix(b"\n").split(b"\n")
    channel.hello(first)
    for line in rest:
        if channel.end_of(line) is None:
            channel.request_of(line)


#: How a file of each kind is made, and how it is read.
KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], None]]] = {
    "policy": (_policy, _read_policy),
    "database": (_database, _read_database),
    "action log": (_actions, _read_actions),
    "replay file": (_replay, _read_replay),
    "checkpoint": (_checkpoint, _read_checkpoint),
    "protocol": (_protocol, _read_protocol),
}


def mutated(content: bytes, rng: Random) -> bytes:
    """Return content with one to eight mutations."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        place = rng.randrange(len(data) + 1)
        length = min(len(data) - place, rng.choice((0, 1, 4, 16, 200)))
        way = rng.randrange(6)
        if way == 0 and place < len(data):
            data[place] ^= 1 << rng.randrange(8)
        elif way == 1:
            data[place : place + length] = b""
        elif way == 2:
            data[place : place + length] = rng.choice(_TOKENS).encode("utf-8", "surrogatepass")
        elif way == 3:
            data[place:place] = data[place : place + length] * rng.choice((1, 2, 50))
        elif way == 4:
            data[place : place + length] = rng.randbytes(length)
        else:
            _replace_number(data, rng)
    return bytes(data)


def _replace_number(data: bytearray, rng: Random) -> None:
    """Put a token in place of a number or a word of JSON."""
    starts = [place for place in range(len(data)) if chr(data[place]) in "0123456789" and rng.random() < 0.1]
    if starts:
        start = end = rng.choice(starts)
        while end < len(data) and chr(data[end]) in "0123456789":
            end += 1
        data[start:end] = rng.choice(_TOKENS).encode("utf-8", "surrogatepass")


def _change_column(path: Path, rng: Random) -> None:
    """Put a value that does not belong there into a column of a database."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = rng.choice(tables)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        with contextlib.suppress(sqlite3.Error):
            database.execute(f"UPDATE {table} SET {rng.choice(columns)} = ?", (rng.choice(_VALUES),))


_PACKED = zlib.compress(b"[[[[]]]]")
_VALUES = [
    *(9e999, -9e999, 1e300, -1e300, 2**63 - 1, -(2**63), 0, -1, None, "", "x", "[]", "{}", "null", '"a"'),
    *('{"a": 1}', "[1, 2]", b"", b"\x00", _PACKED, zlib.compress(b"\x00" * 2**28), "é\x00"),
]


def _change_tensor(path: Path, rng: Random) -> None:
    """Put something else in place of a part of a checkpoint."""
    import torch

    data = torch.load(path, weights_only=True)
    place: Any = data
    while True:
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        inside = place[key]
        if not isinstance(inside, dict | list) or not inside or rng.random() < 0.2:
            break
        place = inside
    odd = [
        None,
        -1,
        10**30,
        "x",
        [],
        {},
        torch.zeros(0),
        torch.full((3, 3), float("nan")),
        torch.ones(2, 2, 2),
    ]
    place[key] = rng.choice(odd)
    torch.save(data, path)


#: Kinds that are also changed in ways that need to know their format.
_CHANGES = {"database": _change_column, "checkpoint": _change_tensor}


class TooLate(BaseException):
    """Reading a file took too long."""


def damage(kind: str, files: int, seed: int) -> dict[str, Any]:
    """Read this many mutated files of a kind; return what came of them."""
    make, read = KINDS[kind]
    rng = Random(f"{kind} {seed}")
    found: Counter[str] = Counter()
    worst, slowest = "", 0.0
    signal.signal(signal.SIGALRM, _expire)
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as name, _quietly():
        os.chdir(name)
        try:
            path = make(Path(name))
            content = path.read_bytes()
            for number in range(files):
                for rest in path.parent.glob(f"{path.name}-*"):
                    rest.unlink()  # What SQLite left of the last one.
                if kind in _CHANGES and number % 2:
                    path.write_bytes(content)
                    _CHANGES[kind](path, rng)
                else:
                    path.write_bytes(mutated(content, rng))
                started = perf_counter()
                came = _outcome(read, path)
                slowest = max(slowest, perf_counter() - started)
                if came not in ("accepted", "refused"):
                    worst = worst or f"file {number}: {came}"
                    came = "hang" if came == "hang" else "traceback"
                found[came] += 1
        finally:
            os.chdir(home)
    return {**found, "slowest": round(slowest, 2), "first": worst, "megabytes": _peak()}


def _outcome(read: Callable[[Path], None], path: Path) -> str:
    signal.alarm(LIMIT)
    try:
        read(path)
    except TooLate:
        return "hang"
    except (RlcheckError, SystemExit):
        return "refused"
    except Exception as error:
        return f"{place_of(error)}: {message_of(error)}"[:300]
    finally:
        signal.alarm(0)
    return "accepted"


def _expire(number: int, frame: object) -> None:
    raise TooLate


@contextlib.contextmanager
def _quietly() -> Any:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
