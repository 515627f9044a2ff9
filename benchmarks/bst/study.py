"""RLCheck's study of binary search trees: states given by hand, automatic ones, and the default learner."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.bst.subject import WINDOW, annotated, is_bst, size, tree
from benchmarks.campaigns import Method, Subject, run_with_curve
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import build, checks, grouped, markdown, mean, spread, times
from rlcheck.abstractions import Sequence
from rlcheck.learners import Diverse, MonteCarlo, Uniform
from rlcheck.rewards import Novelty

TREES = 100_000
#: How many points the curves have.
POINTS = 50

# The paper's parameters, spelt out so that another default changes nothing here.
REWARD = Novelty(unique=20, valid=0, invalid=-1)
_guided = partial(MonteCarlo, epsilon=0.25)

SUBJECT = Subject("bst", tree, is_bst, size=size)
VARIANTS = {
    "Random": Method(Uniform),
    "Sequence": Method(_guided, partial(Sequence, window=WINDOW)),
    # The paper's Tree: that there is a child is part of the state, on which side is not.
    "Tree": Method(_guided, generator=annotated(left=("child",), right=("child",))),
    "Tree L/R": Method(_guided, generator=annotated(left=("L",), right=("R",))),
    "Call tree": Method(_guided),
    # Not in the paper: the default learner.
    "Diverse": Method(Diverse),
}

#: Valid, unique valid and largest tree of the authors' released script: one run, 100,000 trees.
RELEASED = {
    "Random": (31_852, 840, 6),
    "Sequence": (49_022, 6_688, None),
    "Tree": (53_462, 4_233, None),
    "Tree L/R": (47_166, 9_322, 10),
}

_HEAD = """# Binary search trees

RLCheck's study (Reddy, Lemieux, Padhye and Sen, ICSE 2020, section 4.3.1). A generator makes binary trees
of up to five levels with values from 0 to 10 and knows nothing of order; a tree is valid when it is a
strict search tree. Monte-Carlo control, epsilon 0.25, rewards 20, 0 and -1.
Here: {trees:,} trees in a run, {seeds} seeds, mean ± standard error over the seeds.

Reproduce with `make bench-bst`; rlcheck {rlcheck} {build}, Python {python}, {machine}.
"""

_STATES = """
- *Random*: no learner. *Call tree*: the automatic state; the generator says nothing.
- *Sequence*: the last four choices. The library's window also says which choice point each was made at,
  which the paper's does not.
- *Tree*: the values from the root down with a mark for each child on the way, the last four of them.
  *Tree L/R*: the mark says on which side. Both are given by hand.
- *Diverse*: the default learner with automatic states. Not in the paper.
- *Released*: the authors' script, one run of 100,000 trees.

![Valid and unique valid trees, by state, and unique valid trees as trees are made](figure4.svg)

*The paper's Figure 4 (left), and how the unique valid trees came about (right).*

![Sizes of unique valid trees](figure5.svg)

*The paper's Figure 5: how many unique valid trees have which size.*

Bars and bands are standard errors.
"""


def measure(task: Task) -> list[Row]:
    """Run one variant with one seed."""
    method = VARIANTS[task.method]
    campaign, curve, row = run_with_curve(method, SUBJECT, task, reward=REWARD, points=POINTS)
    return [
        {
            "variant": task.method,
            "trees": task.inputs,
            "largest": max(curve.sizes, default=0),
            "rows": campaign.guide.abilities.states,
            "sizes": dict(sorted(curve.sizes.items())),
            **row,
        }
    ]


def page(results: Results) -> str:
    """Return the page."""
    runs = grouped(results["study"], "variant")
    first = next(iter(runs.values()))[0]
    seeds = max(map(len, runs.values()))
    head = _HEAD.format(**first, seeds=seeds, build=build(first))
    goals = [f"## Figures to reach with {TREES:,} trees", "", *figures(runs)]
    return "\n".join([head, *table(runs), _STATES, *goals, "", *paper(runs)])


def table(runs: dict[str, list[Row]]) -> list[str]:
    """Return one line per variant, with the released script's figures beside it."""
    base = mean(runs["Random"], "unique_valid") if "Random" in runs else 0.0
    lines = []
    for name, group in runs.items():
        released = RELEASED.get(name, (None, None, None))
        lines.append(
            [
                name,
                spread((run["valid"] for run in group), 0),
                spread((run["unique_valid"] for run in group), 0),
                times(mean(group, "unique_valid"), base),
                spread((run["largest"] for run in group), 1),
                spread((run["rows"] for run in group), 0) if name != "Random" else "",
                spread((run["trees"] / run["seconds"] for run in group), 0),
                *("" if figure is None else f"{figure:,}" for figure in released),
            ]
        )
    heads = ["state", "valid", "unique valid", "x Random", "largest tree", "rows", "inputs/s"]
    return markdown([*heads, "released: valid", "unique valid", "largest"], lines)


def figures(runs: dict[str, list[Row]]) -> list[str]:
    """Return what the study has to reach, and whether it did; nothing when a variant is missing."""
    if runs.keys() != VARIANTS.keys():
        return []
    unique = {name: mean(group, "unique_valid") for name, group in runs.items()}
    by_side, sequence = unique["Tree L/R"], unique["Sequence"]
    return checks(
        [
            (by_side >= 9_000, f"Tree L/R: {by_side:,.0f} unique valid trees; at least 9,000"),
            (
                by_side >= 10 * unique["Random"],
                f"Tree L/R: {times(by_side, unique['Random'])} times Random; at least 10",
            ),
            (by_side > sequence, f"Tree L/R: {by_side:,.0f}; more than Sequence, {sequence:,.0f}"),
            *(
                (unique[name] >= least, f"{name}: {unique[name]:,.0f} unique valid trees; at least {least:,}")
                for name, least in (("Call tree", 9_000), ("Diverse", 45_000))
            ),
        ]
    )


def paper(runs: dict[str, list[Row]]) -> list[str]:
    """Return what the paper's text says of its figures, and what was seen here."""
    if runs.keys() != VARIANTS.keys():
        return []
    unique, valid = (
        {name: mean(group, key) for name, group in runs.items()} for key in ("unique_valid", "valid")
    )
    guided = ("Sequence", "Tree", "Tree L/R")
    ratios = [f"{times(unique['Tree L/R'], unique[name], 2)} times" for name in ("Random", "Sequence")]
    lines = [
        ["Tree L/R makes 10 times as many unique valid trees as Random", ratios[0]],
        ["Tree L/R makes 36 % more of them than Sequence", ratios[1]],
        [
            "Tree makes the fewest of them among the three states",
            f"{min(guided, key=unique.__getitem__)} does",
        ],
        [
            "Tree L/R makes the fewest valid trees among the three",
            f"{min(guided, key=valid.__getitem__)} does",
        ],
    ]
    return markdown(["the paper's text", "here"], lines, left=2)


def draw(results: Results, folder: Path) -> None:
    """Draw the paper's Figures 4 and 5."""
    from matplotlib.figure import Figure

    from benchmarks import plots

    runs = grouped(results["study"], "variant")
    look = plots.looks(VARIANTS)
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    bars, curves = figure.subplots(1, 2)
    for place, (key, colour) in enumerate((("valid", "#56B4E9"), ("unique_valid", "#0072B2"))):
        heights = [mean(group, key) for group in runs.values()]
        places = [index + (place - 0.5) * 0.4 for index in range(len(runs))]
        drawn = bars.bar(places, heights, 0.4, color=colour, label=key.replace("_", " "))
        bars.bar_label(drawn, fmt="{:,.0f}", fontsize=7, padding=2)
    bars.set_xticks(range(len(runs)), [name.replace(" ", "\n") for name in runs])
    bars.set(xlabel="state", ylabel="trees", title="Valid and unique valid trees, by state")
    bars.margins(y=0.15)  # Room for the legend.
    for name, group in runs.items():
        columns = list(zip(*(run["curve"] for run in group), strict=True))
        unique = [[point[2] for point in column] for column in columns]
        plots.band(curves, [column[0][0] for column in columns], unique, label=name, **look[name])
    curves.set(xlabel="trees made", ylabel="unique valid trees", title="Unique valid trees as trees are made")
    for axes in (bars, curves):
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.legend()
    plots.save(figure, folder / "figure4.svg")
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, group in runs.items():
        sizes = sorted({int(size) for run in group for size in run["sizes"]})
        counts = [[run["sizes"].get(str(size), 0) for run in group] for size in sizes]
        plots.band(axes, sizes, counts, label=name, marker=".", **look[name])
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.05)
    axes.set(xlabel="nodes in the tree", ylabel="unique valid trees", title="Sizes of unique valid trees")
    axes.legend()
    plots.save(figure, folder / "figure5.svg")


STUDY = Study(
    "bst",
    {"study": Part(measure, methods=list(VARIANTS), seeds=10, inputs=TREES, keys=("", "variant"))},
    page,
    draw,
)
