"""How Hypothesis tests fare on its default backend and on ours; backends are compared under the same load."""

from __future__ import annotations

from collections.abc import Iterable
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import FailedHealthCheck, Unsatisfiable

from benchmarks.hypothesis.drive import STOCK, Meter, drive, prepared
from benchmarks.hypothesis.properties import BUGS, PROPERTIES
from benchmarks.hypothesis.property import Property
from benchmarks.study import Row, Task


def examples(task: Task) -> list[Row]:
    """Equal test cases."""
    return _driven(task, calls=task.inputs)


def seconds(task: Task) -> list[Row]:
    """Equal processor time."""
    return _driven(task, seconds=task.seconds)


def _driven(task: Task, **limit: float) -> list[Row]:
    subject = PROPERTIES[task.subject]
    rows = []
    for backend in _backends(task):
        # What is loaded and looked up once is no part of what is compared.
        drive(subject, backend, -1, calls=30)
        rows.append({"backend": backend, **drive(subject, backend, task.seed, **limit)})
    return _labelled(task, rows)


def bugs(task: Task) -> list[Row]:
    """Whether a test fails, as it should, and at which test case."""
    rows = []
    for backend in _backends(task):
        meter, ended = _run_once(
            BUGS[task.subject],
            task.seed,
            backend=backend,
            max_examples=task.inputs,
            suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
            phases=[Phase.generate, Phase.shrink],
        )
        found = ended == "AssertionError"
        counts = {"failed_at": meter.failed_at, "calls": meter.calls, "valid": meter.valid}
        rows.append({"backend": backend, "found": found, "ended": ended, **counts})
    return _labelled(task, rows)


def memory(task: Task) -> list[Row]:
    """How the first test cases do in a first run and in a second, with Hypothesis' database between them."""
    rows = []
    for backend in _backends(task):
        with TemporaryDirectory() as folder:
            for run in (1, 2):
                meter, ended = _run_once(
                    PROPERTIES[task.subject],
                    10 * task.seed + run,
                    backend=backend,
                    max_examples=min(100, task.inputs),
                    database=DirectoryBasedExampleDatabase(folder),
                    suppress_health_check=[HealthCheck.too_slow],
                )
                first = min(meter.calls, meter.first)
                counts = {"first": first, "valid": meter.valid_of_first, "calls": meter.calls}
                rows.append({"backend": backend, "run": run, **counts, "ended": ended})
    return _labelled(task, rows)


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
    row = {"backend": "rlcheck", "error": error, "seconds": round(process_time() - started, 2)}
    return _labelled(task, [row])


def _backends(task: Task) -> tuple[str, ...]:
    """Return the backends in turns, so that neither always comes first."""
    return task.methods if task.seed % 2 == 0 else task.methods[::-1]


def _labelled(task: Task, rows: Iterable[Row]) -> list[Row]:
    same = {"property": task.subject, "seed": task.seed, "hypothesis": hypothesis.__version__}
    return [{**same, **row} for row in rows]
