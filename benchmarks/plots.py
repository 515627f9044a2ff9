"""What figures share: colours for the colour-blind, bands of errors, files that stay the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.tables import estimate

#: Okabe and Ito's colours; lines differ in dashes too.
COLOURS = ("#000000", "#0072B2", "#E69F00", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#999999")
DASHES: tuple[Any, ...] = (":", "-", "--", "-.", (0, (5, 1)), (0, (1, 3)), "-", "--")


def looks(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return a colour and dashes for each name."""
    kinds = cycle(zip(COLOURS, DASHES, strict=True))
    return {
        name: {"color": colour, "linestyle": dashes}
        for name, (colour, dashes) in zip(names, kinds, strict=False)
    }


def band(axes: Axes, places: Sequence[float], columns: Iterable[Sequence[float]], **look: Any) -> None:
    """Draw the means of some columns of values, and their standard errors around them."""
    found = [estimate(column) for column in columns]
    axes.plot(places, [mean for mean, _ in found], **look)
    low, high = ([mean + sign * error for mean, error in found] for sign in (-1, 1))
    axes.fill_between(places, low, high, color=look["color"], alpha=0.2, linewidth=0)


def panels(names: Sequence[str], draw: Callable[[Axes, str], None], *, x: str, y: str) -> Figure:
    """Draw a panel for each name, with one legend for all."""
    columns = min(4, max(len(names), 1))
    rows = -(-len(names) // columns) or 1
    figure = Figure(figsize=(2.7 * columns, 2.0 * rows + 0.6), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axis in axes[len(names) :]:
        axis.remove()
    for name, axis in zip(names, axes, strict=False):
        draw(axis, name)
        axis.set_title(name)
        axis.set_ylim(bottom=0)
        axis.spines[["top", "right"]].set_visible(False)
    lines = {str(line.get_label()): line for axis in figure.axes for line in axis.get_lines()}
    figure.legend(
        list(lines.values()), list(lines), loc="outside upper center", ncols=min(6, len(lines) or 1)
    )
    figure.supxlabel(x)
    figure.supylabel(y)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG: the same results give the same bytes."""
    drawn = StringIO()
    with rc_context({"svg.hashsalt": "rlcheck", "svg.fonttype": "none", "font.size": 8}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    path.write_text(_compact(drawn.getvalue()))


def _compact(svg: str) -> str:
    """Return the same figure in a quarter of the bytes: a tenth of a point is fine enough."""
    svg = re.sub(r"<!--.*?-->|<!DOCTYPE.*?>|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:d|x|y|transform)="[^"]*"', lambda found: _rounded(found[0]), svg)
    svg = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", svg)  # References only go to those without a number.
    svg = re.sub(r"\s*\n\s*", "", re.sub(r"(?<=[;:]) ", "", svg))
    while (fewer := re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", svg)) != svg:  # Groups without a purpose.
        svg = fewer
    return svg + "\n"


def _rounded(attribute: str) -> str:
    """Return an attribute with its numbers rounded, without unneeded spaces."""
    attribute = re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), attribute)
    return re.sub(r"\s*([MLQCzZ])\s*", r"\1", attribute) if attribute.startswith(" d=") else attribute
