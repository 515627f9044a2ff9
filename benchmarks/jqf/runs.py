"""One run of Zest, of JQF's blind random mode, or of one of our learners; and the replay of what it kept."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.jqf.install import ALL, BASE, REPLAY, SUBJECTS, jars, jqf_path, own_path
from benchmarks.study import Row, Task

ZEST, BLIND = "zest", "random"
LEARNERS = ("monte-carlo", "diverse")
METHODS = (ZEST, BLIND, *LEARNERS)
_MACHINE = ("-XX:+UseSerialGC", "-Xmx2g", "-Xss4m")
#: Classes that note branches have no stack maps.
_UNVERIFIED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")


def test_of(subject: str) -> str:
    """Return the name of a subject's test class."""
    return f"{subject.capitalize()}Test"


def measure(task: Task) -> list[Row]:
    """Fuzz for so much processor time, and replay every valid input on the copy that notes branches."""
    memory = Path("/dev/shm")  # Ant reads files only: one in memory costs least.
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        log = Path(folder) / "log"
        log.touch()
        inputs = (
            _jqf(task, log, Path(folder) / "results") if task.method in (ZEST, BLIND) else _guided(task, log)
        )
        counts, faults = replay(task.subject, log)
    row: Row = {"subject": task.subject, "method": task.method, "seed": task.seed, "seconds": task.seconds}
    return [row | inputs | counts | {"faults": faults}]


def _limited(seconds: float) -> None:
    """End the process once it has used its processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 2))


def _jqf(task: Task, log: Path, results: Path) -> Row:
    """Run ZestCLI; it stops by the clock, and here its processor time is over first."""
    blind = ["-b"] if task.method == BLIND else []
    command = [
        "java",
        *_MACHINE,
        f"-Drlcheck.log={log}",
        f"-Djava.io.tmpdir={log.parent}",
        "-cp",
        jqf_path(),
        "edu.berkeley.cs.jqf.fuzz.ei.ZestCLI",
    ]
    command += [*blind, "-d", "1h", "-o", str(results), own_path(), test_of(task.subject), "test"]
    subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: _limited(task.seconds),
        check=False,
    )
    last = (results / "plot_data").read_text().splitlines()[-1].split(",")
    return {"valid": int(last[11]), "invalid": int(last[12])}


def _guided(task: Task, log: Path) -> Row:
    command = [sys.executable, "-m", "benchmarks.jqf.guided", task.subject, task.method, str(task.seed)]
    done = subprocess.run(
        [*command, str(task.seconds), str(log)], env=os.environ, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{task}: {done.stderr[-2_000:]}")
    invalid, valid, failed = map(int, done.stdout.split())
    return {"valid": valid + failed, "invalid": invalid}


def replay(subject: str, log: Path) -> tuple[Row, dict[str, float]]:
    """Return what the inputs of a log cover, and the faults with the seconds until each was found."""
    path = ":".join([str(REPLAY), str(BASE), own_path(noting=SUBJECTS[subject][0]), jars(ALL)])
    command = [
        "java",
        *_MACHINE,
        *_UNVERIFIED,
        f"-Djava.io.tmpdir={log.parent}",
        "-cp",
        path,
        "Replay",
        test_of(subject),
        str(log),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, *rest = done.stdout.splitlines()
    unique, branches, traces = map(int, first.split())
    faults = {name: int(time) / 1e3 for time, name in (line.split(" ", 1) for line in rest)}
    return {"unique": unique, "branches": branches, "traces": traces}, faults
