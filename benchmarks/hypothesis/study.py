"""Hypothesis tests as users write them, on its default backend and on ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from benchmarks.hypothesis import measures
from benchmarks.hypothesis.drive import BACKENDS
from benchmarks.hypothesis.properties import BUGS, PROPERTIES
from benchmarks.study import Part, Results, Row, Study
from benchmarks.tables import Estimate, estimate, grouped, markdown, mean, origin, verdict

THEIRS, OURS = BACKENDS
#: The least ratio of unique valid inputs at equal test cases.
EXAMPLES = {"bst": 7.0, "parentheses": 8.0, "lambda-terms": 40.0, "xml-schema": 30.0}
EXAMPLES |= {name: 0.95 for name, subject in PROPERTIES.items() if not subject.sparse}
#: The least ratios of unique valid inputs and of shapes at equal time; of all others, 1 and nothing.
SECONDS = dict.fromkeys(("bst", "parentheses", "lambda-terms"), (10.0, 3.0))
#: The most time per test case, where nothing is assumed.
MOST_TIME = 1.5
#: Of ten seeds: the least that have to find a bug on our backend, the most that may on the default one.
FOUND, FOUND_BY_DEFAULT = 9, 3
#: The least ratio of valid test cases among the first ones, of a second run.
SECOND_RUN = 3.0

_HEAD = """# Hypothesis tests, on its default backend and on `backend="rlcheck"`

Tests as users write them: a strategy that knows nothing of what `assume()` asks for. A test case is one call
of the test function, those that a filter or the search of our backend uses up included. *Valid*: it was not
rejected; of the state machine: its deepest rule ran. *Unique*: by `repr`. *Shapes*: with values erased.
Means ± standard errors over seeds; a ratio is that of the means.

Reproduce with `make bench-hypothesis`.
"""


def ratio(ours: Estimate, theirs: Estimate) -> Estimate:
    """The ratio of two means; its error by propagation of theirs."""
    if not theirs[0]:
        return (math.inf if ours[0] else math.nan, 0.0)
    value = ours[0] / theirs[0]
    parts = [error / mean for mean, error in (ours, theirs) if mean]
    return value, value * math.hypot(*parts)


def shown(number: Estimate) -> str:
    """A mean and its error, with as many digits as they are worth."""
    mean, error = number
    if not math.isfinite(mean):
        return "∞" if mean > 0 else "-"
    digits = 0 if mean >= 100 else 1 if mean >= 10 else 2
    return f"{mean:,.{digits}f} ± {error:,.{digits}f}"


def at_least(number: Estimate, target: float | None) -> str:
    """A ratio beside the least it has to be. Nothing over nothing is no less."""
    if target is None:
        return shown(number)
    met = math.isnan(number[0]) or number[0] >= target
    return f"{shown(number)} (≥ {target:g}: {verdict(met)})"


def compared(
    runs: dict[tuple[str, str], list[Row]], scale: Callable[[Row], float]
) -> list[tuple[str, dict[str, list[Estimate]]]]:
    """Of each property and backend: valid, unique valid, shapes and milliseconds per test case."""
    found = []
    for name in dict.fromkeys(name for name, _ in runs):
        of_backend = {}
        for backend in BACKENDS:
            rows = runs[name, backend]
            counts = [
                estimate(row[key] * scale(row) for row in rows) for key in ("valid", "unique_valid", "shapes")
            ]
            time = estimate(1_000 * row["seconds"] / row["calls"] for row in rows)
            of_backend[backend] = [*counts, time]
        found.append((name, of_backend))
    return found


def examples(rows: Sequence[Row]) -> list[str]:
    """Equal test cases."""
    lines = []
    for name, found in compared(grouped(rows, "property", "backend"), lambda row: 1_000 / row["calls"]):
        ours, theirs = found[OURS], found[THEIRS]
        unique, shapes, time = (ratio(ours[place], theirs[place]) for place in (1, 2, 3))
        cost = shown(time)
        if name in PROPERTIES and not PROPERTIES[name].sparse:
            cost += f" (≤ {MOST_TIME:g}: {verdict(time[0] <= MOST_TIME)})"
        values = [shown(side[place]) for place in (0, 1, 2) for side in (theirs, ours)]
        lines.append([name, *values, at_least(unique, EXAMPLES.get(name)), shown(shapes), cost])
    heads = ["property", "valid, default", "valid, rlcheck", "unique valid, default", "unique valid, rlcheck"]
    heads += [
        "shapes, default",
        "shapes, rlcheck",
        "unique valid, ratio",
        "shapes, ratio",
        "time per test case, ratio",
    ]
    return ["## Per 1,000 test cases", "", origin(rows), "", *markdown(heads, lines)]


def seconds(rows: Sequence[Row]) -> list[str]:
    """Equal processor time."""
    lines = []
    for name, found in compared(grouped(rows, "property", "backend"), lambda row: 1.0):
        ours, theirs = found[OURS], found[THEIRS]
        least, least_shapes = SECONDS.get(name, (1.0, None))
        lines.append(
            [
                name,
                *(f"{shown(side[1])} [{side[2][0]:,.1f}]" for side in (theirs, ours)),
                at_least(ratio(ours[1], theirs[1]), least),
                at_least(ratio(ours[2], theirs[2]), least_shapes),
            ]
        )
    heads = ["property", "default: unique valid [shapes]", "rlcheck", "unique valid, ratio", "shapes, ratio"]
    # A run ends with the test case that passes the limit, so the shortest one is nearest to it.
    limit = min(row["seconds"] for row in rows)
    return [f"## In {limit:.2g} s of processor time", "", origin(rows), "", *markdown(heads, lines)]


def bugs(rows: Sequence[Row]) -> list[str]:
    """Planted bugs."""
    runs = grouped(rows, "property", "backend")
    lines = []
    for name in dict.fromkeys(name for name, _ in runs):
        ours, theirs = runs[name, OURS], runs[name, THEIRS]
        cells = [f"{sum(row['found'] for row in side)} of {len(side)}" for side in (theirs, ours)]
        at = sorted(row["failed_at"] for row in ours if row["found"])
        share, default_share = (sum(row["found"] for row in side) / len(side) for side in (ours, theirs))
        met = share >= FOUND / 10
        hard = default_share <= FOUND_BY_DEFAULT / 10
        lines.append(
            [
                name,
                cells[0] + ("" if hard else f" (more than {FOUND_BY_DEFAULT} of 10)"),
                f"{cells[1]} (≥ {FOUND} of 10: {verdict(met)})",
                f"{at[len(at) // 2]:,}" if at else "-",
            ]
        )
    heads = ["bug", "default", "rlcheck", "median test case that failed first"]
    title = "## Seeds that find a planted bug with `max_examples=1000`, `filter_too_much` suppressed"
    return [title, "", origin(rows), "", *markdown(heads, lines)]


def memory(rows: Sequence[Row]) -> list[str]:
    """A second run after a first."""

    def rate(row: Row) -> float:
        return 100 * row["valid"] / max(row["first"], 1)

    rates = grouped(rows, "backend", "run", "property")
    lines = []
    for name in grouped(rows, "property"):
        first, second = (estimate(map(rate, rates[OURS, run, name])) for run in (1, 2))
        default = [estimate(map(rate, rates[THEIRS, run, name])) for run in (1, 2)]
        lines.append([name, *map(shown, default), shown(first), shown(second), shown(ratio(second, first))])
    # Of each seed, the whole suite.
    by_seed = grouped((row for row in rows if row["backend"] == OURS), "run", "seed")
    whole = [estimate(mean(group, rate) for (at, _), group in by_seed.items() if at == run) for run in (1, 2)]
    total = at_least(ratio(whole[1], whole[0]), SECOND_RUN)
    lines.append(["**all**", "", "", shown(whole[0]), shown(whole[1]), total])
    runs = [f"{backend}, {run} run" for backend in ("default", "rlcheck") for run in ("first", "second")]
    heads = ["property", *runs, "ratio"]
    title = "## Valid among the first 100 test cases, stock settings, with a database"
    return [title, "", origin(rows), "", *markdown(heads, lines)]


def conformance(rows: Sequence[Row]) -> list[str]:
    """Hypothesis' own test of backends."""
    row = rows[0]
    said = "passes" if not row["error"] else f"fails with {row['error']}"
    result = f"It {said} after {row['seconds']:.1f} s: {verdict(not row['error'])}."
    return ["## `run_conformance_test`", "", origin(rows), "", result]


PAGES = {"examples": examples, "seconds": seconds, "bugs": bugs, "memory": memory, "conformance": conformance}


def page(results: Results) -> str:
    """Return a section for each part that has results."""
    sections = ["\n".join(section(results[name])) for name, section in PAGES.items() if name in results]
    return "\n\n".join([_HEAD.rstrip(), *sections])


_SPARSE = [name for name, subject in PROPERTIES.items() if subject.sparse]
_COMMON = {"methods": BACKENDS, "together": True, "keys": ("property", "backend")}

STUDY = Study(
    "hypothesis",
    {
        "examples": Part(measures.examples, list(PROPERTIES), seeds=5, inputs=1_000, **_COMMON),
        "seconds": Part(measures.seconds, list(PROPERTIES), seeds=5, seconds=10.0, **_COMMON),
        "bugs": Part(measures.bugs, list(BUGS), seeds=10, inputs=1_000, **_COMMON),
        "memory": Part(measures.memory, _SPARSE, seeds=5, inputs=100, **_COMMON),
        "conformance": Part(measures.conformance, ["conformance"], **_COMMON),
    },
    page,
)
