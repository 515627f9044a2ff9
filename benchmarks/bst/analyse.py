"""Turns the stored runs of the study into its page: tables, figures met or missed, plots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.bst import plots
from benchmarks.bst.sweep import SEEDS, TREES

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

Reproduce with `{command}`; rlcheck {rlcheck} {build}, Python {python}, {machine}, {jobs} runs at a time.
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


def main() -> None:
    """`python -m benchmarks.bst.analyse`."""
    runs: plots.Runs = {}
    for row in store.read("bst/study"):
        runs.setdefault(row["variant"], []).append(row)
    folder = store.RESULTS / "bst"
    checked = figures(runs)
    (folder / "README.md").write_text(page(runs, checked))
    plots.draw(runs, folder)
    print("\n".join(checked))
    print(f"Wrote {_shown(folder / 'README.md')}")


def page(runs: plots.Runs, checked: list[str]) -> str:
    """The page of the study."""
    first = runs["Random"][0]
    trees, seeds = first["trees"], len(runs["Random"])
    command = "make bench-bst"
    if (trees, seeds) != (TREES, SEEDS) or not first["compiled"]:
        command = (
            f"python -m benchmarks.bst.run --trees {trees} --seeds {seeds} --jobs {first['jobs']}"
            " && python -m benchmarks.bst.analyse"
        )
    build = "compiled" if first["compiled"] else "not compiled"
    head = _HEAD.format(**first, seeds=seeds, command=command, build=build)
    met = "\n".join(f"- {line}" for line in checked)
    goals = f"## Figures to reach with {TREES:,} trees\n\n{met}\n"
    return f"{head}\n{table(runs)}\n{_STATES}\n{goals}\n{paper(runs)}"


def table(runs: plots.Runs) -> str:
    """One line per variant, with the released script's figures beside them."""
    lines = [
        "| state | valid | unique valid | x Random | largest tree | rows | inputs/s"
        " | released: valid | unique valid | largest |",
        "|---|" + "---:|" * 9,
    ]
    for name, group in runs.items():
        valid, unique, largest = RELEASED.get(name, (None, None, None))
        cells = [
            name,
            _spread(group, lambda run: run["valid"]),
            _spread(group, lambda run: run["unique_valid"]),
            f"{_mean(runs, name) / _mean(runs, 'Random'):.1f}",
            _spread(group, lambda run: run["largest"], digits=1),
            _spread(group, lambda run: run["rows"]) if name != "Random" else "",
            _spread(group, lambda run: run["trees"] / run["seconds"]),
            *("" if figure is None else f"{figure:,}" for figure in (valid, unique, largest)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def figures(runs: plots.Runs) -> list[str]:
    """What the study has to reach, and whether it did."""
    random, sequence = _mean(runs, "Random"), _mean(runs, "Sequence")
    by_side, automatic = _mean(runs, "Tree L/R"), _mean(runs, "Call tree")
    diverse = _mean(runs, "Diverse")
    checks = [
        (by_side >= 9_000, f"Tree L/R: {by_side:,.0f} unique valid trees; at least 9,000"),
        (by_side >= 10 * random, f"Tree L/R: {by_side / random:.1f} times Random; at least 10"),
        (by_side > sequence, f"Tree L/R: {by_side:,.0f}; more than Sequence, {sequence:,.0f}"),
        (automatic >= 9_000, f"Call tree: {automatic:,.0f} unique valid trees; at least 9,000"),
        (diverse >= 50_000, f"Diverse: {diverse:,.0f} unique valid trees; at least 50,000"),
    ]
    return [f"{'PASS' if met else 'MISS'}: {text}." for met, text in checks]


def paper(runs: plots.Runs) -> str:
    """What the paper's text says of its figures, which it does not tabulate, and what was seen here."""
    unique = {name: _mean(runs, name) for name in runs}
    valid = {name: store.mean_and_error([run["valid"] for run in group])[0] for name, group in runs.items()}
    guided = ("Sequence", "Tree", "Tree L/R")
    fewest_valid = min(guided, key=lambda name: valid[name])
    fewest_unique = min(guided, key=lambda name: unique[name])
    rows = [
        (
            "Tree L/R makes 10 times as many unique valid trees as Random",
            _times(unique, "Tree L/R", "Random"),
        ),
        ("Tree L/R makes 36 % more of them than Sequence", _times(unique, "Tree L/R", "Sequence")),
        ("Tree makes the fewest of them among the three states", f"{fewest_unique} does"),
        ("Tree L/R makes the fewest valid trees among the three", f"{fewest_valid} does"),
    ]
    lines = [f"| {claim} | {seen} |" for claim, seen in rows]
    return "\n".join(["| the paper's text | here |", "|---|---|", *lines]) + "\n"


def _times(unique: dict[str, float], name: str, other: str) -> str:
    return f"{unique[name] / unique[other]:.2f} times"


def _mean(runs: plots.Runs, name: str) -> float:
    return store.mean_and_error([run["unique_valid"] for run in runs[name]])[0]


def _spread(group: list[dict[str, Any]], of: Callable[[dict[str, Any]], float], *, digits: int = 0) -> str:
    mean, error = store.mean_and_error([of(run) for run in group])
    return f"{mean:,.{digits}f} ± {error:,.{digits}f}"


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


if __name__ == "__main__":
    main()
