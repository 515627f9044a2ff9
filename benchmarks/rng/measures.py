"""How programs and search trees fare under guided random numbers, and what a draw costs."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from shutil import which
from subprocess import run as execute
from time import perf_counter
from typing import Any

from benchmarks.rng import trees
from benchmarks.rng.cross_entropy import CrossEntropy
from benchmarks.rng.programs import PROGRAMS, Program
from benchmarks.study import Row, Task
from rlcheck import Coverage, Guide, GuidedRandom, Outcome
from rlcheck.abstractions import CallStack
from rlcheck.errors import Signal
from rlcheck.frontends.random.external import Subject
from rlcheck.rewards import Combine

#: Table 2 of the paper: the call stack with every history of states, actions and rewards.
HISTORIES = ("", "S", "A", "R", "SA", "SR", "AR", "SAR")
ROWS = ("random", *(f"CS-{history}".rstrip("-") for history in HISTORIES))

_ROOT = Path(__file__).parents[2]
_CALLS = 20


def guide_of(row: str, learner: Any, seed: int, **options: Any) -> Guide:
    """The guide of a row of the table."""
    if row == "random":
        return Guide("uniform", seed=seed, **options)
    return Guide(learner, CallStack(history=row[3:]), seed, **options)


def cover(task: Task) -> list[Row]:
    """Count the branches of a program that are covered after this many draws, and its failures."""
    warnings.simplefilter("ignore")  # The programs' own.
    program = PROGRAMS[task.subject]
    failures: set[str] = set()
    with contextlib.suppress(Exception, Signal):
        program.run(GuidedRandom(_started()))  # Imports what it needs.
    with Coverage([program.covers], ordered=True) as coverage:
        guide = guide_of(
            task.method, "rarity", task.seed, reward=Combine(), coverage=coverage, max_choices=2_000
        )
        rng = GuidedRandom(guide)
        made = episodes = 0
        branches = []
        marks = [task.inputs // part for part in (100, 10, 1) if task.inputs // part <= program.draws]
        for mark in marks:
            while made < mark:
                made += _episode(program, rng, guide, failures)
                episodes += 1
            branches.append(len(coverage.covered))
        total = coverage.total
    return [
        {
            "program": task.subject,
            "row": task.method,
            "seed": task.seed,
            "marks": marks,
            "episodes": episodes,
            "branches": branches,
            "total": total,
            "failures": sorted(failures),
        }
    ]


def _episode(program: Program, rng: GuidedRandom, guide: Guide, failures: set[str]) -> int:
    """Run a program once; the number of its draws."""
    episode = guide.start()
    outcome = Outcome.VALID
    try:
        program.run(rng)
    except Signal:
        outcome = Outcome.INVALID
    except (Exception, SystemExit) as error:  # pysource-codegen ends the interpreter where it is stuck.
        outcome = Outcome.FAILED
        failures.add(f"{type(error).__name__}: {error}"[:60])
    guide.finish(outcome)
    return max(1, len(episode.choices))  # One that draws nothing has to end too.


def _started() -> Guide:
    guide = Guide("uniform", seed=0)
    guide.start()
    return guide


def grow(task: Task) -> list[Row]:
    """Measure the success rate of a row on search trees."""
    guide = guide_of(task.method, CrossEntropy(), task.seed, reward="validity")
    shares = trees.success(guide, task.inputs, task.seed)
    row = {"row": task.method, "seed": task.seed, "learner": "cross-entropy", "episodes": task.inputs}
    return [row | {"best": max(shares), "shares": shares}]


def _deep(depth: int, draw: Callable[[], Any]) -> Any:
    return draw() if depth == 0 else _deep(depth - 1, draw)


def costs(task: Task) -> list[Row]:
    """Measure a draw that is made twenty calls deep, and draws of a program that is guided from outside."""
    rows, repeats = [], task.inputs
    for learner in ("uniform", "rarity", "monte-carlo", "diverse"):
        guide = Guide(learner, "call-stack", 0, max_choices=10**9)
        guide.start()
        rng = GuidedRandom(guide)
        taken = _deep(_CALLS, lambda rng=rng: _microseconds(rng.random, repeats))  # type: ignore[misc]
        rows.append({"what": f"`rng.random()`, {learner}", "microseconds": taken})
    stack = CallStack()
    stack.start(sys._getframe())
    # In the same place again, and in frames that were never met: as the first draw of a function, and as a
    # draw at the bottom of twenty new calls.
    rows.append({"what": "state, same frames", "microseconds": _deep(_CALLS, lambda: _same(stack, repeats))})
    plain = _microseconds(lambda: _deep(_CALLS, sys._getframe), repeats)
    fresh = _microseconds(lambda: _deep(_CALLS, lambda: stack.state(sys._getframe())), repeats)
    rows.append({"what": f"state, {_CALLS} new frames", "microseconds": fresh - plain})
    return rows + throughput(2 * repeats)


def _same(stack: CallStack, repeats: int) -> float:
    frame = sys._getframe()
    return _microseconds(lambda: stack.state(frame), repeats)


def _microseconds(function: Callable[[], Any], repeats: int) -> float:
    best = float("inf")
    for _ in range(5):
        started = perf_counter()
        for _ in range(repeats):
            function()
        best = min(best, perf_counter() - started)
    return best / repeats * 1e6


def throughput(draws: int) -> list[Row]:
    """Draws a second of the C client, over pipes and a socket, on one core and two; Linux with `cc` only."""
    compiler = which("cc")
    if compiler is None or not hasattr(os, "sched_setaffinity"):
        return []
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = _ROOT / "tests" / "frontends" / "external" / "subject.c"
        execute([compiler, "-O2", f"-I{_ROOT / 'clients'}", "-o", f"{folder}/subject", source], check=True)
        for cores, socket in product((1, 2), (False, True)):
            rate = _draws_per_second(Path(folder) / "subject", draws, cores, socket=socket)
            where = f"{'socket' if socket else 'pipes'}, {'one core' if cores == 1 else 'two cores'}"
            rows.append({"what": f"C client, {where}", "draws_per_second": rate})
    return rows


def _draws_per_second(program: Path, draws: int, cores: int, *, socket: bool) -> float:
    """How fast a guide and a program take turns on this many cores."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_cores)[:cores])  # The program inherits it.
    try:
        guide = Guide("monte-carlo", seed=0, max_choices=draws + 1)
        guide.start()
        subject = Subject([str(program), str(draws)], socket=socket)
        started = perf_counter()
        subject.run(lambda n, at: guide.choose(range(n), at=at[-1], state=at), float)
        return draws / (perf_counter() - started)
    finally:
        os.sched_setaffinity(0, all_cores)
