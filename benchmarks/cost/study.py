"""What guidance costs: every figure has a target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.cost import choices, compiled, processes
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import build, target, targets

#: Turns of each side of a ratio, and inputs made to measure memory.
REPEATS, MEMORY = 50, 1_000_000

_HEAD = """# What guidance costs

Ratios are taken within one run: both sides take turns, and the fastest of {repeats} turns counts. Every turn
starts with an untaught guide. Reproduce with `make bench-cost`; rlcheck {rlcheck} **{build}**,
Python {python}, {machine}.
"""

_NOTES = """
- *Explicit state*: one guided choice of 11 options with its share of starting, finishing and learning from
  an episode (Monte-Carlo control; 20 choices, 8 states), over `random.Random(0).choice` in the same loop.
- *Automatic state*: the same over a recursive generator of 15 frames with one choice each, which gives no
  states (call-tree); the generator's own time is taken off both sides.
- *1,000 options*: a choice with explicit state among 1,000 options, over one among 10.
- *Valid by a rule*: when the sum of the choices is above that of the mean options. *At random*: one half.
- *Suggestion and reward*: `AdaptiveProcess.suggest` of 11 options in one of 50 contexts and `reward`, in
  episodes of 200, with `sarsa-lambda`, over `random.Random(0).choice` in the same loop.
- *Uniform campaign*: `Campaign` with a learner that learns nothing, on the BST study, over a bare loop with
  `random.Random(0).choice` around the same generator and predicate.
- *Import*: `python -c "import rlcheck"` less `python -c pass`, medians.
- *Memory*: the peak of a process that runs a campaign on the BST study with Monte-Carlo control.
"""

#: How much longer a workload must take without a module compiled, for it to stay compiled.
PAYS = 1.05

_COMPILED = """
## Which compiled modules pay

The processor time of a workload that uses a module, with the module as plain Python over all compiled: the
fastest of {repeats} processes on each side, which take turns; then the range of the ratios. A module stays
compiled if this is at least {pays:g}. Modules that other compiled modules include cannot be left out one by
one, and are not listed.
"""


def _figures() -> dict[str, tuple[str, float, Callable[..., dict[str, Any]]]]:
    """Return what is measured, its unit, the most it may be, and how it is measured."""
    figures: dict[str, tuple[str, float, Callable[..., dict[str, Any]]]] = {}
    for label, most, cost in (
        ("explicit state", 2.0, choices.explicit_state),
        ("automatic state", 4.0, choices.automatic_state),
        ("1,000 options", 1.3, choices.many_options),
        ("diverse, automatic state", 6.0, partial(choices.automatic_state, learner="diverse")),
    ):
        for name, regime in choices.REGIMES.items():
            figures[f"{label}, {name}"] = ("x", most, partial(cost, regime, episodes=2_000))
    figures["suggestion and reward, sarsa-lambda"] = ("x", 10.0, partial(choices.suggestion, episodes=10))
    for label, most, campaign in (
        ("diverse campaign, every input valid", 1.3, choices.all_valid_campaign),
        ("uniform campaign", 2.0, choices.uniform_campaign),
    ):
        figures[label] = ("x", most, partial(campaign, episodes=2_000))
    figures["import"] = ("ms", 50.0, processes.import_time)
    return figures | {"memory": ("MB", 400.0, lambda repeats: processes.memory(episodes=MEMORY))}


FIGURES = _figures()


def measure(task: Task) -> list[Row]:
    """Measure one figure; `inputs` are turns here."""
    unit, most, cost = FIGURES[task.subject]
    return [target(task.subject, unit, most, {"repeats": task.inputs, **cost(repeats=task.inputs)})]


def measure_module(task: Task) -> list[Row]:
    """Measure what compiling a module saves; `inputs` are runs of each side."""
    found = compiled.saving(task.subject, task.inputs)
    return [target(task.subject, "x", PAYS, {"repeats": task.inputs, **found}, least=True)]


def _missing(module: str) -> list[str]:
    return [] if module in compiled.compiled_modules() else ["the compiled package"]


def page(results: Results) -> str:
    """Return the page."""
    lines = []
    if rows := results.get("choice"):
        lines += [_HEAD.format(**rows[0], build=build(rows[0])), *targets(rows), _NOTES]
    if rows := results.get("compiled"):
        lines += [_COMPILED.format(pays=PAYS, **rows[0]), *targets(rows)]
    return "\n".join(lines)


STUDY = Study(
    "cost",
    {
        "choice": Part(measure, list(FIGURES), inputs=REPEATS, keys=("what", "")),
        "compiled": Part(
            measure_module, list(compiled.WORKLOADS), inputs=7, missing=_missing, keys=("what", "")
        ),
    },
    page,
)
