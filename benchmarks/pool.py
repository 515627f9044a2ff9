"""Runs the tasks of a benchmark in worker processes, and says how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def run(
    measure: Callable[[T], R], tasks: Sequence[T], *, jobs: int, says: Callable[[T, R | None], str]
) -> list[R]:
    """The results in the order of the tasks; a failure or an interrupt keeps those that have ended."""
    made: dict[int, R] = {}
    started = perf_counter()
    # Spawned workers start alike on every platform, whatever threads and caches this process has.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(measure, task): place for place, task in enumerate(tasks)}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                task, failed = tasks[futures[future]], ""
                try:
                    made[futures[future]] = future.result()
                except Exception as error:
                    failed = f" failed with {type(error).__name__}: {error}"
                said = says(task, made.get(futures[future])) + failed
                print(f"{done}/{len(tasks)} runs, {perf_counter() - started:.0f} s: {said}", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    return [made[place] for place in sorted(made)]
