"""AdaptiveProcess: suggestions learn from rewards, episodes begin and end, and a recorded one replays."""

from enum import Enum

import pytest

import rlcheck
from rlcheck.errors import ConfigurationError, GuideError, ReplayError, Signal


class Op(Enum):
    PUSH = 1
    POP = 2


def climb(process, steps=12):
    """A test that is rewarded when it gets higher than ever in this episode."""
    height = 0
    for _ in range(steps):
        move = process.suggest(height, ["up", "down"], at="move")
        height += 1 if move == "up" else -1
        process.reward(1.0 if move == "up" else 0.0)
    return height


def test_suggestions_follow_the_rewards():
    process = rlcheck.AdaptiveProcess(seed=0)
    heights = []
    for _ in range(200):
        heights.append(climb(process))
        process.end_episode()
    assert process.episodes == 200
    assert sum(heights[-50:]) / 50 > 8
    assert sum(heights[:2]) / 2 < 8


def test_the_same_seed_gives_the_same_suggestions():
    def choices(seed):
        process = rlcheck.AdaptiveProcess(seed=seed)
        return [climb(process) and process.end_episode().choices for _ in range(20)]

    assert choices(3) == choices(3) != choices(4)


def test_an_episode_is_a_with_block():
    process = rlcheck.AdaptiveProcess(seed=0)
    with process as same:
        assert same is process
        assert isinstance(process.suggest("empty", Op, at="op"), Op)
        assert process.suggest("empty", range(5)) in range(5)
    assert process.episodes == 1
    assert process.episode.outcome is rlcheck.Outcome.VALID
    assert len(process.episode.choices) == 2


def test_an_exception_in_a_block_is_a_failure_and_goes_on():
    process = rlcheck.AdaptiveProcess(seed=0)
    with pytest.raises(ZeroDivisionError, match="division by zero"), process:
        1 / process.suggest((), [0])
    assert process.episode.outcome is rlcheck.Outcome.FAILED
    with process:
        rlcheck.assume(False)
    assert process.episode.outcome is rlcheck.Outcome.INVALID
    with pytest.raises(KeyboardInterrupt), process:
        raise KeyboardInterrupt
    assert process.episodes == 2
    climb(process)
    assert process.end_episode().outcome is rlcheck.Outcome.VALID


def test_a_block_that_ended_its_episode_does_not_end_another_one():
    process = rlcheck.AdaptiveProcess(seed=0)
    with process:
        process.suggest((), [1, 2])
        process.end_episode(rlcheck.Outcome.INVALID)
    assert process.episodes == 1
    assert process.episode.outcome is rlcheck.Outcome.INVALID


def test_a_recorded_episode_replays_without_a_learner():
    process = rlcheck.AdaptiveProcess(seed=0)
    height = climb(process)
    choices = process.end_episode().choices
    again = rlcheck.AdaptiveProcess(replay=choices)
    for _ in range(2):
        assert climb(again) == height
        again.end_episode()
    with pytest.raises(ReplayError, match="asks for another one"):
        climb(again, steps=13)
    again.abandon()
    climb(again, steps=3)
    with pytest.raises(ReplayError, match="made only 3"):
        again.end_episode()


def test_options_may_be_few_or_none_and_contexts_must_be_hashable():
    process = rlcheck.AdaptiveProcess(seed=0)
    with pytest.raises(rlcheck.RlcheckError, match="empty"):
        process.suggest("context", [], at="node")
    with pytest.raises(rlcheck.RlcheckError, match="cannot be hashed"):
        process.suggest(["context"], [1, 2])
    process.abandon()
    with pytest.raises(rlcheck.RlcheckError, match="outside an episode"):
        process.reward(1.0)


LEARNERS = [
    "monte-carlo",
    "sarsa-lambda",
    "zest",
    "portfolio",
    "diverse",
]


def share_of(learner, seed, wanted=2, options=5, length=10, episodes=600):
    """How often a learner suggests the only option that is rewarded, in the last third of its episodes."""
    process = rlcheck.AdaptiveProcess(learner, seed=seed)
    taken = []
    for _ in range(episodes):
        for _ in range(length):
            option = process.suggest("here", range(options), at="option")
            taken.append(option == wanted)
            process.reward(1.0 if option == wanted else 0.0)
        process.end_episode()
    late = taken[-len(taken) // 3 :]
    return sum(late) / len(late)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_prefers_what_is_rewarded(learner):
    # At random it is 0.2.
    assert sum(share_of(learner, seed) for seed in range(3)) / 3 > 0.25


def test_without_rewards_nothing_is_preferred():
    assert share_of("uniform", 0) == pytest.approx(0.2, abs=0.05)


def test_an_episode_that_is_too_long_is_cut_off():
    short = rlcheck.AdaptiveProcess("uniform", seed=0, max_choices=5)
    with short:
        climb(short)
    assert short.episode.overrun
    with pytest.raises(Signal, match="max_choices=5"):
        climb(short)
    short.abandon()


def test_rewards_are_finite_and_come_in_an_episode():
    process = rlcheck.AdaptiveProcess(seed=0)
    with pytest.raises(GuideError, match=r"Call suggest\(\) first"):
        process.reward(1.0)
    process.suggest("here", [1, 2])
    with pytest.raises(ConfigurationError, match="reward=nan must be a finite number"):
        process.reward(float("nan"))
