"""Run Hypothesis tests on its default backend and on ours: `python -m benchmarks.hypothesis.run`.

Each part has results of its own, which replace those of the same name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import FailedHealthCheck, Unsatisfiable

from benchmarks import pool, store
from benchmarks.hypothesis.drive import BACKENDS, STOCK, Meter, drive, prepared
from benchmarks.hypothesis.properties import BUGS, PROPERTIES
from benchmarks.hypothesis.property import Property

Row = dict[str, Any]
#: How many seeds a bug is looked for with; the target is a share of ten.
BUG_SEEDS = 10


@dataclass(frozen=True, slots=True)
class Task:
    """One seed of one property, on both backends: they are compared under the same load."""

    part: str
    property: str
    seed: int
    calls: int
    seconds: float

    def backends(self) -> tuple[str, ...]:
        """In turns, so that neither always comes first."""
        return BACKENDS if self.seed % 2 == 0 else BACKENDS[::-1]


def examples(task: Task) -> list[Row]:
    """Equal test cases."""
    return _driven(task, calls=task.calls)


def seconds(task: Task) -> list[Row]:
    """Equal processor time."""
    return _driven(task, seconds=task.seconds)


def _driven(task: Task, **limit: float) -> list[Row]:
    subject = PROPERTIES[task.property]
    rows = []
    for backend in task.backends():
        # What is loaded and looked up once is no part of what is compared.
        drive(subject, backend, -1, calls=30)
        rows.append({"backend": backend, **drive(subject, backend, task.seed, **limit)})
    return rows


def bugs(task: Task) -> list[Row]:
    """Whether a test fails, as it should, and at which test case."""
    rows = []
    for backend in task.backends():
        meter, ended = _run_once(
            BUGS[task.property],
            task.seed,
            backend=backend,
            max_examples=task.calls,
            suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
            phases=[Phase.generate, Phase.shrink],
        )
        found = ended == "AssertionError"
        counts = {"failed_at": meter.failed_at, "calls": meter.calls, "valid": meter.valid}
        rows.append({"backend": backend, "found": found, "ended": ended, **counts})
    return rows


def memory(task: Task) -> list[Row]:
    """How the first test cases do in a first run and in a second, with Hypothesis' database between them."""
    rows = []
    for backend in task.backends():
        with TemporaryDirectory() as folder:
            for run in (1, 2):
                meter, ended = _run_once(
                    PROPERTIES[task.property],
                    10 * task.seed + run,
                    backend=backend,
                    max_examples=min(100, task.calls),
                    database=DirectoryBasedExampleDatabase(folder),
                    suppress_health_check=[HealthCheck.too_slow],
                )
                first = min(meter.calls, meter.first)
                counts = {"first": first, "valid": meter.valid_of_first, "calls": meter.calls}
                rows.append({"backend": backend, "run": run, **counts, "ended": ended})
    return rows


def _run_once(subject: Property, seed: int, **options: Any) -> tuple[Meter, str]:
    """Run a test to its end, and say how it ended."""
    meter = Meter(subject.shape)
    test = prepared(subject, meter, seed, settings(**{**STOCK, **options}))
    try:
        test()
    except (AssertionError, FailedHealthCheck, Unsatisfiable) as error:
        return meter, type(error).__name__
    return meter, "passed"


def conformance(task: Task) -> list[Row]:
    """Hypothesis' own test of backends."""
    from hypothesis.internal.conjecture.provider_conformance import run_conformance_test

    from rlcheck.frontends.hypothesis.provider import GuidedProvider

    options = settings(**STOCK, suppress_health_check=list(HealthCheck))
    started = process_time()
    error = ""
    try:
        run_conformance_test(GuidedProvider, settings=options)
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}".splitlines()[0]
    return [{"backend": "rlcheck", "error": error, "seconds": round(process_time() - started, 2)}]


PARTS: dict[str, Callable[[Task], list[Row]]] = {
    each.__name__: each for each in (examples, seconds, bugs, memory, conformance)
}


def measure(task: Task) -> list[Row]:
    """The rows of a task."""
    same = {"property": task.property, "seed": task.seed, "hypothesis": hypothesis.__version__}
    return [{**same, **row} for row in PARTS[task.part](task)]


def tasks_of(part: str, options: argparse.Namespace) -> list[Task]:
    """What a part has to run."""
    names = [name for name in options.property if (name in BUGS) == (part == "bugs")]
    if part == "conformance":
        names = ["conformance"]
    elif part == "memory":
        names = [name for name in names if PROPERTIES[name].sparse]
    bug_seeds = options.seeds if options.quick else BUG_SEEDS
    count = {"conformance": 1, "bugs": bug_seeds}.get(part, options.seeds)
    return [Task(part, name, seed, options.calls, options.seconds) for name in names for seed in range(count)]


def run(tasks: Sequence[Task], *, jobs: int) -> list[Row]:
    """Run all tasks; the rows in their order."""
    made = pool.run(
        measure, tasks, jobs=jobs, says=lambda task, _: f"{task.part}, {task.property} seed {task.seed}"
    )
    return [row for rows in made for row in rows]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hypothesis.run", description=__doc__)
    known = [*PROPERTIES, *BUGS]
    parser.add_argument("--property", nargs="+", choices=known, default=known, metavar="NAME")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=1_000, help="test cases at equal test cases")
    parser.add_argument("--seconds", type=float, default=10.0, help="processor time at equal time")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="100 test cases, 0.5 s, results set apart")
    parser.add_argument("--name", help="the folder of the results")
    options = parser.parse_args(arguments)
    if options.quick:
        options.calls, options.seeds = min(options.calls, 100), min(options.seeds, 2)
        options.seconds = min(options.seconds, 0.5)
    options.name = options.name or ("hypothesis-quick" if options.quick else "hypothesis")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 when something is missing from the results."""
    options = parse(arguments)
    missing = False
    for part in options.part:
        tasks = tasks_of(part, options)
        rows = run(tasks, jobs=options.jobs) if tasks else []
        if rows:
            print(store.write(f"{options.name}/{part}", rows))
        missing |= len({(row["property"], row["seed"]) for row in rows}) < len(tasks)
    return int(missing)


if __name__ == "__main__":
    sys.exit(main())
