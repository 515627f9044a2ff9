"""Workers as processes of this machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from multiprocessing import connection, get_context
from multiprocessing.sharedctypes import RawArray
from time import perf_counter
from typing import Any

from rlcheck.engines import Plan
from rlcheck.engines.pool import STEP, Crew, Died
from rlcheck.engines.sharing import Lesson
from rlcheck.engines.worker import COUNT, EPISODES, FIRST, VALID, Trade, Worker
from rlcheck.errors import RlcheckError

#: So many choices of the running input are known after a death.
_CHOICES = 10_000

#: Seconds that a worker may take besides its step and one input: it starts, imports, learns from others.
_GRACE = 30.0


def crew(plan: Plan, many: int) -> Crew:
    """So many worker processes as one engine."""
    return Crew(plan, many, hire=ProcessHand, ready=wait)


class ProcessHand:
    """A worker process. It is spawned: it starts alike on every platform, whatever this process has done."""

    def __init__(self, plan: Plan, share: float) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._slot: Any = RawArray("q", FIRST + _CHOICES)
        self._slot[COUNT] = -1
        self._process = context.Process(target=_work, args=(plan, share, theirs, self._slot), daemon=True)
        self._process.start()
        theirs.close()
        self._timeout = plan.timeout
        self._due = float("inf")
        self._traded = False

    def order(self, seconds: float, lessons: Sequence[Lesson], deadly: Sequence[Sequence[int]]) -> None:
        """Have it run a step."""
        if self._timeout is not None:
            # The worker stops a hanging input by itself, unless it hangs outside of Python.
            grace = 0.5 if self._traded else _GRACE
            self._due = perf_counter() + STEP + 2 * self._timeout + grace
        try:
            self._pipe.send((seconds, list(lessons), list(deadly)))
        except OSError:
            pass  # It is gone, and trade() will say so.

    def trade(self) -> Trade:
        """What came of the step."""
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
        self._traded = True
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        """Let it go."""
        self._pipe.close()
        self._process.join(0.2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()

    @property
    def late(self) -> bool:
        """Whether it should have answered by now."""
        return perf_counter() > self._due

    @property
    def waits(self) -> connection.Connection:
        """What becomes readable when it answers, or dies."""
        return self._pipe

    def _died(self, reason: str) -> Died:
        count = self._slot[COUNT]
        choices = None if count < 0 else list(self._slot[FIRST : FIRST + count])
        return Died(reason, choices, self._slot[EPISODES], self._slot[VALID])


def wait(hands: Sequence[Any], seconds: float) -> list[Any]:
    """The hands that have answered, died or hung, after waiting for so long at most."""
    readable = connection.wait([hand.waits for hand in hands], min(seconds, 0.1))
    return [hand for hand in hands if hand.waits in readable or hand.late]


def _reason(code: int | None) -> str:
    """Why a process ended, by its exit code."""
    if code is not None and code < 0:
        try:
            return f"killed the interpreter: {signal.Signals(-code).name}"
        except ValueError:
            return f"killed the interpreter: signal {-code}"
    return f"ended the interpreter with exit code {code}"


def _work(plan: Plan, share: float, pipe: connection.Connection, slot: Any) -> None:
    """The life of a worker process: it ends when nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who gives the orders.
    sys.stdout = sys.stderr  # What a subject prints is not the command's output.
    try:
        worker = Worker(plan, share, slot)
        while True:
            pipe.send(worker.step(*pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except RlcheckError as error:
        pipe.send(str(error))
