"""Killed runs: whatever was stored replays, the database is whole, and no process is left."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.chaos import subject

#: A run is killed at a moment up to this many seconds after its start, and its workers have as long to end.
_LONGEST, _GRACE = 3.0, 5.0


def kill(kills: int, seed: int, workers: int) -> dict[str, Any]:
    """Kill this many runs at random moments; return what was left of them."""
    rng = Random(f"{workers} {seed}")
    found: Counter[str] = Counter()
    for _ in range(kills):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(subject.__file__, folder)
            found.update(_killed(folder, rng, workers))
    return dict(found)


def _killed(folder: str, rng: Random, workers: int) -> Counter[str]:
    command = [sys.executable, "-m", "rlcheck"]
    run = [*command, "run", "subject.py::numbers", "--test", "small", "--seconds", "60"]
    run += ["--workers", str(workers)] if workers else []
    quiet: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(run, **quiet)
    time.sleep(rng.uniform(0.2, _LONGEST))
    children = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + _GRACE
    while any(map(_is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    found = Counter(kills=1, orphans=sum(map(_is_alive, children)))
    path = Path(folder, ".rlcheck/runs.db")
    if not path.exists():
        return found
    with contextlib.closing(sqlite3.connect(path)) as database:
        (whole,) = database.execute("PRAGMA integrity_check").fetchone()
        found["damaged"] += whole != "ok"
        with contextlib.suppress(sqlite3.OperationalError):  # It was killed before there were tables.
            for (number,) in database.execute("SELECT id FROM failure").fetchall():
                found["stored"] += 1
                code = subprocess.run([*command, "replay", f"f{number}"], check=False, **quiet).returncode
                found["lost"] += code != 1
    return found


def _children(parent: int) -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except OSError:
        return []


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
