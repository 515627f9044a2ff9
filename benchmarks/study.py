"""The runner of all benchmarks: a study is data, and this runs it, stores its rows and writes its page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks import pool, store

Row = dict[str, Any]
#: The rows of a study by the name of their part.
Results = dict[str, list[Row]]

#: Store what has been measured at least this often, in seconds.
_STORE = 30.0


@dataclass(frozen=True, slots=True)
class Task:
    """One call of a part's `measure`."""

    part: str
    subject: str
    methods: tuple[str, ...]
    seed: int
    inputs: int
    seconds: float

    @property
    def method(self) -> str:
        """The only method of a task that has one."""
        return self.methods[0]

    def __str__(self) -> str:
        return " ".join(filter(None, [self.part, self.subject, ", ".join(self.methods), f"seed {self.seed}"]))


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _every(subject: str, method: str) -> bool:
    return True


def _nothing(subject: str) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class Part:
    """One file of rows: every subject with every method and every seed.

    A task has one of the two budgets, or both: what they mean is up to `measure`.
    """

    measure: Callable[[Task], list[Row]]
    subjects: Sequence[str] = ("",)
    methods: Sequence[str] = ("",)
    seeds: int = 1
    inputs: int | Mapping[str, int] = 0
    seconds: float = 0.0
    #: One task measures all methods of a subject, so that they share whatever disturbs the machine.
    together: bool = False
    #: Each task has a process of its own, so that none pays for what another keeps in memory.
    fresh: bool = False
    #: Some subjects with some methods have more seeds than the rest.
    more_seeds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    #: Whether a method makes sense on a subject.
    fits: Callable[[str, str], bool] = _every
    #: What a subject needs that is not installed.
    missing: Callable[[str], list[str]] = _nothing
    #: Where a row says its subject and its method; "" where it does not.
    keys: tuple[str, str] = ("subject", "method")

    def pair(self, row: Row) -> tuple[int, int]:
        """The places of a row's subject and method; the last one for names that the study knows no more."""
        names = [row[key] if key else "" for key in self.keys]
        return _place(self.subjects, names[0]), _place(self.methods, names[1])

    def ordered(self, rows: list[Row]) -> list[Row]:
        """Return rows by subject, method and seed."""
        return sorted(rows, key=lambda row: (*self.pair(row), row.get("seed", 0)))


@dataclass(frozen=True, slots=True)
class Study:
    """What is measured, and the page about it."""

    name: str
    parts: Mapping[str, Part]
    page: Callable[[Results], str]
    #: Draws figures into a folder.
    draw: Callable[[Results, Path], None] | None = None


def tasks_of(name: str, part: Part, options: argparse.Namespace) -> Iterator[Task]:
    """Yield what the command line asks for; say which subjects cannot run here."""
    for subject in [one for one in part.subjects if options.subject is None or one in options.subject]:
        if missing := part.missing(subject):
            print(f"{subject} is skipped: it needs {', '.join(missing)}.", file=sys.stderr)
            continue
        methods = [
            method
            for method in part.methods
            if (options.method is None or method in options.method) and part.fits(subject, method)
        ]
        inputs = part.inputs[subject] if isinstance(part.inputs, Mapping) else part.inputs
        budget = (options.inputs or inputs, options.seconds or part.seconds)
        groups = [tuple(methods)] if part.together and methods else [(method,) for method in methods]
        seeds = {
            group: options.seeds or part.more_seeds.get((subject, group[0]), part.seeds) for group in groups
        }
        for seed in range(max(seeds.values(), default=0)):
            for group in groups:
                if seed < seeds[group]:
                    yield Task(name, subject, group, seed, *budget)


def run(study: Study, options: argparse.Namespace) -> bool:
    """Run the parts that are asked for; whether all of it was measured."""
    complete = True
    for name in options.part:
        part = study.parts[name]
        path = f"{options.name}/{name}"
        stored = store.read(path)
        tasks = list(tasks_of(name, part, options))
        if options.resume:
            known = {(*part.pair(row), row.get("seed", 0)) for row in stored}
            tasks = [task for task in tasks if not _places(part, task) <= known]
        else:
            ran = {place[:2] for task in tasks for place in _places(part, task)}
            stored = [row for row in stored if part.pair(row) not in ran]
        rows, kept = list(stored), monotonic()
        for done in pool.run(part.measure, tasks, jobs=options.jobs, fresh=part.fresh):
            complete &= done is not None
            rows += done or []
            if monotonic() - kept > _STORE:
                _keep(path, part, rows)
                kept = monotonic()
        if len(rows) > len(stored):
            _keep(path, part, rows)
    return complete


def _places(part: Part, task: Task) -> set[tuple[int, int, int]]:
    """Return which rows a task makes."""
    rows = [dict(zip(part.keys, (task.subject, method), strict=True)) for method in task.methods]
    return {(*part.pair(row), task.seed) for row in rows}


def _keep(path: str, part: Part, rows: list[Row]) -> None:
    store.write(path, part.ordered(rows))


def write_page(study: Study, name: str) -> None:
    """Write the page and the figures of what is stored under a name."""
    folder = store.RESULTS / name
    results = {path.stem: store.read(f"{name}/{path.stem}") for path in sorted(folder.glob("*.jsonl"))}
    if not results:
        return
    results |= {name: part.ordered(results[name]) for name, part in study.parts.items() if name in results}
    if study.draw is not None:
        study.draw(results, folder)
    (folder / "README.md").write_text(study.page(results).rstrip() + "\n", encoding="utf-8")
    print(folder / "README.md")


def parse(study: Study, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parts = study.parts.values()
    subjects = list(dict.fromkeys(subject for part in parts for subject in part.subjects if subject))
    methods = list(dict.fromkeys(method for part in parts for method in part.methods if method))
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {study.name}")
    parser.add_argument("--part", nargs="+", choices=list(study.parts), default=list(study.parts))
    parser.add_argument("--subject", nargs="+", choices=subjects, metavar="NAME", help=", ".join(subjects))
    parser.add_argument("--method", nargs="+", choices=methods, metavar="NAME", help=", ".join(methods))
    parser.add_argument("--seeds", type=int, help="runs of each subject with each method")
    parser.add_argument("--inputs", type=int, help="budget of a run, where it has one in inputs")
    parser.add_argument("--seconds", type=float, help="budget of a run, where it has one in seconds")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time; 0 runs all in this process")
    parser.add_argument("--name", default=study.name, help="folder of the results")
    parser.add_argument("--resume", action="store_true", help="run only what is not stored yet")
    parser.add_argument("--only-page", action="store_true", help="write the page of what is stored")
    parser.add_argument(
        "--add", nargs="+", type=Path, default=[], metavar="FILE", help="store rows of another machine"
    )
    return parser.parse_args(arguments)


def main(study: Study, arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for, and write the page; 1 when a run is missing."""
    options = parse(study, arguments)
    for path in options.add:
        part, name = study.parts[path.stem], f"{options.name}/{path.stem}"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        made = {part.pair(row) for row in rows}
        _keep(name, part, [row for row in store.read(name) if part.pair(row) not in made] + rows)
    complete = options.only_page or bool(options.add) or run(study, options)
    write_page(study, options.name)
    return int(not complete)
