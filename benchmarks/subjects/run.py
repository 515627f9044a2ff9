"""Run methods on subjects: `python -m benchmarks.subjects.run`.

Ten seeds of a minute each unless told otherwise; `--minutes 5` is the paper's budget. Results replace those
of the same name. What is in `subjects/faults` is for the table of faults alone: more seeds of fewer methods.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks import pool, store
from benchmarks.subjects.measure import GREY, METHODS, Task, measure
from benchmarks.subjects.subjects import SUBJECTS

Row = dict[str, Any]


def present(names: Sequence[str]) -> list[str]:
    """The subjects that can run here; says which cannot."""
    found = []
    for name in names:
        missing = SUBJECTS[name].missing
        if missing:
            print(f"{name} is skipped: it needs {', '.join(missing)}.", file=sys.stderr)
        else:
            found.append(name)
    return found


def tasks(names: Sequence[str], methods: Sequence[str], seeds: int, seconds: float) -> list[Task]:
    """Every method on every subject; grey-box monte-carlo only where there are branches to see."""
    found = present(names)
    return [
        Task(name, method, seed, seconds)
        for seed in range(seeds)
        for name in found
        for method in methods
        if SUBJECTS[name].coverage is not None or method != GREY
    ]


def in_order(rows: Sequence[Row]) -> list[Row]:
    """Rows by subject, method and seed."""
    subjects, methods = list(SUBJECTS), list(METHODS)
    return sorted(rows, key=lambda r: (subjects.index(r["subject"]), methods.index(r["method"]), r["seed"]))


def _found(task: Task, row: Row | None) -> str:
    text = f"{task.subject} {task.method} seed {task.seed}"
    if row is None:
        return text
    last = row["points"][-1]
    return f"{text}: {last['diverse']:,} diverse valid of {last['inputs']:,}, {len(row['faults'])} faults"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.subjects.run", description=__doc__)
    parser.add_argument("--subjects", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), metavar="NAME")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=1.0, help="per run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--name", default="subjects", help="the folder of the results")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 when a run is missing from the results."""
    options = parse(arguments)
    asked = tasks(options.subjects, options.methods, options.seeds, 60 * options.minutes)
    rows = pool.run(measure, asked, jobs=options.jobs, says=_found)
    if rows:
        print(store.write(f"{options.name}/runs", in_order(rows)))
    return int(len(rows) < len(asked))


if __name__ == "__main__":
    sys.exit(main())
