"""Measures what coverage costs, and writes `results/coverage/`: one file for each version of Python.

    python -m benchmarks.coverage.run

Other versions need rlcheck, pycparser and graphql-core on their path; a package that is absent is left out.
"""

from __future__ import annotations

import argparse
import sys
from math import inf
from time import perf_counter
from typing import Any

from benchmarks import store
from benchmarks.coverage.methods import METHODS, Method
from benchmarks.coverage.subjects import Subject, subjects

#: The most that `trace` may cost.
TARGET = 2.0

_HEAD = """# What coverage costs

The time of one input with its branches noted, over the time without: the fastest of many, method by method in
turn. `branches`, `trace` and `path` are rlcheck's, with the digest that the characteristic makes of them; the
last two count branches by what Python offers, with a callback in Python. `off again` is the subject after all
that, over the subject before: what stays when coverage is off.

Reproduce with `make bench-coverage`; other versions of Python with `python -m benchmarks.coverage.run`.

"""


def seconds(method: Method, subject: Subject, inputs: int) -> float:
    """The fastest of some inputs, once the code is warm."""
    best = inf
    with method(subject) as run:
        for _ in range(max(3, inputs // 4)):
            run()
        for _ in range(inputs):
            started = perf_counter()
            run()
            best = min(best, perf_counter() - started)
    return best


def measure(subject: Subject, *, turns: int, inputs: int) -> list[dict[str, Any]]:
    """Every method on a subject, in turns."""
    best = dict.fromkeys([*METHODS, "off again"], inf)
    for _ in range(turns):
        for name, method in METHODS.items():
            best[name] = min(best[name], seconds(method, subject, inputs))
        best["off again"] = min(best["off again"], seconds(METHODS["off"], subject, inputs))
    return [
        {
            "subject": subject.module,
            "method": name,
            "milliseconds": round(time * 1e3, 4),
            "ratio": round(time / best["off"], 3),
        }
        for name, time in best.items()
        if name != "off"
    ]


def page(rows: list[dict[str, Any]]) -> str:
    """A table: a line for each version and subject, a column for each method."""
    columns = ["branches", "trace", "path", "sys.settrace", "sys.monitoring", "off again"]
    lines = [f"| Python | subject | {' | '.join(columns)} |", f"|---|---|{'---:|' * len(columns)}"]
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        found.setdefault((row["python"], row["subject"]), {})[row["method"]] = row["ratio"]
    for (python, subject), ratios in found.items():
        cells = [f"{ratios[column]:.2f}" if column in ratios else "" for column in columns]
        lines.append(f"| {python} | {subject} | {' | '.join(cells)} |")
    worst = max(row["ratio"] for row in rows if row["method"] == "trace")
    met = "PASS" if worst <= TARGET else "MISS"
    return (
        _HEAD + "\n".join(lines) + f"\n\n`trace` costs at most {worst:.2f}; the target is {TARGET}: {met}.\n"
    )


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.coverage.run`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage.run", description=__doc__)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--inputs", type=int, default=40, help="in each turn of each method")
    given = parser.parse_args(arguments)
    rows = []
    for subject in subjects():
        print(f"{subject.module} ...", file=sys.stderr)
        rows += measure(subject, turns=given.turns, inputs=given.inputs)
    store.write(f"coverage/python-{sys.version_info.major}.{sys.version_info.minor}", rows)
    names = sorted(path.stem for path in (store.RESULTS / "coverage").glob("python-*.jsonl"))
    text = page([row for name in names for row in store.read(f"coverage/{name}")])
    (store.RESULTS / "coverage" / "README.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
