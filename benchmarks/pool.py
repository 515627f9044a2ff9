"""Runs the tasks of a study in worker processes, and says how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def run(
    measure: Callable[[T], R], tasks: Sequence[T], *, jobs: int, fresh: bool = False
) -> Iterator[R | None]:
    """Yield results as they come, None for a task that failed; an interrupt keeps those that have ended.

    Without jobs, all of it runs in this process. With `fresh`, each task has a process of its own.
    """
    started = perf_counter()
    for done, (task, result, failed) in enumerate(_results(measure, tasks, jobs, 1 if fresh else None), 1):
        seconds = perf_counter() - started
        print(f"{done}/{len(tasks)} runs, {seconds:.0f} s: {task}{failed}", file=sys.stderr)
        yield result


def _results(
    measure: Callable[[T], R], tasks: Sequence[T], jobs: int, lifetime: int | None
) -> Iterator[tuple[T, R | None, str]]:
    if not jobs:
        for task in tasks:
            yield task, measure(task), ""
        return
    # Spawned workers start alike on every platform, whatever threads and caches this process has.
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=lifetime) as workers:
        futures = {workers.submit(measure, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result(), ""
                except Exception as error:
                    yield futures[future], None, f" failed with {type(error).__name__}: {error}"
        except KeyboardInterrupt:
            workers.shutdown(cancel_futures=True)
