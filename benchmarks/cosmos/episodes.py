"""Runs of the Cosmos SDK's simulation under a guide: the rows of DeepRNG's Table 2."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from typing import Any

from benchmarks.cosmos.install import PROGRAM
from benchmarks.cosmos.streams import Streams
from benchmarks.rng.cross_entropy import CrossEntropy
from benchmarks.rng.measures import ROWS
from benchmarks.study import Row, Task
from rlcheck import Guide, Outcome
from rlcheck.frontends.random.external import Run, Subject

#: Without a guide: the SDK's own random numbers, with another seed for each chain.
DEFAULT = "default"
METHODS = (DEFAULT, *ROWS)
#: What is tried on the row CS.
LEARNERS: dict[str, Callable[[], Any]] = {
    "streams": Streams,
    "cross-entropy": lambda: CrossEntropy(step_size=0.05),
    **{
        name: lambda name=name: name
        for name in ("uniform", "monte-carlo", "sarsa-lambda", "diverse", "zest", "rarity", "swarm")
    },
}
#: The size of a chain; the paper has 50 blocks of 20 operations.
BLOCKS, OPERATIONS = 10, 10
_RECENT = 2
_LONGEST = 50_000
_OUTCOMES = {"pass": Outcome.VALID, "invalid": Outcome.INVALID, "overrun": Outcome.INVALID}


def command(chain: int = 42) -> list[str]:
    """Return the program that runs one chain."""
    sizes = ["-blocks", str(BLOCKS), "-operations", str(OPERATIONS), "-chain", str(chain)]
    return [str(PROGRAM), "-test.v", "-test.run", "TestSimulation", *sizes]


class States:
    """The call stack, with the states (S), actions (A) and rewards (R) of the last choices before it."""

    def __init__(self, history: str) -> None:
        self._history = history
        self._past: tuple[Any, ...] = ()
        self._best = 0.0
        self._gained = False

    def covered(self, value: float) -> None:
        """Take note of the coverage so far."""
        self._gained |= value > self._best
        self._best = max(value, self._best)

    def ask(self, guide: Guide, n: int, stack: tuple[str, ...]) -> int:
        """Let the guide choose."""
        stack = stack[:-1]  # The innermost frame is that of our source.
        if "R" in self._history and self._past:
            self._past = (*self._past[:-1], (*self._past[-1], self._gained))
            self._gained = False
        index = guide.choose(range(n), at=stack[-1], state=(*self._past, stack))
        if self._history:
            entry: list[Any] = [stack] if "S" in self._history else []
            entry += [index] if "A" in self._history else []
            self._past = (*self._past, tuple(entry))[-_RECENT:]
        return index


class Chains:
    """Runs chains under a guide, and rewards each with what it covers."""

    def __init__(self, guide: Guide, history: str) -> None:
        self._guide = guide
        self._history = history
        self._subject = Subject(command(), timeout=300.0)

    def run(self) -> Run:
        """Run one chain."""
        states = States(self._history)
        self._guide.start()
        run = self._subject.run(lambda n, stack: states.ask(self._guide, n, stack), states.covered)
        self._guide.reward(coverage_of(run.log))
        self._guide.finish(_OUTCOMES.get(run.ended, Outcome.FAILED))
        return run


def coverage_of(log: str) -> float:
    """Return how much of the SDK a run covered, as it says."""
    found = re.search(r"^coverage (\d\.\d+) draws \d+$", log, re.MULTILINE)
    return float(found[1]) if found else 0.0


def failure_of(run: Run) -> str:
    """Return what went wrong, in one line without numbers that differ from run to run."""
    found = re.search(r"^\s*(panic: .*|.*error on block.*|.*Error:.*)$", run.log, re.MULTILINE)
    return re.sub(r"0x[0-9a-f]+|\d+", "N", found[1].strip())[:120] if found else run.ended


def _unguided(draws: int, seed: int) -> Row:
    """Run chains with the SDK's own random numbers."""
    coverages: list[float] = []
    made = 0
    failures = set()
    environment = {name: value for name, value in os.environ.items() if name != "RLCHECK_GUIDE"}
    while made < draws:
        chain = 1_000 * seed + len(coverages) + 1
        done = subprocess.run(command(chain), env=environment, capture_output=True, text=True, check=False)
        coverages.append(coverage_of(done.stdout))
        made += int(re.findall(r"draws (\d+)", done.stdout)[0])
        if done.returncode != 0:
            run = Run()
            run.log, run.ended = done.stdout + done.stderr, "crash"
            failures.add(failure_of(run))
    return {"coverages": coverages, "draws": made, "failures": sorted(failures)}


def guided(learner: Any, history: str, draws: int, seed: int) -> Row:
    """Run chains under a learner until they have made so many draws."""
    guide = Guide(learner, seed=seed, max_choices=_LONGEST, reward="failure")
    chains = Chains(guide, history)
    coverages: list[float] = []
    made = 0
    failures = set()
    while made < draws:
        run = chains.run()
        coverages.append(coverage_of(run.log))
        made += len(run.pairs)
        if run.ended not in _OUTCOMES:
            failures.add(failure_of(run))
    return {"coverages": coverages, "draws": made, "failures": sorted(failures)}


def measure(task: Task) -> list[Row]:
    """Measure a row of the table, or a learner on the row CS."""
    os.environ |= {"GOMAXPROCS": "1", "GOGC": "400"}
    if task.part == "learners":
        made = guided(LEARNERS[task.method](), "", task.inputs, task.seed)
    elif task.method == DEFAULT:
        made = _unguided(task.inputs, task.seed)
    elif task.method == "random":
        made = guided("uniform", "", task.inputs, task.seed)
    else:
        made = guided(Streams(), task.method[3:], task.inputs, task.seed)
    row: Row = {"row": task.method, "seed": task.seed, "best": max(made["coverages"])}
    return [row | {"blocks": BLOCKS, "operations": OPERATIONS} | made]
