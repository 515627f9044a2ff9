"""Workers as processes on this machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from multiprocessing import connection, get_context
from multiprocessing.sharedctypes import RawArray
from time import perf_counter
from typing import Any

from rlcheck.engines import Plan
from rlcheck.engines.pool import STEP, WorkerDied, WorkerPool
from rlcheck.engines.sharing import Findings
from rlcheck.engines.worker import COUNT, EPISODES, FIRST, VALID, StepResult, WorkerEngine
from rlcheck.errors import RlcheckError

#: How many choices of the running input survive a crash.
_CHOICES = 10_000

#: Seconds that a worker may take beyond its step and one input: to start, import and learn from others.
_GRACE = 30.0


def process_pool(plan: Plan, workers: int) -> WorkerPool:
    """A pool of worker processes."""
    return WorkerPool(plan, workers, start=ProcessWorker, ready=wait)


class ProcessWorker:
    """A worker process. It is spawned, so that it starts the same way on every platform."""

    def __init__(self, plan: Plan, share: float) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._record: Any = RawArray("q", FIRST + _CHOICES)
        self._record[COUNT] = -1
        self._process = context.Process(target=_work, args=(plan, share, theirs, self._record), daemon=True)
        self._process.start()
        theirs.close()
        self._timeout = plan.timeout
        self._due = float("inf")
        self._has_answered = False

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def begin_step(
        self, seconds: float, findings: Sequence[Findings], fatal: Sequence[Sequence[int]]
    ) -> None:
        """Start a step."""
        if self._timeout is not None:
            # The worker interrupts a hanging input itself, unless it hangs outside of Python.
            grace = 0.5 if self._has_answered else _GRACE
            self._due = perf_counter() + STEP + 2 * self._timeout + grace
        try:
            self._pipe.send((seconds, list(findings), list(fatal)))
        except OSError:
            pass  # The worker is gone, as result() will report.

    def result(self) -> StepResult:
        """The result of the step."""
        if not self._pipe.poll() and perf_counter() > self._due:
            self._process.kill()
            self._process.join()
            raise self._died("hung outside of Python: killed after --timeout-per-input")
        try:
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(5)
            raise self._died(_reason(self._process.exitcode)) from None
        if isinstance(answer, str):
            raise RlcheckError(answer)
        self._has_answered = True
        return answer  # type: ignore[no-any-return]

    def stop(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join(0.2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()

    @property
    def is_late(self) -> bool:
        """Whether it should have answered by now."""
        return perf_counter() > self._due

    @property
    def connection(self) -> connection.Connection:
        """Becomes readable when the worker answers or dies."""
        return self._pipe

    def _died(self, reason: str) -> WorkerDied:
        count = self._record[COUNT]
        choices = None if count < 0 else list(self._record[FIRST : FIRST + count])
        return WorkerDied(reason, choices, self._record[EPISODES], self._record[VALID])


def wait(workers: Sequence[Any], seconds: float) -> list[Any]:
    """The workers that have answered, died or hung, after waiting for at most `seconds`."""
    readable = connection.wait([worker.connection for worker in workers], min(seconds, 0.1))
    return [worker for worker in workers if worker.connection in readable or worker.is_late]


def _reason(code: int | None) -> str:
    """Why a process ended, given its exit code."""
    if code is not None and code < 0:
        try:
            return f"killed the interpreter: {signal.Signals(-code).name}"
        except ValueError:
            return f"killed the interpreter: signal {-code}"
    return f"ended the interpreter with exit code {code}"


def _work(plan: Plan, share: float, pipe: connection.Connection, record: Any) -> None:
    """Run steps in the worker process until the pool closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one.
    sys.stdout = sys.stderr  # The command's output must not contain what a subject prints.
    try:
        engine = WorkerEngine(plan, share, record)
        while True:
            pipe.send(engine.step(*pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except RlcheckError as error:
        pipe.send(str(error))
