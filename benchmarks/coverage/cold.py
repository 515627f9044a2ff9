"""Cold starts: how many inputs until the first valid one, with and without a look at branches.

python -m benchmarks.coverage.cold
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import rlcheck
from benchmarks import store
from benchmarks.strict.subjects import SUBJECTS
from rlcheck import Campaign, registry
from rlcheck.generators import Generator

SEEDS = range(6)
STRICT = ("red-black", "brackets", "sorted-list", "openapi")
LEARNERS = ("diverse", "monte-carlo")
INPUTS = 4_000

_HEAD = """# Cold starts

Inputs until the first valid one, one for each seed; a dash where none of {inputs:,} was. `by itself` is what
a campaign does unasked: after 500 inputs without a valid one, new branches of the precondition's own module
count as progress. `without` is `coverage=()`. Reproduce with `python -m benchmarks.coverage.cold`.

"""


def in_order(numbers: Sequence[int]) -> bool:
    """At least five numbers, each above the one before."""
    if len(numbers) < 5:
        return False
    for left, right in pairwise(numbers):  # noqa: SIM110 - a loop, as users write them.
        if left >= right:
            return False
    return True


def first_valid(generator: Generator[Any], valid: Any, inputs: int, **arguments: Any) -> int | None:
    """How many inputs were made until one was valid; None when none was."""
    campaign = Campaign(generator, valid=valid, test=_found, **arguments)
    summary = campaign.run(episodes=inputs, stop_on_failure=True)
    return summary.episodes if summary.valid else None


def _found(value: object) -> None:
    raise StopIteration


def page(rows: list[dict[str, Any]]) -> str:
    """A table: a line for each subject and learner."""
    lines = ["| subject | learner | without | by itself |", "|---|---|---|---|"]
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in rows:
        cells = found.setdefault((row["subject"], row["learner"]), {"without": [], "by itself": []})
        cells[row["coverage"]].append("-" if row["first"] is None else f"{row['first']:,}")
    for (subject, learner), cells in found.items():
        lines.append(
            f"| {subject} | {learner} | {' · '.join(cells['without'])} | {' · '.join(cells['by itself'])} |"
        )
    return _HEAD.format(inputs=rows[0]["inputs"]) + "\n".join(lines) + "\n"


def main(inputs: int = INPUTS, seeds: Sequence[int] = SEEDS) -> None:
    """`python -m benchmarks.coverage.cold`."""
    numbers = rlcheck.lists(rlcheck.integers(0, 99), max_size=8)
    subjects = {"in-order": (numbers, in_order)} | {
        name: (SUBJECTS[name].generator, SUBJECTS[name].valid)
        for name in STRICT
        if not SUBJECTS[name].missing
    }
    rows = [
        {
            "subject": name,
            "learner": learner,
            "coverage": coverage,
            "seed": seed,
            "inputs": inputs,
            "first": first_valid(*subject, inputs, learner=learner, seed=seed, **arguments),
        }
        for name, subject in subjects.items()
        for learner in LEARNERS
        if learner in registry.names("learner")
        for coverage, arguments in (("without", {"coverage": ()}), ("by itself", {}))
        for seed in seeds
    ]
    store.write("coverage/cold", rows)
    (store.RESULTS / "coverage" / "cold.md").write_text(page(store.read("coverage/cold")))


if __name__ == "__main__":
    main()
