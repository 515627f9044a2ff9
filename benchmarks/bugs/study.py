"""Planted bugs: how many each method finds in equal processor time, and how soon."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import hypothesis

from benchmarks.bugs.hunt import BACKENDS, LEARNERS, METHODS, hunt
from benchmarks.bugs.workloads import WORKLOADS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import checks, grouped, markdown, mean, origin

SECONDS, TRIALS = 10.0, 10
#: A task is solved when at least this share of its trials find the bug.
RELIABLE = 0.9
#: Shares of tasks to solve, and how many times as many as on Hypothesis' default backend.
NATIVE, BACKEND, TIMES = 0.95, 0.85, 1.5
#: How far the held-out workloads may be behind.
BEHIND = 0.10

OURS = "diverse"
THEIRS, GUIDED = BACKENDS

_HEAD = """# Planted bugs

A *task* is a bug and a property that it breaks. A workload has a naive generator, the same as a plain
Hypothesis strategy, and a precondition that few of their inputs meet; `hand-written` makes valid inputs at
once, which proves that every bug can be found. Each trial has {budget} of processor time a task. A task is
*solved* when at least 90 % of its trials find the bug. *Mean*: the share of tasks that a trial finds.
*Time*: the median over tasks and trials until the bug is found; a trial without it counts as infinite.

Until a property fails, the inputs of a seed do not depend on it, so that the tasks of a workload share them.
Each task is charged with the time for making inputs and for its own tests. Methods that look at the branches
of a test (`zest`, `portfolio`) run every task by itself.

Reproduce with `make bench-bugs`.
"""


def measure(task: Task) -> list[Row]:
    """Hunt for the bugs of a workload."""
    found = hunt(WORKLOADS[task.subject], task.method, task.seed, task.seconds)
    key = {"subject": task.subject, "method": task.method, "seed": task.seed, "seconds": task.seconds}
    return [{**key, "hypothesis": hypothesis.__version__, **found}]


def solved(rows: Sequence[Row]) -> int:
    """Return how many tasks the trials of a method on a workload solve."""
    names = {name for row in rows for name in row["found"]}
    return sum(sum(name in row["found"] for row in rows) >= RELIABLE * len(rows) for name in names)


def solved_in_all(rows: Sequence[Row]) -> tuple[int, int]:
    """Return how many tasks of all workloads a method solves, and how many there are."""
    workloads = grouped(rows, "subject").values()
    return sum(map(solved, workloads)), sum(trials[0]["tasks"] for trials in workloads)


def median_time(rows: Sequence[Row]) -> str:
    """Return the median time to a bug."""
    times = [
        when
        for row in rows
        for when in (*row["found"].values(), *[math.inf] * (row["tasks"] - len(row["found"])))
    ]
    middle = statistics.median_high(times)
    return f"{middle:.2g} s" if math.isfinite(middle) else "∞"


def share(rows: Sequence[Row]) -> float:
    """Return the mean share of tasks that a trial finds."""
    return mean(grouped(rows, "seed").values(), _share_of_trial)


def _share_of_trial(rows: Sequence[Row]) -> float:
    return sum(len(row["found"]) for row in rows) / sum(row["tasks"] for row in rows)


def overview(rows: Sequence[Row]) -> list[str]:
    """Return a table with a line for each method."""
    lines = []
    for method, trials in grouped(rows, "method").items():
        done, tasks = solved_in_all(trials)
        seeds = str(len(grouped(trials, "seed")))
        time = median_time(trials)
        lines.append(
            [method, f"{done} of {tasks}", f"{done / tasks:.0%}", f"{share(trials):.0%}", time, seeds]
        )
    return markdown(["method", "tasks solved", "", "mean", "time", "trials"], lines)


def by_workload(rows: Sequence[Row]) -> list[str]:
    """Return a table with a line for each workload: tasks solved, and the median time."""
    methods = list(grouped(rows, "method"))
    lines = []
    for workload, runs in grouped(rows, "subject").items():
        trials = grouped(runs, "method")
        cells = [
            f"{solved(trials[name])} ({median_time(trials[name])})" if name in trials else ""
            for name in methods
        ]
        lines.append([workload, str(runs[0]["tasks"]), *cells])
    return markdown(["workload", "tasks", *methods], lines)


def unsolved(rows: Sequence[Row]) -> list[str]:
    """Return the tasks of each workload that ours does not solve, with the share of trials that do."""
    lines = []
    for workload, runs in grouped([row for row in rows if row["method"] == OURS], "subject").items():
        found = {
            task.name: sum(task.name in row["found"] for row in runs) for task in WORKLOADS[workload].tasks()
        }
        missed = [f"{name} {n}" for name, n in found.items() if n < RELIABLE * len(runs)]
        if missed:
            lines.append(f"- {workload}: {', '.join(missed)}")
    return lines


def figures(results: Results) -> list[str]:
    """Return the figures to reach, as far as their methods were run."""
    rows = grouped(results["tasks"], "method")
    made: list[tuple[bool, str]] = []
    shares = {}
    for method, least in ((OURS, NATIVE), (GUIDED, BACKEND)):
        if method in rows:
            done, tasks = solved_in_all(rows[method])
            shares[method] = done / tasks
            made.append((done >= least * tasks, f"`{method}` solves {done} of {tasks} tasks (≥ {least:.0%})"))
    if OURS in rows and len(rows.keys() & set(LEARNERS)) > 1:
        made.append(_nowhere_behind(results["tasks"]))
    if GUIDED in rows and THEIRS in rows:
        ours, theirs = solved_in_all(rows[GUIDED])[0], solved_in_all(rows[THEIRS])[0]
        text = f"`{GUIDED}` solves {ours} tasks, `{THEIRS}` {theirs} (≥ {TIMES} times as many)"
        made.append((ours >= TIMES * theirs, text))
    for method, trials in grouped(results.get("held-out", []), "method").items():
        if method in shares:
            done, tasks = solved_in_all(trials)
            text = f"`{method}` solves {done} of {tasks} held-out tasks (at most {BEHIND:.0%} behind)"
            made.append((done / tasks >= shares[method] - BEHIND, text))
    return checks(made)


def _nowhere_behind(rows: Sequence[Row]) -> tuple[bool, str]:
    behind = []
    for workload, runs in grouped(rows, "subject").items():
        trials = grouped(runs, "method")
        best = max(solved(trials[name]) for name in LEARNERS if name in trials)
        if OURS in trials and solved(trials[OURS]) < best:
            behind.append(workload)
    text = f"no learner solves more tasks of a workload than `{OURS}`"
    return not behind, text + (f", except {', '.join(behind)}" if behind else "")


def page(results: Results) -> str:
    """Return the page."""
    budgets = sorted({row["seconds"] for rows in results.values() for row in rows})
    lines = [_HEAD.format(budget=" or ".join(f"{each:g} s" for each in budgets))]
    if "tasks" in results:
        lines += [*figures(results), ""]
    titles = {"tasks": "Tasks", "held-out": "Held-out tasks, which were never tuned on"}
    for part, rows in results.items():
        lines += [f"## {titles[part]}", "", origin(rows), "", *overview(rows), "", *by_workload(rows), ""]
    if missed := unsolved(results.get("tasks", [])):
        lines += [f"## Tasks that `{OURS}` does not solve, with the trials that found the bug", "", *missed]
    return "\n".join(lines)


def _part(*, held_out: bool) -> Part:
    names = [name for name, workload in WORKLOADS.items() if workload.held_out == held_out]
    return Part(measure, names, METHODS, seeds=TRIALS, seconds=SECONDS)


STUDY = Study("bugs", {"tasks": _part(held_out=False), "held-out": _part(held_out=True)}, page)
