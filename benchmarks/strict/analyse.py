"""Tables and curves of the strict suite: `python -m benchmarks.strict.analyse`."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks import store

CHECKPOINTS = (1_000, 10_000, 100_000)
#: What the project's own learner is compared with.
OURS, BASELINES = "diverse", ("monte-carlo", "uniform")
#: Told apart in print and by colour-blind readers (Okabe and Ito).
COLOURS = ("#999999", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000")

#: Unique valid inputs in 60 seconds by rejection sampling and by Choice Gradient Sampling, as published.
PUBLISHED = {
    "bst": (7_354, 22_107),
    "sorted-list": (5_768, 59_677),
    "avl": (129, 219),
    "lambda": (70_127, 280_091),
}

Row = dict[str, Any]
Snapshot = dict[str, float]
#: The runs of a learner on a subject, one per seed.
Runs = dict[tuple[str, str], list[Row]]


def grouped(rows: Iterable[Row]) -> Runs:
    """Rows by subject and learner, in the order in which they are stored."""
    runs: Runs = defaultdict(list)
    for row in rows:
        runs[row["subject"], row["learner"]].append(row)
    return runs


def in_order(names: Iterable[str]) -> list[str]:
    """Each name once: baselines first, ours last, the others between them."""
    rank = {"uniform": -2, "monte-carlo": -1, OURS: 1}
    return sorted(dict.fromkeys(names), key=lambda name: rank.get(name, 0))


def snapshot_at(row: Row, inputs: int | None) -> Snapshot | None:
    """How a run stood after so many inputs (None: at its end); None when it did not get there."""
    if inputs is None:
        return row["snapshots"][-1]  # type: ignore[no-any-return]
    return next((snapshot for snapshot in row["snapshots"] if snapshot["inputs"] == inputs), None)


def cell(snapshots: Sequence[Snapshot]) -> str:
    """What a table says of a learner on a subject."""
    mean, error = store.mean_and_error([snapshot["unique_valid"] for snapshot in snapshots])
    shapes, _ = store.mean_and_error([snapshot.get("effective_shapes", 0.0) for snapshot in snapshots])
    inputs = sum(snapshot["inputs"] for snapshot in snapshots)
    speed = inputs / max(sum(snapshot["seconds"] for snapshot in snapshots), 1e-9)
    digits = 1 if 0 < mean < 10 else 0
    return f"{mean:,.{digits}f} ± {error:,.{digits}f} [{shapes:,.{digits}f}] {speed:,.0f}/s"


def ratio(ours: Sequence[Snapshot], theirs: Sequence[Snapshot]) -> str:
    """How many times as many unique valid inputs ours found, on average."""
    if not ours or not theirs:
        return ""
    found = sum(snapshot["unique_valid"] for snapshot in ours) / len(ours)
    base = sum(snapshot["unique_valid"] for snapshot in theirs) / len(theirs)
    return f"{found / base:,.1f}" if base else ("∞" if found else "-")


def table(runs: Runs, inputs: int | None) -> list[str]:
    """A Markdown table after so many inputs; empty when no run got there."""
    learners = in_order(learner for _, learner in runs)
    baselines = [name for name in BASELINES if OURS in learners and name in learners]
    lines = []
    for subject in dict.fromkeys(subject for subject, _ in runs):
        found = {
            learner: [s for row in runs.get((subject, learner), ()) if (s := snapshot_at(row, inputs))]
            for learner in learners
        }
        if not any(found.values()):
            continue
        held_out = any(row["held_out"] for learner in learners for row in runs.get((subject, learner), ()))
        cells = [f"{subject} (held out)" if held_out else subject]
        cells += [cell(found[learner]) if found[learner] else "" for learner in learners]
        cells += [ratio(found[OURS], found[name]) for name in baselines]
        lines.append(f"| {' | '.join(cells)} |")
    if not lines:
        return []
    heads = ["subject", *learners, *(f"{OURS} / {name}" for name in baselines)]
    return [f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 1)}|", *lines]


def report(name: str) -> str:
    """The page of results."""
    lines = [
        "# Strict subjects",
        "",
        "Unique valid inputs: mean ± standard error over seeds [mean of effective shapes] inputs per second.",
        "A shape is an input with its leaf values erased. Effective shapes are how many there would be if",
        "all were equally frequent: the exponential of the entropy. Held-out subjects were never tuned on.",
    ]
    if (store.RESULTS / name / "inputs.jsonl").exists():
        rows = store.read(f"{name}/inputs")
        runs = grouped(rows)
        lines += ["", _origin(rows), "", "![Unique valid inputs over inputs](curves.svg)"]
        tables = {f"After {inputs:,} inputs": table(runs, inputs) for inputs in CHECKPOINTS}
        between = grouped(row for row in rows if row["snapshots"][-1]["inputs"] not in CHECKPOINTS)
        tables["At the end, where it lies between"] = table(between, None)
        for title, body in tables.items():
            if body:
                lines += ["", f"## {title}", "", *body]
    if (store.RESULTS / name / "seconds.jsonl").exists():
        rows = store.read(f"{name}/seconds")
        # A run ends with the input that passes the limit, so the shortest one is nearest to it.
        seconds = min(row["snapshots"][-1]["seconds"] for row in rows)
        lines += ["", f"## After {seconds:.2g} seconds", "", _origin(rows), "", *table(grouped(rows), None)]
    lines += beside_published()
    return "\n".join(lines) + "\n"


def beside_published() -> list[str]:
    """Unique valid inputs in 60 seconds, beside those published for Choice Gradient Sampling."""
    if not (store.RESULTS / "strict-60s" / "seconds.jsonl").exists():
        return []
    rows = store.read("strict-60s/seconds")
    lines = ["", "## Beside Choice Gradient Sampling (2022): unique valid in 60 seconds", "", _origin(rows)]
    lines += [
        "Their machine, language and generators differ: the figures are neighbours, not a comparison.",
        "",
    ]
    lines += [
        "| subject | rejection sampling, published | CGS, published | diverse |",
        "|---|---:|---:|---:|",
    ]
    for (subject, _), runs in grouped(rows).items():
        rejection, gradient = PUBLISHED[subject]
        mean, error = store.mean_and_error([row["snapshots"][-1]["unique_valid"] for row in runs])
        found = f"{mean:,.0f} ± {error:,.0f}" if len(runs) > 1 else f"{mean:,.0f}"
        lines.append(f"| {subject} | {rejection:,} | {gradient:,} | {found} |")
    return lines


def _origin(rows: Sequence[Row]) -> str:
    row = rows[0]
    compiled = "compiled" if row["compiled"] else "not compiled"
    seeds: dict[str, int] = {}
    for each in rows:
        seeds[each["learner"]] = max(seeds.get(each["learner"], 0), each["seed"] + 1)
    most = max(seeds.values())
    counts = [_seeds(most), *(f"{_seeds(n)} of {learner}" for learner, n in seeds.items() if n < most)]
    origin = f"rlcheck {row['rlcheck']} ({compiled}), Python {row['python']}, {row['machine']}"
    return f"{origin}; {', '.join(counts)}."


def _seeds(count: int) -> str:
    return "1 seed" if count == 1 else f"{count} seeds"


def curves(runs: Runs, path: Path) -> None:
    """Unique valid inputs over inputs, a panel per subject; bands are standard errors."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    # Text stays text and identifiers stay the same, so that a drawn file changes only with its data.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rlcheck", "font.size": 8})
    subjects = list(dict.fromkeys(subject for subject, _ in runs))
    learners = in_order(learner for _, learner in runs)
    columns = min(4, len(subjects))
    height = -(-len(subjects) // columns)
    figure, axes = plt.subplots(
        height, columns, figsize=(2.8 * columns, 2.2 * height + 0.5), squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(subjects) :]:
        axis.remove()
    for subject, axis in zip(subjects, axes.flat, strict=False):
        panel(axis, subject, {name: runs.get((subject, name), []) for name in learners})
    lines = {line.get_label(): line for axis in figure.axes for line in axis.get_lines()}
    names = [name for name in learners if name in lines]
    figure.legend([lines[name] for name in names], names, loc="outside upper center", ncols=len(names))
    figure.supxlabel("inputs")
    figure.supylabel("unique valid inputs")
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def panel(axis: Any, subject: str, runs: dict[str, list[Row]]) -> None:
    """Draw one subject."""
    most = 0.0
    # A learner has the same place, hence the same colour, in every panel.
    for colour, (learner, rows) in zip(cycle(COLOURS), runs.items()):
        if not rows:
            continue
        points: dict[float, list[float]] = defaultdict(list)
        for row in rows:
            for snapshot in row["snapshots"]:
                points[snapshot["inputs"]].append(snapshot["unique_valid"])
        inputs = sorted(count for count, values in points.items() if len(values) == len(rows))
        found = [store.mean_and_error(points[count]) for count in inputs]
        axis.plot(inputs, [mean for mean, _ in found], color=colour, label=learner, linewidth=1.3)
        low = [mean - error for mean, error in found]
        high = [mean + error for mean, error in found]
        axis.fill_between(inputs, low, high, color=colour, alpha=0.2, linewidth=0)
        most = max(most, *high)
    held_out = any(row["held_out"] for rows in runs.values() for row in rows)
    axis.set_title(f"{subject} (held out)" if held_out else subject)
    axis.set_xscale("log")
    if most > 20:
        # Below one it is linear, since every curve starts at none.
        axis.set_yscale("symlog", linthresh=1)
    axis.set_ylim(bottom=0)
    axis.grid(visible=True, alpha=0.25)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and its figure beside the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strict.analyse", description=__doc__)
    parser.add_argument("--name", default="strict", help="the folder of the results")
    name = parser.parse_args(arguments).name
    folder = store.RESULTS / name
    if (folder / "inputs.jsonl").exists():
        curves(grouped(store.read(f"{name}/inputs")), folder / "curves.svg")
    (folder / "README.md").write_text(report(name))
    print(folder / "README.md")


if __name__ == "__main__":
    main()
