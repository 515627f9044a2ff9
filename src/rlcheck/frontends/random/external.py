"""Programs in other languages: their draws come over a line protocol, and a guide answers.

docs/reference/protocol.md describes the messages; `clients/` has the other side in several languages.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from rlcheck.checks import check_integer, check_positive
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError, Overrun, ProtocolError, ReplayError
from rlcheck.files import write_file
from rlcheck.frontends.random.channel import (
    Channel,
    Pipes,
    Silence,
    Socket,
    check_system,
    end_of,
    hello,
    no_hello,
    request_of,
)
from rlcheck.frontends.random.recording import read_actions, write_actions
from rlcheck.guide import Guide

#: Tells a subject where the guide is: `fd:R,W`, `unix:PATH`, or the path of a recording.
VARIABLE = "RLCHECK_GUIDE"

#: How failed runs end; the others end in "pass", "invalid" or "overrun".
_FAILED = ("fail", "crash", "silent")

#: How many bytes of the subject's output are kept with a failure.
_LOG = 2**16

#: Seconds to wait for the rest of the output, when the subject has ended.
_DRAIN = 2.0

#: How many failing runs are kept.
_KEPT = 100

#: Gives the index of one of n options in a state, whose last part is the place of the draw.
Answer = Callable[[int, tuple[str, ...]], int]


class Run:
    """How one run of a subject ended."""

    def __init__(self) -> None:
        #: The number of options of each draw, and the index of the option taken.
        self.pairs: list[tuple[int, int]] = []
        #: "pass", "fail", "invalid", "crash", "silent" or "overrun".
        self.ended = ""
        #: The end of the subject's output.
        self.log = ""


class Subject:
    """A command that runs again and again, each time in its own process group.

    Args:
        command: The program and its arguments.
        timeout: Seconds without a message after which the subject is killed.
        socket: Whether to use a Unix socket instead of inherited pipes.
    """

    def __init__(self, command: Sequence[str], *, timeout: float = 10.0, socket: bool = False) -> None:
        check_system(socket=socket)
        if not command or shutil.which(command[0]) is None:
            raise ConfigurationError(f"command={list(command)!r} must begin with a program that can be run.")
        self.command = list(command)
        self.timeout = check_positive("timeout", timeout)
        self.socket = socket

    def run(self, answer: Answer, covered: Callable[[float], None], *, ahead: int = 1) -> Run:
        """Run it once; `answer` answers its draws, and `covered` receives its coverage so far.

        A subject that asks for answers ahead gets up to `ahead` of them at a time.
        """
        made = Run()
        channel: Channel = Socket(self.timeout) if self.socket else Pipes(self.timeout)
        printed = None
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, VARIABLE: channel.address},
                pass_fds=channel.inherited,
                start_new_session=True,
            )
            printed = _Printed(process)
            channel.accept(process)
            made.ended = _talk(channel, made, answer, covered, ahead)
            if made.ended != "fail":
                crashed = process.wait(self.timeout) != 0
                made.ended = "crash" if crashed else made.ended or "pass"
        except (Silence, subprocess.TimeoutExpired):
            made.ended = "silent"
        except Overrun:
            made.ended = "overrun"
        finally:
            channel.close()
            if printed is not None:
                _kill(process)
                made.log = printed.end()
        return made


class _Printed:
    """Reads what a subject prints, and keeps the end of it: its output may have any size."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._tail = b""
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while part := os.read(pipe.fileno(), _LOG):
                self._tail = (self._tail + part)[-_LOG:]

    def end(self) -> str:
        """Return the end of what was printed, without waiting for a process that escaped its group."""
        self._reader.join(_DRAIN)
        return self._tail.decode(errors="replace")


def _talk(
    channel: Channel, run: Run, answer: Answer, covered: Callable[[float], None], most_ahead: int
) -> str:
    """Answer messages until one says how the run ended; returns "" if the subject stops without one."""
    given: list[tuple[int, Iterator[int]]] = []
    try:
        line = channel.receive()
        if not line:
            raise no_hello()
        channel.send(hello(line))
        while line := channel.receive():
            if line.isdigit():
                run.pairs.append(_taken(given, line))
                continue
            ended = end_of(line)
            if ended is not None:
                covered(ended[1])
                return ended[0]
            n, state, ahead, coverage = request_of(line)
            covered(coverage)
            indices = [answer(n, state) for _ in range(min(ahead, most_ahead))]
            run.pairs.append((n, indices[0]))
            given.append((n, iter(indices[1:])))
            what = b'{"action": %d}\n' % indices[0]
            channel.send(what if len(indices) == 1 else b'{"actions": %s}\n' % str(indices).encode())
    except ProtocolError as error:
        channel.send(json.dumps({"error": str(error)}).encode() + b"\n")
        raise
    return ""


def _taken(given: list[tuple[int, Iterator[int]]], line: bytes) -> tuple[int, int]:
    """The number of options and the index of a draw that was answered ahead."""
    number = int(line[:20])
    if number < len(given):
        n, left = given[number]
        for index in left:
            return n, index
    raise ProtocolError(f"the draw {line[:80]!r} has no answer left.")


def guide(
    command: Sequence[str],
    *,
    learner: str | None = None,
    seed: int = 0,
    episodes: int = 100,
    timeout: float = 10.0,
    max_choices: int = 100_000,
    ahead: int = 1,
    socket: bool = False,
    record: str | os.PathLike[str] = ".rlcheck/guide",
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Run a command under a guide that learns; returns how many runs failed.

    New coverage that the subject reports rewards its draws at once. The last run is written to
    `last.jsonl` in the folder `record`, and failing runs to `failed-NUMBER.jsonl` and `.log`. `ahead` is how
    many draws of one place may be answered at a time, if the client asks for it: above 1, a draw is far
    cheaper, and what is learned takes effect later.
    """
    check_integer("episodes", episodes)
    check_integer("ahead", ahead)
    subject = Subject(command, timeout=timeout, socket=socket)
    driver = Guide(learner, seed=seed, max_choices=max_choices, reward="validity")
    folder = Path(record)
    covered = _Covered(driver)
    failed = 0
    for number in range(episodes):
        run = _episode(driver, subject, covered, ahead)
        _write(folder / "last.jsonl", subject, run, number, seed)
        if run.ended in _FAILED:
            failed += 1
            if failed <= _KEPT:
                kept = folder / f"failed-{number}.jsonl"
                _write(kept, subject, run, number, seed)
                write_file(kept.with_suffix(".log"), run.log)
                say(f"run {number}: {run.ended} after {len(run.pairs)} draws; rlcheck replay {kept}")
    say(f"{episodes:,} runs, {failed:,} failed; seed {seed}; the last run is in {folder / 'last.jsonl'}")
    return failed


class _Covered:
    """Rewards the running episode for coverage that no run had before."""

    def __init__(self, driver: Guide) -> None:
        self._driver = driver
        self._best = 0.0

    def __call__(self, value: float) -> None:
        """Reward new coverage."""
        if value > self._best:
            self._driver.reward(value - self._best)
            self._best = value


def _episode(driver: Guide, subject: Subject, covered: _Covered, ahead: int) -> Run:
    driver.start()
    try:
        run = subject.run(
            lambda n, state: driver.choose(range(n), at=state[-1], state=state), covered, ahead=ahead
        )
    except BaseException:
        driver.abandon()
        raise
    failed = run.ended in _FAILED
    driver.finish(Outcome.FAILED if failed else Outcome.VALID if run.ended == "pass" else Outcome.INVALID)
    return run


def replay(
    path: str | os.PathLike[str], *, timeout: float = 10.0, say: Callable[[str], None] = lambda line: None
) -> int:
    """Run the command of a recording again with its draws; returns 1 if it failed, else 0."""
    actions = read_actions(path)
    command = actions.header.get("command")
    if not isinstance(command, list) or not all(isinstance(part, str) for part in command):
        raise ReplayError(
            f"path={os.fspath(path)!r} names no command. It was recorded by rlcheck.guided_random: replay it"
            f" in the program with rlcheck.guided_random(replay={os.fspath(path)!r})."
        )
    subject = Subject(command, timeout=timeout, socket=actions.header.get("socket") is True)
    run = subject.run(lambda n, state: actions.next(n), lambda value: None)
    say(run.log.rstrip("\n"))
    if run.ended in ("pass", "invalid", "fail"):
        actions.check_finished()
    say(f"replayed {len(run.pairs)} of {len(actions.pairs)} draws: {run.ended}")
    return int(run.ended in _FAILED)


def _write(path: Path, subject: Subject, run: Run, number: int, seed: int) -> None:
    header = {"command": subject.command, "socket": subject.socket, "run": number, "seed": seed}
    write_actions(path, run.pairs, **header, ended=run.ended)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the subject and every process that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
