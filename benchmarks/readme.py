"""Fill the README's results tables from stored results: `python -m benchmarks.readme`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.tables import mean

README = Path(__file__).parent.parent / "README.md"
SECTION = re.compile(r"(<!-- results: (\S+) -->\n).*?(<!-- end of results -->)", re.DOTALL)
LEARNERS = ("uniform", "monte-carlo", "diverse")


def table(rows: list[dict[str, Any]]) -> str:
    """Return unique valid inputs and effective shapes of each learner on each subject, as Markdown."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row["subject"]][row["learner"]].append(row["snapshots"][-1])
    lines = ["| subject | random | RLCheck | diverse |", "|---|---:|---:|---:|"]
    for subject, learners in found.items():
        cells = [_cell(learners[name]) for name in LEARNERS]
        lines.append(f"| {subject} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(snapshots: list[dict[str, Any]]) -> str:
    return f"{mean(snapshots, 'unique_valid'):,.0f} in **{mean(snapshots, 'effective_shapes'):,.0f}**"


def fill(text: str) -> str:
    """Return the README with its tables up to date."""
    return SECTION.sub(lambda match: match[1] + table(store.read(match[2])) + match[3], text)


if __name__ == "__main__":
    README.write_text(fill(README.read_text()))
