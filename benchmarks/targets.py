"""Figures with targets: what was measured, what it has to be, and whether it is."""

from __future__ import annotations

from typing import Any


def row(what: str, unit: str, target: float, found: dict[str, Any], *, least: bool = False) -> dict[str, Any]:
    """A figure with its target, the most it may be, or the least."""
    return {"what": what, "unit": unit, "target": target, "least": least, **found}


def table(rows: list[dict[str, Any]]) -> str:
    """One line per figure."""
    lines = ["| what | measured | target | | |", "|---|---:|---:|---|---|"]
    for row in rows:
        value, target, unit = row["value"], row["target"], row["unit"]
        met = value >= target if row["least"] else value <= target
        bound = f"at {'least' if row['least'] else 'most'} {target:g} {unit}"
        cells = (row["what"], f"{value:,.4g} {unit}", bound, "PASS" if met else "MISS", row["detail"])
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(name: str, head: str, rows: list[dict[str, Any]], notes: str) -> str:
    """The page of the benchmark of a name: its table, between what its head and its notes say of the rows."""
    first = rows[0]
    build = "compiled" if first["compiled"] else "not compiled"
    command = f"make bench-{name}" if first["compiled"] else f"python -m benchmarks.{name}.run"
    return f"{head.format(**first, build=build, command=command)}{table(rows)}\n{notes.format(**first)}"
