"""Shapes of valid inputs: how many each learner makes, and how evenly."""

from __future__ import annotations

from benchmarks import campaigns
from benchmarks.structure.subjects import SUBJECTS
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import grouped, markdown, mean, origin, spread, verdict

LEARNERS = ("uniform", "monte-carlo", "zest", "diverse")

#: Effective shapes to reach with `diverse` in 50,000 inputs.
INPUTS = 50_000
TARGETS = {
    "red-black": 600,
    "avl": 1_000,
    "bst": 2_000,
    "bst-preorder": 4_000,
    "brackets": 1_500,
    "pom": 5_000,
}

_HEAD = """# Structure

A shape is an input without its values. *Effective shapes* are how many there would be if all were equally
frequent: the exponential of the entropy of the shapes of all valid inputs. Targets are for {inputs:,} inputs.
Reproduce with `make bench-structure`.
"""


def measure(task: Task) -> list[Row]:
    """Run a learner on a subject."""
    return campaigns.measure(SUBJECTS[task.subject], task)


def page(results: Results) -> str:
    """Return the page."""
    lines = []
    for (subject, learner), rows in grouped(results["inputs"], "subject", "learner").items():
        ends = [row["snapshots"][-1] for row in rows]
        names = ("unique_valid", "shapes", "effective_shapes", "largest")
        figures = [spread((end[name] for end in ends), 0) for name in names]
        aim = ""
        if learner == "diverse":
            reached = mean(ends, "effective_shapes") >= TARGETS[subject]
            aim = f"{TARGETS[subject]:,}: {verdict(reached)}"
        lines.append([subject, learner, f"{ends[0]['inputs']:,}", *figures, aim])
    heads = [
        "subject",
        "learner",
        "inputs",
        "unique valid",
        "shapes",
        "effective shapes",
        "largest",
        "target",
    ]
    table = markdown(heads, lines, left=2)
    return "\n".join([_HEAD.format(inputs=INPUTS), origin(results["inputs"]), "", *table])


STUDY = Study(
    "structure",
    {"inputs": Part(measure, list(SUBJECTS), LEARNERS, seeds=10, inputs=INPUTS, keys=("subject", "learner"))},
    page,
)
