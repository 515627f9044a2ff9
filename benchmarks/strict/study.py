"""Learners on validators that random inputs seldom satisfy, at equal inputs and at equal time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import campaigns
from benchmarks.strict.subjects import SUBJECTS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import estimate, grouped, markdown, mean, origin, spread, times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEARNERS = ("uniform", "monte-carlo", "sarsa-lambda", "zest", "portfolio", "diverse")
CHECKPOINTS = (1_000, 10_000, 100_000)
#: What the default learner is compared with.
OURS, BASELINES = "diverse", ("monte-carlo", "uniform")

_HEAD = """# Strict subjects

Unique valid inputs: mean ± standard error over seeds [mean of effective shapes] inputs per second.
A shape is an input with its leaf values erased. Effective shapes are how many there would be if all were
equally frequent: the exponential of the entropy. Every subject was looked at while `diverse` was written:
none is held out.
Reproduce with `make bench-strict`.
"""


def measure(task: Task) -> list[Row]:
    """Run a learner on a subject."""
    return campaigns.measure(SUBJECTS[task.subject], task)


def snapshots_at(rows: Sequence[Row], inputs: int | None) -> list[Row]:
    """Return where runs stood after this many inputs (None: at their end), for those that got there."""
    if inputs is None:
        return [row["snapshots"][-1] for row in rows]
    return [snapshot for row in rows for snapshot in row["snapshots"] if snapshot["inputs"] == inputs]


def cell(snapshots: Sequence[Row]) -> str:
    """Return what a table says of a learner on a subject."""
    unique = [snapshot["unique_valid"] for snapshot in snapshots]
    shapes = mean(snapshots, "effective_shapes")
    seconds = sum(snapshot["seconds"] for snapshot in snapshots)
    speed = sum(snapshot["inputs"] for snapshot in snapshots) / max(seconds, 1e-9)
    digits = 1 if 0 < estimate(unique)[0] < 10 else 0
    return f"{spread(unique, digits)} [{shapes:,.{digits}f}] {speed:,.0f}/s"


def table(rows: Sequence[Row], inputs: int | None) -> list[str]:
    """Return a table after this many inputs; nothing when no run got there."""
    runs = grouped(rows, "subject", "learner")
    learners = [name for name in LEARNERS if any(name == learner for _, learner in runs)]
    baselines = [name for name in BASELINES if OURS in learners and name in learners]
    lines = []
    for subject in grouped(rows, "subject"):
        found = {name: snapshots_at(runs.get((subject, name), []), inputs) for name in learners}
        if not any(found.values()):
            continue
        ratios = [
            f"{_ratio(found, name, 'unique_valid')}, {_ratio(found, name, 'effective_shapes')}"
            for name in baselines
        ]
        lines.append([subject, *(cell(found[name]) if found[name] else "" for name in learners), *ratios])
    heads = ["subject", *learners, *(f"{OURS} / {name}: unique, shapes" for name in baselines)]
    return markdown(heads, lines) if lines else []


def _ratio(found: dict[str, list[Row]], baseline: str, key: str) -> str:
    if not found[OURS] or not found[baseline]:
        return ""
    return times(mean(found[OURS], key), mean(found[baseline], key))


def page(results: Results) -> str:
    """Return the page."""
    lines = [_HEAD]
    if rows := results.get("inputs"):
        lines += [origin(rows), "", "![Unique valid inputs over inputs](curves.svg)"]
        tables = {f"After {inputs:,} inputs": table(rows, inputs) for inputs in CHECKPOINTS}
        between = [row for row in rows if row["snapshots"][-1]["inputs"] not in CHECKPOINTS]
        tables["At the end, where it lies between"] = table(between, None)
        for title, body in tables.items():
            lines += ["", f"## {title}", "", *body] if body else []
    if rows := results.get("seconds"):
        # A run ends with the input that passes the limit, so the shortest one is nearest to it.
        seconds = min(row["snapshots"][-1]["seconds"] for row in rows)
        lines += ["", f"## After {seconds:.2g} seconds", "", origin(rows), "", *table(rows, None)]
    return "\n".join(lines)


def draw(results: Results, folder: Path) -> None:
    """Draw unique valid inputs over inputs, a panel per subject; bands are standard errors."""
    from benchmarks import plots

    rows = results.get("inputs", [])
    runs = grouped(rows, "subject", "learner")
    look = plots.looks(LEARNERS)

    def panel(axes: Axes, subject: str) -> None:
        for learner in LEARNERS:
            found = runs.get((subject, learner), [])
            points = grouped((snapshot for row in found for snapshot in row["snapshots"]), "inputs")
            shared = sorted(inputs for inputs, column in points.items() if len(column) == len(found))
            columns = [[snapshot["unique_valid"] for snapshot in points[inputs]] for inputs in shared]
            if shared:
                plots.band(axes, shared, columns, label=learner, linewidth=1.3, **look[learner])
        axes.set_xscale("log")
        if axes.get_ylim()[1] > 20:
            axes.set_yscale("symlog", linthresh=1)  # Linear below one, since every curve starts at none.
        axes.grid(visible=True, alpha=0.25)

    if rows:
        figure = plots.panels(list(grouped(rows, "subject")), panel, x="inputs", y="unique valid inputs")
        plots.save(figure, folder / "curves.svg")


def _missing(subject: str) -> list[str]:
    return SUBJECTS[subject].missing


def _part(learners: Sequence[str], **budget: object) -> Part:
    return Part(
        measure,
        list(SUBJECTS),
        learners,
        missing=_missing,
        keys=("subject", "learner"),
        **budget,  # type: ignore[arg-type]
    )


STUDY = Study(
    "strict",
    {
        "inputs": _part(LEARNERS, seeds=10, inputs={name: each.inputs for name, each in SUBJECTS.items()}),
        "seconds": _part(LEARNERS, seeds=5, seconds=3.0),
    },
    page,
    draw,
)
