"""Programs and search trees under guided random numbers, against plain ones at equal steps.

python -m benchmarks.rng.run
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from shutil import which
from subprocess import run as execute
from time import perf_counter
from typing import Any

from benchmarks import pool, store
from benchmarks.rng import trees
from benchmarks.rng.cross_entropy import CrossEntropy
from benchmarks.rng.programs import Program, available
from rlcheck import Coverage, Guide, GuidedRandom, Outcome
from rlcheck.abstractions import CallStack
from rlcheck.errors import Signal
from rlcheck.frontends.random.external import Subject
from rlcheck.rewards import Combine

#: Table 2 of the paper: the call stack with every history of states, actions and rewards.
HISTORIES = ("", "S", "A", "R", "SA", "SR", "AR", "SAR")
ROWS = ("random", *(f"CS-{history}".rstrip("-") for history in HISTORIES))

#: After how many draws of a program its branches are counted.
MARKS = (1_000, 10_000, 100_000)

_ROOT = Path(__file__).parents[2]
_CALLS = 20


def guide_of(row: str, learner: Any, seed: int, **options: Any) -> Guide:
    """The guide of a row of the table."""
    if row == "random":
        return Guide("uniform", seed=seed, **options)
    return Guide(learner, CallStack(history=row[3:]), seed, **options)


def cover(task: tuple[str, str, int]) -> dict[str, Any]:
    """The branches of a program that are covered after so many draws, and its failures."""
    name, row, seed = task
    warnings.simplefilter("ignore")  # The programs' own.
    program = available()[name]
    failures: set[str] = set()
    with contextlib.suppress(Exception, Signal):
        program.run(GuidedRandom(_started()))  # Imports what it needs.
    with Coverage([program.covers], ordered=True) as coverage:
        guide = guide_of(row, "rarity", seed, reward=Combine(), coverage=coverage, max_choices=2_000)
        rng = GuidedRandom(guide)
        made = episodes = 0
        branches = []
        marks = [mark for mark in MARKS if mark <= program.draws]
        for mark in marks:
            while made < mark:
                made += _episode(program, rng, guide, failures)
                episodes += 1
            branches.append(len(coverage.covered))
        total = coverage.total
    return {
        "program": name,
        "row": row,
        "seed": seed,
        "marks": marks,
        "episodes": episodes,
        "branches": branches,
        "total": total,
        "failures": sorted(failures),
    }


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


def grow(task: tuple[str, int, int]) -> dict[str, Any]:
    """The success rate of a row on search trees."""
    row, seed, episodes = task
    shares = trees.success(guide_of(row, CrossEntropy(), seed, reward="validity"), episodes, seed)
    return {
        "row": row,
        "seed": seed,
        "learner": "cross-entropy",
        "episodes": episodes,
        "best": max(shares),
        "shares": shares,
    }


def _deep(depth: int, draw: Callable[[], Any]) -> Any:
    return draw() if depth == 0 else _deep(depth - 1, draw)


def costs(repeats: int) -> list[dict[str, Any]]:
    """Microseconds of a draw that is made twenty calls deep."""
    rows = []
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
    return rows


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


def throughput(draws: int) -> list[dict[str, Any]]:
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
    """How fast a guide and a program take turns on so many cores."""
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all, and store what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rng.run", description=__doc__)
    parser.add_argument("--program", nargs="+", choices=available(), default=list(available()))
    parser.add_argument("--episodes", type=int, default=400_000, help="of each run on search trees")
    parser.add_argument("--repeats", type=int, default=5, help="seeds of each row")
    parser.add_argument("--only", choices=("costs", "trees", "programs"), help="all of them when not given")
    parser.add_argument("--row", nargs="+", choices=ROWS, default=ROWS, help="rows of the tables")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--name", default="rng", help="the folder of the results")
    options = parser.parse_args(arguments)
    seeds = range(options.repeats)
    if options.only in (None, "costs"):
        store.write(f"{options.name}/costs", [*costs(20_000), *throughput(50_000)])
    if options.only in (None, "trees"):
        growing = [(row, seed, options.episodes) for row in options.row for seed in seeds]
        grown = pool.run(grow, growing, jobs=options.jobs, says=lambda task, _: f"trees {task[0]} {task[1]}")
        store.write(f"{options.name}/trees", grown)
    if options.only in (None, "programs"):
        covering = [(name, row, seed) for name in options.program for row in options.row for seed in seeds]
        covered = pool.run(cover, covering, jobs=options.jobs, says=lambda task, _: " ".join(map(str, task)))
        store.write(f"{options.name}/programs", covered)


if __name__ == "__main__":
    main()
