"""Runs what is to be compared in turns: what else the machine does then slows all of it alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def run(work: Callable[[T], Iterator[R | None]], tasks: Sequence[T]) -> list[R]:
    """The result of each task; `work` yields None at the end of a turn, and its result at last.

    Each task has a process of its own, so that none pays for what another one keeps in memory.
    """
    spawn = get_context("spawn")
    made: dict[int, R] = {}
    with ExitStack() as stack:
        waiting: dict[int, Connection] = {}
        for place, task in enumerate(tasks):
            ours, theirs = spawn.Pipe()
            waiting[place] = stack.enter_context(ours)
            # One that waits for its turn ends when nobody is left to give it one.
            spawn.Process(target=_take_turns, args=(theirs, work, task), daemon=True).start()
            theirs.close()
            ours.recv()
        while waiting:
            for place, connection in list(waiting.items()):
                connection.send(None)
                result = connection.recv()
                if result is not None:
                    made[place] = result
                    del waiting[place]
    return [made[place] for place in range(len(tasks))]


def _take_turns(connection: Connection, work: Callable[[T], Iterator[R | None]], task: T) -> None:
    """Work when it is said so."""
    turns = work(task)
    connection.send(None)
    while True:
        try:
            connection.recv()
        except EOFError:
            return
        result = next(turns)
        connection.send(result)
        if result is not None:
            return
