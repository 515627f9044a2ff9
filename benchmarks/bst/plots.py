"""The paper's Figures 4 and 5, drawn from the stored runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmarks import store

Runs = dict[str, list[dict[str, Any]]]

# Okabe and Ito's colours, which the colour-blind can tell apart; lines differ in dashes and markers too.
_LOOKS = (
    ("#000000", ":", "x"),
    ("#56B4E9", "-.", "s"),
    ("#E69F00", "--", "^"),
    ("#CC79A7", (0, (1, 3)), "v"),
    ("#0072B2", "-", "o"),
    ("#D55E00", (0, (5, 1)), "D"),
)


def draw(runs: Runs, folder: Path) -> None:
    """Write both figures as SVG and PNG."""
    for name, figure in (("figure4", figure_4(runs)), ("figure5", figure_5(runs))):
        # With a salt and without a date, the same results give the same bytes.
        with rc_context({"svg.hashsalt": "rlcheck", "svg.fonttype": "none"}):
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        figure.savefig(folder / f"{name}.png", dpi=150, metadata={"Software": None})


def figure_4(runs: Runs) -> Figure:
    """Valid and unique valid trees by state, and how the unique ones came about."""
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    bars, curves = figure.subplots(1, 2)
    _bars(bars, runs)
    for (name, group), (colour, dashes, _) in zip(runs.items(), _LOOKS, strict=False):
        inputs = [point[0] for point in group[0]["curve"]]
        columns = zip(*(run["curve"] for run in group), strict=True)
        statistics = [store.mean_and_error([point[2] for point in column]) for column in columns]
        means = [mean for mean, _ in statistics]
        curves.plot(inputs, means, color=colour, linestyle=dashes, label=name)
        low = [mean - error for mean, error in statistics]
        high = [mean + error for mean, error in statistics]
        curves.fill_between(inputs, low, high, color=colour, alpha=0.3, linewidth=0)
    curves.set(xlabel="trees made", ylabel="unique valid trees", title="Unique valid trees as trees are made")
    curves.xaxis.set_major_formatter("{x:,.0f}")
    curves.yaxis.set_major_formatter("{x:,.0f}")
    curves.legend()
    return figure


def _bars(axes: Axes, runs: Runs) -> None:
    width = 0.4
    for place, (key, label, colour) in enumerate(
        (("valid", "valid", "#56B4E9"), ("unique_valid", "unique valid", "#0072B2"))
    ):
        statistics = [store.mean_and_error([run[key] for run in group]) for group in runs.values()]
        drawn = axes.bar(
            [index + (place - 0.5) * width for index in range(len(runs))],
            [mean for mean, _ in statistics],
            width,
            yerr=[error for _, error in statistics],
            color=colour,
            capsize=3,
            label=label,
        )
        axes.bar_label(drawn, fmt="{:,.0f}", fontsize=7, padding=2)
    axes.set_xticks(range(len(runs)), [name.replace(" ", "\n") for name in runs])
    axes.set(xlabel="state", ylabel="trees", title="Valid and unique valid trees, by state")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.15)  # Room for the legend.
    axes.legend(loc="upper left", ncols=2)


def figure_5(runs: Runs) -> Figure:
    """How many unique valid trees have which size."""
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.subplots()
    for (name, group), (colour, dashes, marker) in zip(runs.items(), _LOOKS, strict=False):
        sizes = sorted({int(size) for run in group for size in run["sizes"]})
        statistics = [
            store.mean_and_error([run["sizes"].get(str(size), 0) for run in group]) for size in sizes
        ]
        means = [mean for mean, _ in statistics]
        axes.plot(sizes, means, color=colour, linestyle=dashes, marker=marker, markersize=4, label=name)
        # A logarithmic axis has no place for an error as large as its mean.
        low = [max(mean - error, mean / 10) for mean, error in statistics]
        high = [mean + error for mean, error in statistics]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.3, linewidth=0)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.05)
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="nodes in the tree", ylabel="unique valid trees", title="Sizes of unique valid trees")
    axes.legend()
    return figure
