"""The paper's Figures 6, 7 and 8, drawn from the stored runs: a panel for each subject."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks import store

Point = dict[str, float]
Found = dict[str, list[dict[str, Any]]]

# Okabe and Ito's colours, which the colour-blind can tell apart; those of one learner differ in their dashes.
_LOOKS = {
    "uniform": ("#000000", ":"),
    "monte-carlo": ("#0072B2", "-"),
    "monte-carlo (grey-box)": ("#0072B2", "--"),
    "zest": ("#E69F00", "-"),
    "diverse": ("#009E73", "-"),
    "portfolio": ("#D55E00", "-"),
}


def draw(runs: dict[str, Found], folder: Path) -> None:
    """Write the figures as SVG."""
    figures: dict[str, tuple[str, Callable[[Point], float | None]]] = {
        "share": ("diverse valid, % of inputs", lambda p: 100 * p["diverse"] / max(p["inputs"], 1)),
        "diverse": ("diverse valid inputs", lambda p: p["diverse"]),
        "branches": ("branches by valid inputs", lambda p: p["branches"]),
    }
    for name, (label, of) in figures.items():
        # With a salt and without a date, the same results give the same bytes.
        with rc_context({"svg.hashsalt": "rlcheck", "svg.fonttype": "none", "font.size": 7}):
            drawn = StringIO()
            _figure(runs, label, of).savefig(drawn, format="svg", metadata={"Date": None})
        (folder / f"{name}.svg").write_text(compact(drawn.getvalue()))


def compact(svg: str) -> str:
    """The same figure in a quarter of the bytes: a tenth of a point is fine enough."""
    svg = re.sub(r"<!--.*?-->|<!DOCTYPE.*?>|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:d|x|y|transform)="[^"]*"', lambda found: _rounded(found[0]), svg)
    svg = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", svg)  # Only those are referred to that have no number.
    svg = re.sub(r"\s*\n\s*", "", re.sub(r"(?<=[;:]) ", "", svg))
    while (fewer := re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", svg)) != svg:  # Groups that say nothing.
        svg = fewer
    return svg + "\n"


def _rounded(attribute: str) -> str:
    """An attribute with its numbers rounded, without spaces that say nothing."""
    attribute = re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), attribute)
    return re.sub(r"\s*([MLQCzZ])\s*", r"\1", attribute) if attribute.startswith(" d=") else attribute


def _figure(runs: dict[str, Found], label: str, of: Callable[[Point], float | None]) -> Figure:
    shown = {subject: found for subject, found in runs.items() if _has(found, of)}
    columns = min(4, max(len(shown), 1))
    rows = -(-len(shown) // columns) or 1
    figure = Figure(figsize=(2.6 * columns, 1.9 * rows + 0.6), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axis in axes[len(shown) :]:
        axis.remove()
    for (subject, found), axis in zip(shown.items(), axes, strict=False):
        _panel(axis, found, of)
        axis.set_title(subject)
    lines = {line.get_label(): line for axis in figure.axes for line in axis.get_lines()}
    names = [name for name in _LOOKS if name in lines]
    figure.legend([lines[name] for name in names], names, loc="outside upper center", ncols=len(names))
    figure.supxlabel("seconds")
    figure.supylabel(label)
    return figure


def _has(found: Found, of: Callable[[Point], float | None]) -> bool:
    return of(next(iter(found.values()))[0]["points"][-1]) is not None


def _panel(axis: Axes, found: Found, of: Callable[[Point], float | None]) -> None:
    for method, rows in found.items():
        colour, dashes = _LOOKS[method]
        columns = list(zip(*(row["points"] for row in rows), strict=False))[::-2][::-1]
        times = [store.mean_and_error([point["seconds"] for point in column])[0] for column in columns]
        values = [store.mean_and_error([of(point) or 0.0 for point in column]) for column in columns]
        looks: dict[str, Any] = {"color": colour, "clip_on": False}
        axis.plot(times, [mean for mean, _ in values], **looks, linestyle=dashes, label=method, linewidth=1)
        if len(rows) > 1:
            low = [mean - error for mean, error in values]
            high = [mean + error for mean, error in values]
            axis.fill_between(times, low, high, **looks, alpha=0.2, linewidth=0)
    axis.set_ylim(bottom=0)
    axis.locator_params(nbins=3)
    axis.spines[["top", "right"]].set_visible(False)
