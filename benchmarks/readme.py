"""Fill the README's results table from stored results: `python -m benchmarks.readme`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks import store

README = Path(__file__).parent.parent / "README.md"
SECTION = re.compile(r"(<!-- results -->\n).*?(<!-- end of results -->)", re.DOTALL)
LEARNERS = ("uniform", "monte-carlo", "diverse")


def table(rows: list[dict[str, Any]]) -> str:
    """Unique valid inputs of each learner on each subject, as Markdown."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    inputs: dict[str, int] = {}
    for row in rows:
        found[row["subject"]][row["learner"]].append(row["snapshots"][-1]["unique_valid"])
        inputs[row["subject"]] = max(inputs.get(row["subject"], 0), int(row["snapshots"][-1]["inputs"]))
    lines = ["| subject | inputs | random | RLCheck | diverse |", "|---|---:|---:|---:|---:|"]
    for subject, learners in found.items():
        means = [store.mean_and_error(learners[name])[0] for name in LEARNERS]
        cells = [f"**{mean:,.0f}**" if mean == max(means) else f"{mean:,.0f}" for mean in means]
        lines.append(f"| {subject} | {inputs[subject]:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def fill(text: str) -> str:
    """The README with its table up to date."""
    return SECTION.sub(lambda match: match[1] + table(store.read("strict/inputs")) + match[2], text)


if __name__ == "__main__":
    README.write_text(fill(README.read_text()))
