"""What coverage costs on this version of Python."""

from __future__ import annotations

import sys
from math import inf
from time import perf_counter

from benchmarks.coverage.methods import METHODS, Method
from benchmarks.coverage.subjects import SUBJECTS, Subject, missing
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, verdict

#: The most that `trace` may cost.
TARGET = 2.0
#: Turns of each method.
TURNS = 10

_HEAD = """# What coverage costs

The time of one input with its branches recorded, over the time without: the fastest of many, method by method
in turn. `branches`, `trace` and `path` are rlcheck's, with the digest that the characteristic makes of them.
The last two use what Python offers, with a callback in Python. `off again` is the subject after all that,
over the subject before: what stays when coverage is off.

Reproduce with `make bench-coverage`; other versions of Python with `python -m benchmarks coverage`: they need
rlcheck, pycparser and graphql-core on their path.
"""


def measure(task: Task) -> list[Row]:
    """Time every method on a subject, in turns."""
    subject = Subject(task.subject, SUBJECTS[task.subject]())
    best = dict.fromkeys([*METHODS, "off again"], inf)
    for _ in range(TURNS):
        for name, method in METHODS.items():
            best[name] = min(best[name], _seconds(method, subject, task.inputs))
        best["off again"] = min(best["off again"], _seconds(METHODS["off"], subject, task.inputs))
    return [
        {
            "subject": task.subject,
            "method": name,
            "milliseconds": round(time * 1e3, 4),
            "ratio": round(time / best["off"], 3),
        }
        for name, time in best.items()
        if name != "off"
    ]


def _seconds(method: Method, subject: Subject, inputs: int) -> float:
    """Return the time of the fastest of some inputs, once the code is warm."""
    best = inf
    with method(subject) as run:
        for _ in range(max(3, inputs // 4)):
            run()
        for _ in range(inputs):
            started = perf_counter()
            run()
            best = min(best, perf_counter() - started)
    return best


def page(results: Results) -> str:
    """Return a line for each version and subject, a column for each method."""
    columns = ["branches", "trace", "path", "sys.settrace", "sys.monitoring", "off again"]
    rows = [row for name, part in results.items() if name.startswith("python-") for row in part]
    lines = []
    for (python, subject), group in grouped(rows, "python", "subject").items():
        ratios = {row["method"]: f"{row['ratio']:.2f}" for row in group}
        lines.append([python, subject, *(ratios.get(column, "") for column in columns)])
    text = [_HEAD, *markdown(["Python", "subject", *columns], lines, left=2)]
    if rows:
        worst = max(row["ratio"] for row in rows if row["method"] == "trace")
        met = verdict(worst <= TARGET)
        text += ["", f"`trace` costs at most {worst:.2f}; the target is {TARGET}: {met}."]
    return "\n".join(text)


STUDY = Study(
    "coverage",
    {
        f"python-{sys.version_info.major}.{sys.version_info.minor}": Part(
            measure,
            list(SUBJECTS),
            [*METHODS, "off again"],
            inputs=40,
            together=True,
            missing=missing,
        ),
    },
    page,
)
