"""Measures what guidance costs, and writes `results/cost/`: every row has a target."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import store, targets
from benchmarks.cost import choices, processes

_HEAD = """# What guidance costs

Ratios are taken inside one run: both sides turn by turn, the fastest of {repeats} turns each, every turn
from an untaught guide. Reproduce with `{command}`; rlcheck {rlcheck} **{build}**, Python {python}, {machine}.

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

#: What is measured, its unit, and the most it may be.
Measurement = tuple[str, str, float, Callable[[], dict[str, Any]]]


def measurements(*, repeats: int, episodes: int) -> Iterator[Measurement]:
    """All measurements, in the order of the table."""
    budget = {"episodes": 2_000, "repeats": repeats}
    for label, cost_of, most in (
        ("explicit state", choices.explicit_state, 2.0),
        ("automatic state", choices.automatic_state, 4.0),
        ("1,000 options", choices.many_options, 1.3),
    ):
        for name, regime in choices.REGIMES.items():
            yield f"{label}, {name}", "x", most, partial(cost_of, regime, **budget)
    for name, regime in choices.REGIMES.items():
        measure = partial(choices.automatic_state, regime, learner="diverse", **budget)
        yield f"diverse, automatic state, {name}", "x", 6.0, measure
    steps = {"episodes": 10, "repeats": repeats}
    yield "suggestion and reward, sarsa-lambda", "x", 10.0, partial(choices.suggestion, **steps)
    yield "diverse campaign, every input valid", "x", 1.5, partial(choices.all_valid_campaign, **budget)
    yield "uniform campaign", "x", 2.0, partial(choices.uniform_campaign, **budget)
    yield "import", "ms", 50.0, partial(processes.import_time, repeats=15)
    yield "memory", "MB", 400.0, partial(processes.memory, episodes=episodes)


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.cost.run`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cost.run", description=__doc__)
    parser.add_argument("--repeats", type=int, default=50, help="turns of each side of a ratio")
    parser.add_argument("--episodes", type=int, default=1_000_000, help="inputs made to measure memory")
    given = parser.parse_args(arguments)
    measured = []
    for what, unit, target, measure in measurements(repeats=given.repeats, episodes=given.episodes):
        print(f"\r\033[K{what} ...", end="", file=sys.stderr, flush=True)
        measured.append(targets.row(what, unit, target, {"repeats": given.repeats, **measure()}))
    print("\r\033[K", end="", file=sys.stderr)
    store.write("cost/choice", measured)
    rows = store.read("cost/choice")
    (store.RESULTS / "cost" / "README.md").write_text(targets.page("cost", _HEAD, rows, _NOTES))
    print(targets.table(rows))


if __name__ == "__main__":
    main()
