"""DeepRNG's studies: search trees, programs that others wrote, and what a draw costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

from benchmarks.rng.measures import ROWS, costs, cover, grow
from benchmarks.rng.programs import PROGRAMS, missing
from benchmarks.study import Part, Results, Study
from benchmarks.tables import markdown, spread, verdict

_HEAD = """# Guided random numbers

Reproduce with `make bench-rng`.

## Search trees (DeepRNG, section 3.1)

Trees of depth 4, pruned with probability 0.5, numbers 1 to 31: the numbers are guided, the shape is not. A
valid tree is worth 1 at its end, any other 0. Here is the best share of valid trees in {window:,} episodes in
a row, of {episodes:,}, with the state and its history as in the paper: mean of {seeds} seeds and its standard
error. The learner is {learner}; `random` is `uniform`. Its step size and the least width of its distributions
were chosen on these trees, in a simulation of them.

"""
_PROGRAMS = """
## Programs that others wrote (DeepRNG, section 3.2 and Table 2)

Branches covered after so many draws: mean and standard deviation of {seeds} seeds, and the p-value of
Welch's t-test against random. The learner is `rarity` in every row; `failures` counts different errors.
`graphs`, `machines`, `modules` and `records` were chosen first, and nothing is left to find in the first two;
`dates`, `mails`, `matchings` and `pages` because plain draws still find branches after the first 1,000. The
last six refuse most of what plain draws make. They were added with the learner, which was made on the first
eight, `isodates`, `regexes`, `requirements` and `settings`; `sources` was looked at for the last of its
settings, `templates` for none. NetworkX's functions of directed graphs without cycles were tried too, and
left out: nothing is left to find there after 10,000 draws.

"""
_COSTS = """
## What a draw costs

Of the best of five rounds, made 20 calls deep. A guide and a program of its own take turns; with two cores,
neither has to give way to the other.

"""


def welch(left: Sequence[float], right: Sequence[float]) -> float:
    """The two-sided p-value of Welch's t-test; 1 where nothing varies and nothing differs."""
    spread = stdev(left) ** 2 / len(left), stdev(right) ** 2 / len(right)
    if sum(spread) == 0.0:
        return 1.0 if fmean(left) == fmean(right) else 0.0
    t = abs(fmean(left) - fmean(right)) / math.sqrt(sum(spread))
    freedom = sum(spread) ** 2 / (spread[0] ** 2 / (len(left) - 1) + spread[1] ** 2 / (len(right) - 1))
    return 2.0 * _tail(t, freedom)


def _tail(t: float, freedom: float, steps: int = 4_000) -> float:
    """How likely Student's t is above a value: the density, summed by Simpson's rule over an angle."""
    # With t = sqrt(freedom) * tan(angle) the density becomes cos(angle) ** (freedom - 1), on a finite range.
    low = math.atan(t / math.sqrt(freedom))
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    width = (math.pi / 2 - low) / steps
    total = 0.0
    for step in range(steps + 1):
        weight = 1 if step in (0, steps) else 4 if step % 2 else 2
        total += weight * max(0.0, math.cos(low + step * width)) ** (freedom - 1)
    return scale * total * width / 3


def _rows_of(runs: list[dict[str, Any]]) -> list[str]:
    """The rows of the table that were run, in its order."""
    return [name for name in ROWS if any(run["row"] == name for run in runs)]


def trees_table(rows: list[dict[str, Any]]) -> list[str]:
    """The success rate of each row."""
    lines = []
    plain = [row["best"] for row in rows if row["row"] == "random"]
    for name in _rows_of(rows):
        best = [row["best"] for row in rows if row["row"] == name]
        p = "baseline" if name == "random" else f"{welch(best, plain):.3f}"
        lines.append([name, spread(best, 3), p])
    return markdown(["state", "best success rate", "p against random"], lines)


def programs_table(rows: list[dict[str, Any]], program: str) -> list[str]:
    """The coverage of each row on one program."""
    of_program = [row for row in rows if row["program"] == program]
    marks = of_program[0]["marks"]
    lines = []
    plain = [row["branches"] for row in of_program if row["row"] == "random"]
    for name in _rows_of(of_program):
        runs = [row for row in of_program if row["row"] == name]
        cells = [name]
        for mark in range(len(marks)):
            branches = [row["branches"][mark] for row in runs]
            cells.append(f"{fmean(branches):.1f} ± {stdev(branches):.1f}")
            p = welch(branches, [row[mark] for row in plain])
            cells.append("baseline" if name == "random" else f"{p:.3f}")
        failures = {failure for row in runs for failure in row["failures"]}
        lines.append([*cells, str(len(failures))])
    heads = [f"state, of {of_program[0]['total']:,}"]
    heads += [head for mark in marks for head in (f"{mark:,} draws", "p")]
    return [f"### {program}", "", *markdown([*heads, "failures"], lines), ""]


def verdicts(rows: list[dict[str, Any]]) -> list[str]:
    """On how many programs each row ends above or below random."""
    ends: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        ends.setdefault((row["program"], row["row"]), []).append(row["branches"][-1])
    programs = list(dict.fromkeys(row["program"] for row in rows))
    lines = []
    for name in _rows_of(rows)[1:]:
        run = [one for one in programs if (one, name) in ends]
        sure = [one for one in run if welch(ends[one, name], ends[one, "random"]) < 0.05]
        above = [one for one in sure if fmean(ends[one, name]) > fmean(ends[one, "random"])]
        below = [one for one in sure if one not in above]
        passed = verdict(len(above) >= 2 and not below)
        lines.append(
            f"- {name}, after the last draw, with p < 0.05: above random on {_named(above)}, below on"
            f" {_named(below)}, of {len(run)}: {passed} (above on two, below on none)."
        )
    return [*lines, ""]


def _named(names: list[str]) -> str:
    return ", ".join(names) or "none"


def costs_table(rows: list[dict[str, Any]]) -> list[str]:
    """What a draw costs."""
    lines = []
    for row in rows:
        draws = f"{row.get('draws_per_second', 0):,.0f} draws/s"
        lines.append([row["what"], f"{row['microseconds']:.2f} µs" if "microseconds" in row else draws])
    return markdown(["what", "figure"], lines)


def page(results: Results) -> str:
    """Return the page."""
    parts: list[str] = []
    if grown := results.get("trees"):
        each = Counter(row["row"] for row in grown).values()
        seeds = f"{min(each)} to {max(each)}" if min(each) < max(each) else max(each)
        first = grown[0]
        window = first["episodes"] // len(first["shares"])
        head = {"window": window, "episodes": first["episodes"], "learner": f"`{first['learner']}`"}
        parts += [_HEAD.format(**head, seeds=seeds), *trees_table(grown)]
    if covered := results.get("programs"):
        parts.append(_PROGRAMS.format(seeds=len({row["seed"] for row in covered})))
        for program in dict.fromkeys(row["program"] for row in covered):
            parts += programs_table(covered, program)
        parts += verdicts(covered)
    if paid := results.get("costs"):
        parts += [_COSTS.strip("\n"), "", *costs_table(paid)]
    return "\n".join(parts).replace("\n\n\n", "\n\n")


STUDY = Study(
    "rng",
    {
        "costs": Part(costs, inputs=20_000, keys=("", "")),
        "trees": Part(grow, methods=ROWS, seeds=5, inputs=400_000, keys=("", "row")),
        "programs": Part(
            cover, list(PROGRAMS), ROWS, seeds=5, inputs=100_000, missing=missing, keys=("program", "row")
        ),
    },
    page,
)
