"""Processes end with the process that started them, even when that is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from multiprocessing import connection, parent_process

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """End this process when its parent has ended, whatever it is doing then where the system can."""
    parent = parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        # The kernel does it: also when the subject hangs in C and holds the lock of the interpreter.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
