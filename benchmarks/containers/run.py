"""Tests containers and HTML parsers for equal times: `python -m benchmarks.containers.run`.

Seconds are of the processor, and the methods of a subject take turns of about half a second: what else runs
on the machine hardly counts, and hits all of them alike. Results replace those of the same name.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from benchmarks import pool, store, turns
from benchmarks.containers.html import HTML
from benchmarks.containers.methods import ALLOWANCE, METHODS
from benchmarks.containers.subject import Subject
from benchmarks.containers.subjects import PACKAGES, PLANTED, TEXTBOOK
from rlcheck import ApiTest

STUDIES = {"textbook": TEXTBOOK, "packages": PACKAGES, "html": HTML}
SUBJECTS = {subject.name: subject for subjects in (*STUDIES.values(), PLANTED) for subject in subjects}
#: About how long a turn is, in seconds: to begin one takes some milliseconds.
TURN = 0.5
#: The most frequent calls of a quarter that are stored.
FREQUENT = 12


@dataclass(frozen=True, slots=True)
class Task:
    """One run: a method on a subject, or a search for a planted bug."""

    study: str
    subject: str
    method: str
    seed: int
    seconds: float


def measure(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Run what is to be compared with each other."""
    if tasks[0].study == "bugs":
        return [_row(task) | _hunt(_test(task), task.seconds) for task in tasks]
    return turns.run(_explore, tasks)


def _row(task: Task) -> dict[str, Any]:
    return {
        "study": task.study,
        "subject": task.subject,
        "method": task.method,
        "seed": task.seed,
        "seconds": task.seconds,
    }


def _test(task: Task) -> ApiTest:
    return SUBJECTS[task.subject].test(**({"seed": task.seed} | METHODS[task.method]()))


def _explore(task: Task) -> Iterator[dict[str, Any] | None]:
    """Cover as much as the time permits, in turns; calls are counted by quarters of them."""
    test = _test(task)
    number = 4 * max(1, round(task.seconds / TURN / 4))
    budget = task.seconds * ALLOWANCE.get(task.method, 1.0)
    quarters: list[Counter[str]] = []
    started = process_time()
    before: Counter[Any] = Counter()
    for turn in range(1, number + 1):
        while (left := budget * turn / number - (process_time() - started)) > 0:
            if test.run(seconds=left, stop_on_failure=False).stopped == "exhausted":
                break
        if turn % (number // 4) == 0:
            quarters.append(_written(test, test.summary.distribution - before))
            before = test.summary.distribution.copy()
        if turn < number:
            yield None
    summary = test.summary
    yield _row(task) | {
        "tests": summary.episodes,
        "calls": summary.calls,
        "branches": summary.branches,
        "paths": summary.paths,
        "shapes": summary.shapes,
        "combinations": summary.combinations,
        "failures": [failure.snippet for failure in summary.failures],
        "quarters": [quarter.most_common(FREQUENT) for quarter in quarters],
    }


def _written(test: ApiTest, made: Counter[Any]) -> Counter[str]:
    """Calls as one writes them, in percent of all."""
    total = made.total() or 1
    return Counter(
        {test.written(call): round(100 * times / total, 4) for call, times in made.most_common(FREQUENT)}
    )


def _hunt(test: ApiTest, seconds: float) -> dict[str, Any]:
    """Look for a bug, and run the snippet that shows it."""
    started = process_time()
    while not test.summary.failures and process_time() - started < seconds:
        test.run(seconds=seconds - (process_time() - started))
    if not test.summary.failures:
        return {"found": False, "spent": process_time() - started}
    failure = test.summary.failures[0]
    return {
        "found": True,
        "spent": process_time() - started,
        "calls": len(failure.calls),
        "snippet": failure.snippet,
        "fails": _fails(failure.snippet),
    }


def _fails(snippet: str) -> bool:
    try:
        exec(compile(snippet, "<snippet>", "exec"), {"__name__": "snippet"})
    except Exception:
        return True
    return False


def present(subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects that can run here; says which cannot."""
    for subject in subjects:
        if subject.is_missing:
            print(f"{subject.name} is skipped: it needs {subject.package}.", file=sys.stderr)
    return [subject for subject in subjects if not subject.is_missing]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.containers.run", description=__doc__)
    parser.add_argument("--study", nargs="+", choices=[*STUDIES, "bugs"], default=[*STUDIES, "bugs"])
    parser.add_argument("--subject", nargs="+", choices=SUBJECTS, metavar="NAME")
    parser.add_argument("--method", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the processor, for each run")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--bug-seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--name", default="containers", help="the folder of the results")
    return parser.parse_args(arguments)


def tasks_of(options: argparse.Namespace) -> list[list[Task]]:
    """The runs that the command line asks for; those to be compared stand together."""
    groups = []
    for study in options.study:
        seeds = options.bug_seeds if study == "bugs" else options.seeds
        subjects = PLANTED if study == "bugs" else STUDIES[study]
        methods = [method for method in options.method if study != "bugs" or method == "portfolio"]
        # There is one context, the text: the others would be the same runs again.
        methods = [m for m in methods if study != "html" or not m.startswith("ABP ") or m == "ABP Shape"]
        groups += [
            [Task(study, subject.name, method, seed, options.seconds) for method in methods]
            for subject in present(subjects)
            if options.subject is None or subject.name in options.subject
            for seed in range(seeds)
        ]
    return [group for group in groups if group]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 when a run is missing from the results."""
    options = parse(arguments)
    groups = tasks_of(options)
    made = pool.run(measure, groups, jobs=options.jobs, says=_found)
    rows = [row for group in made for row in group]
    for study in options.study:
        found = [row for row in rows if row["study"] == study]
        if found:
            print(store.write(f"{options.name}/{study}", found))
    return int(len(rows) < sum(map(len, groups)))


def _found(tasks: Sequence[Task], rows: Sequence[dict[str, Any]] | None) -> str:
    text = f"{tasks[0].subject} seed {tasks[0].seed}"
    if rows is None:
        return text
    if tasks[0].study == "bugs":
        return f"{text}: {rows[0].get('calls', 'no')} calls"
    measures = ("paths", "shapes", "combinations")
    found = (f"{row['method']} {'/'.join(str(row[name]) for name in measures)}" for row in rows)
    return f"{text}: {', '.join(found)}"


if __name__ == "__main__":
    sys.exit(main())
