"""What pages are made of: Markdown tables, means with standard errors, ratios, targets met or missed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

Row = dict[str, Any]
#: A mean and its standard error.
Estimate = tuple[float, float]


def markdown(heads: Sequence[str], lines: Iterable[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return a table whose first columns are aligned left and the others right."""
    rule = "|---" * left + "|---:" * (len(heads) - left) + "|"
    return [f"| {' | '.join(heads)} |", rule, *(f"| {' | '.join(line)} |" for line in lines)]


def grouped(rows: Iterable[Row], *keys: str) -> dict[Any, list[Row]]:
    """Return rows by the values of their keys, in the order in which they are stored."""
    groups: dict[Hashable, list[Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        groups.setdefault(key if len(keys) > 1 else key[0], []).append(row)
    return groups


def estimate(values: Iterable[float]) -> Estimate:
    """Return the mean and its standard error."""
    values = list(values)
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return statistics.fmean(values), error


def mean(rows: Iterable[Row], of: str | Callable[[Row], float]) -> float:
    """Return the mean of a field, or of what is computed from each row."""
    return estimate(row[of] if isinstance(of, str) else of(row) for row in rows)[0]


def spread(values: Iterable[float], digits: int | None = None) -> str:
    """Return a mean and its error, with as many digits as they are worth; a single value has no error."""
    values = list(values)
    average, error = estimate(values)
    if not math.isfinite(average):
        return "∞" if average > 0 else "-"
    if digits is None:
        digits = 0 if average >= 10 or average == 0 else 1
    return f"{average:,.{digits}f}" + (f" ± {error:,.{digits}f}" if len(values) > 1 else "")


def times(ours: float, theirs: float, digits: int = 1) -> str:
    """Return how many times as many."""
    return f"{ours / theirs:,.{digits}f}" if theirs else ("∞" if ours else "-")


def verdict(met: bool) -> str:  # noqa: FBT001 - there is one argument, and its name says it.
    """Return whether a target was reached."""
    return "PASS" if met else "MISS"


def checks(figures: Iterable[tuple[bool, str]]) -> list[str]:
    """Return a list of figures to reach, each with its verdict."""
    return [f"- {verdict(met)}: {text}." for met, text in figures]


def build(row: Row) -> str:
    """Return how the package was built."""
    return "compiled" if row["compiled"] else "not compiled"


def origin(rows: Sequence[Row]) -> str:
    """Return what figures depend on: versions, machine, and number of seeds."""
    row = rows[0]
    counts = {len(group) for group in grouped(rows, "seed").values()}
    seeds = len(grouped(rows, "seed"))
    uneven = ", fewer of some" if len(counts) > 1 else ""
    packages = "".join(f", {title} {row[name]}" for name, title in _PACKAGES.items() if name in row)
    return (
        f"rlcheck {row['rlcheck']} ({build(row)}){packages}, Python {row['python']}, {row['machine']};"
        f" {seeds} seed{'s' if seeds > 1 else ''}{uneven}."
    )


_PACKAGES = {"hypothesis": "Hypothesis", "torch": "torch"}


def target(what: str, unit: str, bound: float, found: Row, *, least: bool = False) -> Row:
    """Return the row of a figure with its target, the most it may be, or the least."""
    return {"what": what, "unit": unit, "target": bound, "least": least, **found}


def targets(rows: Iterable[Row]) -> list[str]:
    """Return a table of figures with their targets."""
    lines = []
    for row in rows:
        value, bound, unit = row["value"], row["target"], row["unit"]
        met = value >= bound if row["least"] else value <= bound
        aim = f"at {'least' if row['least'] else 'most'} {bound:g} {unit}"
        lines.append([row["what"], f"{value:,.4g} {unit}", aim, verdict(met), row["detail"]])
    return markdown(["what", "measured", "target", "", ""], lines)
