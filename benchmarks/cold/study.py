"""The first valid input: how many inputs and how much processor time it takes, and what follows."""

from __future__ import annotations

from time import process_time
from typing import Any

from benchmarks.cold.subjects import HELD_OUT, SUBJECTS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, origin, spread
from rlcheck import Campaign
from rlcheck.episode import Episode, Outcome

#: `unwatched` is the default learner that sees only the reasons that `valid` returns.
METHODS = ("uniform", "monte-carlo", "zest", "unwatched", "diverse")

_HEAD = """# The first valid input

Random inputs of these subjects are hardly ever valid. The table shows how many runs found a valid input
within {seconds:g} s of processor time, after how many inputs and seconds, and how many unique valid inputs
each run found in all. `unwatched` is `diverse` with `coverage=()`: it sees only the reasons that `valid`
returns. Held out, which means that nobody looked at them while the learner was written: {held_out}. Reproduce
with `make bench-cold`.
"""


class _First:
    """Notes when the first input was valid, in inputs and in seconds of processor time."""

    def __init__(self) -> None:
        self.inputs = 0
        self.found: tuple[int, float] | None = None
        self._started = process_time()

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self.inputs += 1
        if self.found is None and episode.outcome is not Outcome.INVALID:
            self.found = self.inputs, round(process_time() - self._started, 3)

    @property
    def seconds(self) -> float:
        """How much processor time has passed."""
        return process_time() - self._started


def measure(task: Task) -> list[Row]:
    """Run a method on a subject."""
    subject = SUBJECTS[task.subject]
    arguments: dict[str, Any] = {"learner": "diverse" if task.method == "unwatched" else task.method}
    if task.method == "unwatched":
        arguments["coverage"] = ()
    # One input outside the measured time: imports and schemas are no part of what is compared.
    Campaign(subject.generator, valid=subject.valid, seed=0, **arguments).run(episodes=1)
    first = _First()
    campaign = Campaign(
        subject.generator, valid=subject.valid, seed=task.seed, observers=[first], **arguments
    )
    while (left := task.seconds - first.seconds) > 0.01:
        campaign.run(seconds=left)
        if campaign.summary.stopped != "seconds":
            break
    row = {"subject": task.subject, "method": task.method, "seed": task.seed, "first": first.found}
    row |= {"inputs": first.inputs, "seconds": round(first.seconds, 3)}
    return [row | {"unique_valid": campaign.summary.unique_valid}]


def page(results: Results) -> str:
    """Return the page."""
    rows = results["first"]
    lines = []
    for (subject, method), group in grouped(rows, "subject", "method").items():
        found = [row["first"] for row in group if row["first"] is not None]
        after = [spread((first[place] for first in found), place) if found else "-" for place in (0, 1)]
        unique = spread((row["unique_valid"] for row in group), 0)
        inputs = spread((row["inputs"] for row in group), 0)
        lines.append([subject, method, f"{len(found)} of {len(group)}", *after, unique, inputs])
    heads = [
        "subject",
        "method",
        "runs with a valid input",
        "first after inputs",
        "seconds",
        "unique valid",
        "inputs",
    ]
    head = _HEAD.format(seconds=round(max(row["seconds"] for row in rows)), held_out=", ".join(HELD_OUT))
    return "\n".join([head, origin(rows), "", *markdown(heads, lines, left=2)])


STUDY = Study(
    "cold",
    {
        "first": Part(
            measure,
            list(SUBJECTS),
            METHODS,
            seeds=10,
            seconds=60.0,
            fresh=True,
            missing=lambda name: SUBJECTS[name].missing,
        )
    },
    page,
)
