"""The cost of guided choices, against `random.Random.choice` in the same loop.

Each turn starts with an untaught guide and the same seed: all turns do the same work, and learning from
nothing is part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from benchmarks.bst.subject import is_bst, tree
from benchmarks.cost.timing import Turn, fastest
from rlcheck import AdaptiveProcess, Campaign, Guide, Outcome

#: The sum of an episode's choices -> whether it is valid.
Judge = Callable[[int], bool]
#: Choices in an episode and the options of each -> how its episodes are judged.
Regime = Callable[[int, Sequence[int]], Judge]

OPTIONS = list(range(11))
#: Twenty choices over eight states.
STATES = tuple(step % 8 for step in range(20))
#: Suggestions in an episode of a test of an interface.
STEPS = 200
#: Levels of calls below the first: 15 frames with one choice each.
DEPTH = 3
FRAMES = 2 ** (DEPTH + 1) - 1


def _always(choices: int, options: Sequence[int]) -> Judge:
    return lambda total: True


def _by_rule(choices: int, options: Sequence[int]) -> Judge:
    # About every other random episode has a sum above the mean, so that there is something to learn.
    mean = choices * sum(options) / len(options)
    return lambda total: total > mean


def _at_random(choices: int, options: Sequence[int]) -> Judge:
    coin = Random(1).random
    return lambda total: coin() < 0.5


REGIMES: dict[str, Regime] = {
    "every input valid": _always,
    "valid by a rule": _by_rule,
    "valid at random": _at_random,
}


def explicit_state(regime: Regime, *, episodes: int, repeats: int) -> dict[str, Any]:
    """A choice with a state given by hand, and learning from it, over a bare random choice."""
    seconds = fastest(
        {
            "guided": partial(_guided_row, regime, OPTIONS, episodes),
            "bare": partial(_bare_row, regime, OPTIONS, episodes),
        },
        repeats,
    )
    choices = episodes * len(STATES)
    return _ratio(seconds["guided"] / choices, seconds["bare"] / choices)


def many_options(regime: Regime, *, episodes: int, repeats: int) -> dict[str, Any]:
    """The same choice with 1,000 options over one with 10."""
    turns = {str(n): partial(_guided_row, regime, list(range(n)), episodes) for n in (1_000, 10)}
    seconds = fastest(turns, repeats)
    choices = episodes * len(STATES)
    return _ratio(seconds["1000"] / choices, seconds["10"] / choices)


def automatic_state(
    regime: Regime, *, episodes: int, repeats: int, learner: str = "monte-carlo"
) -> dict[str, Any]:
    """A choice in a recursive generator that gives no states, over a bare one; the generator is taken off."""
    judge = regime(FRAMES, OPTIONS)
    turns: dict[str, Turn] = {
        "guided": partial(_guided_frames, regime, episodes, learner),
        "bare": lambda: partial(_bare_frames, Random(0).choice, judge, episodes),
        # `len` answers in no time: what is left is the generator.
        "generator": lambda: partial(_bare_frames, len, judge, episodes),
    }
    seconds = fastest(turns, repeats)
    choices = episodes * FRAMES
    guided, bare = (seconds[name] - seconds["generator"] for name in ("guided", "bare"))
    return _ratio(guided / choices, bare / choices)


def uniform_campaign(*, episodes: int, repeats: int) -> dict[str, Any]:
    """A campaign that learns nothing, on the BST study, over a bare loop around the same generator."""

    def campaign() -> Callable[[], object]:
        return partial(Campaign(tree, valid=is_bst, learner="uniform", seed=0).run, episodes)

    seconds = fastest({"campaign": campaign, "bare": lambda: partial(_bare_trees, episodes)}, repeats)
    return _ratio(seconds["campaign"] / episodes, seconds["bare"] / episodes)


def all_valid_campaign(*, episodes: int, repeats: int) -> dict[str, Any]:
    """The default learner over one that learns nothing, where every input is valid."""
    turns: dict[str, Turn] = {
        learner: lambda learner=learner: partial(Campaign(tree, learner=learner, seed=0).run, episodes)
        for learner in ("diverse", "uniform")
    }
    seconds = fastest(turns, repeats)
    return _ratio(seconds["diverse"] / episodes, seconds["uniform"] / episodes)


def suggestion(*, episodes: int, repeats: int) -> dict[str, Any]:
    """A suggestion and its reward in episodes of 200, over a bare random choice."""
    turns: dict[str, Turn] = {
        "suggested": partial(_suggested_row, episodes),
        "bare": lambda: partial(_bare_steps, episodes),
    }
    seconds = fastest(turns, repeats)
    choices = episodes * STEPS
    return _ratio(seconds["suggested"] / choices, seconds["bare"] / choices)


def _suggested_row(episodes: int) -> Callable[[], None]:
    process = AdaptiveProcess("sarsa-lambda", seed=0)

    def work() -> None:
        suggest, reward = process.suggest, process.reward
        for _ in range(episodes):
            context = 0
            for _step in range(STEPS):
                taken = suggest(context, OPTIONS, "value")
                reward(1.0 if taken == context % 11 else 0.0)
                context = (context + taken) % 50
            process.end_episode()

    return work


def _bare_steps(episodes: int) -> None:
    choose = Random(0).choice
    for _ in range(episodes):
        context = 0
        for _step in range(STEPS):
            context = (context + choose(OPTIONS)) % 50


def _guided_row(regime: Regime, options: list[int], episodes: int) -> Callable[[], None]:
    guide = Guide("monte-carlo", seed=0)
    judge = regime(len(STATES), options)

    def work() -> None:
        choose = guide.choose
        for _ in range(episodes):
            guide.start()
            total = 0
            for state in STATES:
                total += choose(options, at="value", state=state)
            guide.finish(Outcome.VALID if judge(total) else Outcome.INVALID)

    return work


def _bare_row(regime: Regime, options: list[int], episodes: int) -> Callable[[], None]:
    judge = regime(len(STATES), options)

    def work() -> None:
        choose = Random(0).choice
        for _ in range(episodes):
            total = 0
            for _state in STATES:
                total += choose(options)
            judge(total)

    return work


def _frames(choose: Callable[[list[int]], int], depth: int) -> int:
    total = choose(OPTIONS)
    if depth:
        total += _frames(choose, depth - 1)
        total += _frames(choose, depth - 1)
    return total


def _guided_frames(regime: Regime, episodes: int, learner: str) -> Callable[[], None]:
    guide = Guide(learner, seed=0)
    judge = regime(FRAMES, OPTIONS)

    def work() -> None:
        choose = guide.choose
        for _ in range(episodes):
            guide.start()
            total = _frames(choose, DEPTH)
            guide.finish(Outcome.VALID if judge(total) else Outcome.INVALID)

    return work


def _bare_frames(choose: Callable[[list[int]], int], judge: Judge, episodes: int) -> None:
    for _ in range(episodes):
        judge(_frames(choose, DEPTH))


def _bare_trees(episodes: int) -> int:
    choose: Any = Random(0).choice
    valid = 0
    for _ in range(episodes):
        valid += is_bst(tree(choose))
    return valid


def _ratio(above: float, below: float) -> dict[str, Any]:
    return {
        "value": round(above / below, 3),
        "detail": f"{above * 1e9:,.0f} ns over {below * 1e9:,.0f} ns",
    }
