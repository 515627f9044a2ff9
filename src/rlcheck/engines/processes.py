"""Workers as processes on this machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from math import inf
from multiprocessing import connection, get_context
from multiprocessing.sharedctypes import RawArray
from time import perf_counter
from traceback import format_exception
from typing import Any

from rlcheck.engines import Plan
from rlcheck.engines.orphans import end_with_parent
from rlcheck.engines.pool import WorkerDied, WorkerPool
from rlcheck.engines.sharing import Findings
from rlcheck.engines.time_limit import HUNG, wall_limit
from rlcheck.engines.worker import COUNT, EPISODES, FIRST, GENERATING, IDLE, VALID, StepResult, WorkerEngine
from rlcheck.errors import RlcheckError
from rlcheck.failure import printable

#: How many choices of the running input survive a crash.
_CHOICES = 10_000

#: A worker that hears no signal is killed this many seconds after an input should have ended. While it makes
#: an input it has this many times as long: the learner works then, too.
_DEAF, _MAKING = 1.0, 4.0


def process_pool(plan: Plan, workers: int) -> WorkerPool:
    """A pool of worker processes."""
    return WorkerPool(plan, workers, start=ProcessWorker, ready=wait)


class ProcessWorker:
    """A worker process. It is spawned, so that it starts the same way on every platform."""

    def __init__(self, plan: Plan, share: float) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._record: Any = RawArray("q", FIRST + _CHOICES)
        self._record[COUNT] = IDLE
        self._process = context.Process(target=_work, args=(plan, share, theirs, self._record), daemon=True)
        self._process.start()
        theirs.close()
        self._limit = inf if plan.timeout is None else plan.timeout + wall_limit(plan.timeout) + _DEAF
        #: What the worker did when it was last seen to do something else, and when that was.
        self._seen: tuple[int, int] = (0, IDLE)
        self._since = perf_counter()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def begin_step(
        self, seconds: float, findings: Sequence[Findings], fatal: Sequence[Sequence[int]]
    ) -> None:
        """Start a step."""
        try:
            self._pipe.send((seconds, list(findings), list(fatal)))
        except OSError:
            pass  # The worker is gone, as result() will report.

    def result(self) -> StepResult:
        """The result of the step."""
        if not self._pipe.poll() and self.is_late:
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
        """Whether it hangs in an input, and does not end it by itself."""
        doing = (self._record[EPISODES], self._record[COUNT])
        if doing != self._seen:
            self._seen, self._since = doing, perf_counter()
        patience = {IDLE: inf, GENERATING: _MAKING}.get(doing[1], 1.0) * self._limit
        return perf_counter() - self._since > patience

    @property
    def input(self) -> list[int] | None:
        """The choices of the input under test, if there is one."""
        count = self._record[COUNT]
        return None if count < 0 else list(self._record[FIRST : FIRST + count])

    @property
    def connection(self) -> connection.Connection:
        """Becomes readable when the worker answers or dies."""
        return self._pipe

    def _died(self, reason: str) -> WorkerDied:
        made = self._record[EPISODES], self._record[VALID]
        return WorkerDied(reason, self.input, *made, generating=self._record[COUNT] == GENERATING)


def wait(workers: Sequence[Any], seconds: float) -> list[Any]:
    """The workers that have answered, died or hung, after waiting for at most `seconds`."""
    readable = connection.wait([worker.connection for worker in workers], min(seconds, 0.1))
    return [worker for worker in workers if worker.connection in readable or worker.is_late]


def _reason(code: int | None) -> str:
    """Why a process ended, given its exit code."""
    if code == HUNG:
        return "hung, and ignored the time-out: ended after --timeout-per-input"
    if code is not None and code < 0:
        try:
            return f"killed the interpreter: {signal.Signals(-code).name}"
        except ValueError:
            return f"killed the interpreter: signal {-code}"
    return f"ended the interpreter with exit code {code}"


def _work(plan: Plan, share: float, pipe: connection.Connection, record: Any) -> None:
    """Run steps in the worker process until the pool closes the pipe."""
    end_with_parent()
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
    except Exception as error:  # Not the subject's: that would be a failure by now.
        where = "".join(format_exception(error)).rstrip()
        pipe.send(f"a worker failed outside of the subject. This is a bug of rlcheck:\n{printable(where)}")
