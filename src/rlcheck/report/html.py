"""The page about runs: with its data as a report that works offline, without as the face of the dashboard.

It includes uPlot, which draws the plots.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from rlcheck.report.record import Snapshot
from rlcheck.report.schema import Run
from rlcheck.report.store import Store

#: The most points of a curve, and the most sizes that a distribution shows separately.
_POINTS, _SIZES = 500, 200

#: The most bars of any other distribution.
_BARS = 80


def page(store: Store, runs: Sequence[Run]) -> str:
    """The report about some runs."""
    return _filled(about(store, runs))


def empty_page() -> str:
    """The page of the dashboard, which asks the server for its data."""
    return _filled(None)


def about(store: Store, runs: Sequence[Run]) -> dict[str, Any]:
    """What the page shows about some runs."""
    return {"runs": [_about(store, run) for run in runs], "failures": _failures(store, runs)}


def _filled(data: dict[str, Any] | None) -> str:
    folder = files("rlcheck.report")
    made = (folder / "template.html").read_text(encoding="utf-8")
    # The data must not end the script element that contains it.
    parts = {
        "UPLOT_LICENSE": (folder / "uPlot.LICENSE").read_text(encoding="utf-8"),
        "UPLOT_CSS": (folder / "uPlot.min.css").read_text(encoding="utf-8"),
        "UPLOT_JS": (folder / "uPlot.iife.min.js").read_text(encoding="utf-8"),
        "DATA": json.dumps(data).replace("<", "\\u003c"),
    }
    for name, part in parts.items():
        made = made.replace(f"/*{name}*/", part, 1)
    return made


def _about(store: Store, run: Run) -> dict[str, Any]:
    progress = store.progress(run.id)
    last = progress[-1]._asdict() if progress else {}
    details = run.details
    return {
        "id": run.id,
        "label": f"{run.settings.get('learner')} (run {run.id})",
        "target": run.target,
        "settings": {name: value for name, value in run.settings.items() if value is not None},
        "versions": run.versions,
        "started": run.started,
        "stopped": run.stopped,
        "last": last,
        "curve": _curve(progress),
        "sizes": _sizes(details.get("sizes", [])),
        "size": _binned(details.get("size", [])),
        "depth": _binned(details.get("depth", [])),
        "labels": {label: _binned(rows) for label, rows in details.get("labels", {}).items()},
        "note": details.get("note", ""),
        "looked": details.get("looked", 0),
        "tree": details.get("tree", []),
        "inputs": details.get("inputs", []),
        "rejections": details.get("rejections", []),
    }


def _curve(progress: Sequence[Snapshot]) -> dict[str, list[float]]:
    every = max(1, -(-len(progress) // _POINTS))
    kept = [*progress[:-1:every], *progress[-1:]]
    rates: list[float] = []
    speeds: list[float] = []
    before = Snapshot(0.0, 0, 0, 0, 0, 0, 0)
    for snapshot in kept:
        made, seconds = snapshot.episodes - before.episodes, snapshot.seconds - before.seconds
        rates.append((snapshot.valid - before.valid) / made if made else (rates[-1] if rates else 0.0))
        speeds.append(made / seconds if seconds > 0.0 else (speeds[-1] if speeds else 0.0))
        before = snapshot
    if kept:  # Every curve begins at zero.
        kept.insert(0, Snapshot(0.0, 0, 0, 0, 0, 0, 0))
        rates.insert(0, rates[0])
        speeds.insert(0, speeds[0])
    return {
        "seconds": [round(snapshot.seconds, 2) for snapshot in kept],
        "episodes": [snapshot.episodes for snapshot in kept],
        "unique_valid": [snapshot.unique_valid for snapshot in kept],
        "effective_shapes": [round(snapshot.effective_shapes, 1) for snapshot in kept],
        "shapes": [snapshot.shapes for snapshot in kept],
        "branches": [snapshot.branches for snapshot in kept],
        "speed": [round(speed, 1) for speed in speeds],
        "valid_rate": [round(100 * rate, 2) for rate in rates],
    }


def _binned(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Values with their counts; neighbours are merged into bins of the same width if there are too many."""
    numbers = [row[0] for row in rows if not isinstance(row[0], str)]
    if len(numbers) <= _BARS:
        return [list(row) for row in rows]
    width = (max(numbers) - min(numbers)) / _BARS
    width = -(-width // 1) if all(isinstance(number, int) for number in numbers) else width
    counts: dict[str | float, list[int]] = {}
    for value, inputs, valid in rows:
        place = value if isinstance(value, str) else float(f"{value // width * width:.6g}")
        pair = counts.setdefault(place, [0, 0])
        pair[0] += inputs
        pair[1] += valid
    return [[value, *pair] for value, pair in counts.items()]


def _sizes(sizes: Sequence[Sequence[int]]) -> list[list[int]]:
    """Sizes and counts; neighbours are merged if there are too many."""
    if not sizes:
        return []
    widest = sizes[-1][0]
    width = -(-(widest + 1) // _SIZES)
    counts: dict[int, int] = {}
    for size, count in sizes:
        place = size // width * width
        counts[place] = counts.get(place, 0) + count
    return [[size, counts[size]] for size in sorted(counts)]


def _failures(store: Store, runs: Sequence[Run]) -> list[dict[str, Any]]:
    targets = {run.target for run in runs}
    return [failure.as_json() for failure in store.failures() if failure.target in targets]
