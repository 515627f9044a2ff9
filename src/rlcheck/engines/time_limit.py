"""Time limits for inputs: processor time, so that a busy machine blames nobody, and wall time for waiting."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from types import FrameType
from typing import Any

from rlcheck.failure import TimedOut

#: An input that waits instead of computing has this many times as long, and at least some seconds.
_WAITING, _LEAST = 10.0, 5.0

#: The exit code of a process whose input caught the time-out and went on.
HUNG = 98

#: Whether a running input can be interrupted from inside its process; Windows has no timers.
_CAN_INTERRUPT = hasattr(signal, "setitimer")

_PACKAGE = str(Path(__file__).parent.parent) + os.sep


def wall_limit(seconds: float) -> float:
    """Return how long an input may take by the clock on the wall."""
    return max(_WAITING * seconds, _LEAST)


class TimeLimit:
    """Raises TimedOut in an input that takes too long; only while the subject's own code runs.

    An input that catches it and goes on for as long again ends the process with the code `HUNG`.

    Args:
        seconds: How much processor time an input may use.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._used = self._waited = 0.0
        self._raised: tuple[float, float] | None = None
        if _CAN_INTERRUPT:
            signal.signal(signal.SIGPROF, self._expire)
            signal.signal(signal.SIGALRM, self._expire)

    def restart(self) -> None:
        """Begin with another input."""
        self._used = self._waited = 0.0
        self._raised = None

    def limited(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a function of the subject whose time counts."""
        if not _CAN_INTERRUPT:
            return function

        @functools.wraps(function)
        def run(argument: Any) -> Any:
            computing, waiting = process_time(), perf_counter()
            self._arm()
            try:
                return function(argument)
            finally:
                self._disarm()
                self._used += process_time() - computing
                self._waited += perf_counter() - waiting

        return run

    def _arm(self) -> None:
        """Set both timers to what is left; they repeat, because an input may catch the first signal."""
        tick = max(0.01, self._seconds / 10.0)
        signal.setitimer(signal.ITIMER_PROF, max(1e-4, self._seconds - self._used), tick)
        signal.setitimer(
            signal.ITIMER_REAL, max(1e-4, wall_limit(self._seconds) - self._waited), _LEAST / 10.0
        )

    def _disarm(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _expire(self, number: int, frame: FrameType | None) -> None:
        """End the input, unless our own code runs at this moment: the next signal comes soon."""
        if self._raised is not None:
            computing, waiting = self._raised
            late = process_time() - computing > self._seconds
            if late or perf_counter() - waiting > wall_limit(self._seconds):
                os._exit(HUNG)
            return
        if frame is None or frame.f_code.co_filename.startswith(_PACKAGE):
            return
        self._raised = process_time(), perf_counter()
        raise TimedOut(f"{frame.f_code.co_qualname}, {_relative(frame.f_code.co_filename)}")


def _relative(path: str) -> str:
    try:
        return os.path.relpath(path)
    except (OSError, ValueError):  # The working directory is gone, or is on another drive.
        return path
