"""The page of the Hypothesis benchmark, with its targets: `python -m benchmarks.hypothesis.analyse`."""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks import store
from benchmarks.hypothesis.drive import BACKENDS
from benchmarks.hypothesis.properties import PROPERTIES

Row = dict[str, Any]
#: The rows of a property on a backend, one per seed.
Runs = dict[tuple[str, str], list[Row]]
#: A mean and its standard error.
Estimate = tuple[float, float]

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


def grouped(rows: Iterable[Row]) -> Runs:
    """Rows by property and backend."""
    runs: Runs = defaultdict(list)
    for row in rows:
        runs[row["property"], row["backend"]].append(row)
    return runs


def estimate(rows: Sequence[Row], value: Callable[[Row], float]) -> Estimate:
    """The mean over seeds."""
    return store.mean_and_error([value(row) for row in rows])


def ratio(ours: Estimate, theirs: Estimate) -> Estimate:
    """The ratio of two means; its error by propagation of theirs."""
    if not theirs[0]:
        return (math.inf if ours[0] else math.nan, 0.0)
    value = ours[0] / theirs[0]
    parts = [error / mean for mean, error in (ours, theirs) if mean]
    return value, value * math.hypot(*parts)


def verdict(*, met: bool) -> str:
    """Whether a target was reached."""
    return "PASS" if met else "MISS"


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
    return f"{shown(number)} (≥ {target:g}: {verdict(met=met)})"


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    body = [f"| {' | '.join(line)} |" for line in lines]
    return [f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 1)}|", *body]


def compared(runs: Runs, scale: Callable[[Row], float]) -> list[tuple[str, dict[str, list[Estimate]]]]:
    """Of each property and backend: valid, unique valid, shapes and milliseconds per test case."""
    found = []
    for name in dict.fromkeys(name for name, _ in runs):
        of_backend = {}
        for backend in BACKENDS:
            rows = runs[name, backend]
            counts = [
                estimate(rows, lambda row, key=key: row[key] * scale(row))
                for key in ("valid", "unique_valid", "shapes")
            ]
            of_backend[backend] = [*counts, estimate(rows, lambda row: 1_000 * row["seconds"] / row["calls"])]
        found.append((name, of_backend))
    return found


def examples(rows: Sequence[Row]) -> list[str]:
    """Equal test cases."""
    lines = []
    for name, found in compared(grouped(rows), lambda row: 1_000 / row["calls"]):
        ours, theirs = found[OURS], found[THEIRS]
        unique, shapes, time = (ratio(ours[place], theirs[place]) for place in (1, 2, 3))
        cost = shown(time)
        if name in PROPERTIES and not PROPERTIES[name].sparse:
            cost += f" (≤ {MOST_TIME:g}: {verdict(met=time[0] <= MOST_TIME)})"
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
    return ["## Per 1,000 test cases", "", origin(rows), "", *table(heads, lines)]


def seconds(rows: Sequence[Row]) -> list[str]:
    """Equal processor time."""
    lines = []
    for name, found in compared(grouped(rows), lambda row: 1.0):
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
    return [f"## In {limit:.2g} s of processor time", "", origin(rows), "", *table(heads, lines)]


def bugs(rows: Sequence[Row]) -> list[str]:
    """Planted bugs."""
    runs = grouped(rows)
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
                f"{cells[1]} (≥ {FOUND} of 10: {verdict(met=met)})",
                f"{at[len(at) // 2]:,}" if at else "-",
            ]
        )
    heads = ["bug", "default", "rlcheck", "median test case that failed first"]
    title = "## Seeds that find a planted bug with `max_examples=1000`, `filter_too_much` suppressed"
    return [title, "", origin(rows), "", *table(heads, lines)]


def memory(rows: Sequence[Row]) -> list[str]:
    """A second run after a first."""
    rates: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for row in rows:
        rates[row["backend"], row["run"], row["property"]].append(row)

    def rate(row: Row) -> float:
        return 100 * row["valid"] / max(row["first"], 1)

    names = list(dict.fromkeys(row["property"] for row in rows))
    lines = []
    for name in names:
        first, second = (estimate(rates[OURS, run, name], rate) for run in (1, 2))
        default = [estimate(rates[THEIRS, run, name], rate) for run in (1, 2)]
        lines.append([name, *map(shown, default), shown(first), shown(second), shown(ratio(second, first))])
    whole = []
    for run in (1, 2):
        # Of each seed, the whole suite.
        by_seed: dict[int, list[float]] = defaultdict(list)
        for name in names:
            for row in rates[OURS, run, name]:
                by_seed[row["seed"]].append(rate(row))
        whole.append(store.mean_and_error([sum(each) / len(each) for each in by_seed.values()]))
    total = at_least(ratio(whole[1], whole[0]), SECOND_RUN)
    lines.append(["**all**", "", "", shown(whole[0]), shown(whole[1]), total])
    runs = [f"{backend}, {run} run" for backend in ("default", "rlcheck") for run in ("first", "second")]
    heads = ["property", *runs, "ratio"]
    title = "## Valid among the first 100 test cases, stock settings, with a database"
    return [title, "", origin(rows), "", *table(heads, lines)]


def conformance(rows: Sequence[Row]) -> list[str]:
    """Hypothesis' own test of backends."""
    row = rows[0]
    said = "passes" if not row["error"] else f"fails with {row['error']}"
    result = f"It {said} after {row['seconds']:.1f} s: {verdict(met=not row['error'])}."
    return ["## `run_conformance_test`", "", origin(rows), "", result]


PARTS = (examples, seconds, bugs, memory, conformance)


def origin(rows: Sequence[Row]) -> str:
    """What the figures depend on."""
    row = rows[0]
    build = "compiled" if row["compiled"] else "not compiled"
    seeds = len({row["seed"] for row in rows})
    return (
        f"rlcheck {row['rlcheck']} ({build}), Hypothesis {row['hypothesis']}, Python {row['python']},"
        f" {row['machine']}; {'1 seed' if seeds == 1 else f'{seeds} seeds'}."
    )


def report(name: str) -> str:
    """The page: a section for each part that has results."""
    sections = [
        "\n".join(part(store.read(f"{name}/{part.__name__}")))
        for part in PARTS
        if (store.RESULTS / name / f"{part.__name__}.jsonl").exists()
    ]
    return "\n\n".join([_HEAD.rstrip(), *sections]) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page beside the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hypothesis.analyse", description=__doc__)
    parser.add_argument("--name", default="hypothesis", help="the folder of the results")
    name = parser.parse_args(arguments).name
    path = store.RESULTS / name / "README.md"
    path.write_text(report(name))
    print(path)


if __name__ == "__main__":
    main()
