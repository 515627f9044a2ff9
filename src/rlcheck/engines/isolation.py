"""Isolation: runs one call in its own process, because it may crash or hang."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import connection, get_context
from typing import Any

from rlcheck.engines.orphans import end_with_parent


def isolated(function: Callable[..., Any], *arguments: Any, seconds: float | None) -> tuple[bool, Any]:
    """Whether the call returned, and what it returned; otherwise the reason why it did not."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_call, args=(theirs, function, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return False, f"no end after {seconds:g} s"
        return True, ours.recv()
    except EOFError:
        process.join()
        return False, f"exit code {process.exitcode}"
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()


def _call(pipe: connection.Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    end_with_parent()
    pipe.send(function(*arguments))
