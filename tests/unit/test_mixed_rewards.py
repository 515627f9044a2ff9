"""Rewards for failures, and mixes of rewards."""

import pytest

from rlcheck import Campaign, Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.rewards import Combine, Failure


def ended(outcome, new_branches=0):
    episode = Episode()
    episode.outcome, episode.new_branches = outcome, new_branches
    return episode


def test_a_failure_is_worth_something():
    assert [Failure(failed=3.0)(ended(outcome)) for outcome in Outcome] == [0.0, 0.0, 3.0]


def test_a_mix_is_a_weighted_sum():
    mix = Combine({"validity": 2.0, "failure": 5.0, lambda episode: 1.0: -0.5})
    assert [mix(ended(outcome)) for outcome in Outcome] == [-0.5, 1.5, 6.5]
    assert mix.coverage is None
    assert not mix.steps


def test_the_default_is_that_of_the_paper():
    mix = Combine()
    assert mix.coverage == "path"
    assert mix.step(3) == 3.0
    assert mix(ended(Outcome.FAILED, new_branches=2)) == 3.0


def test_new_branches_are_rewarded_at_each_step_of_a_campaign():
    class Heard:
        def __init__(self):
            self.heard = []

        def select(self, point, state, n):
            return 0

        def reward(self, value):
            self.heard.append(value)

        def update(self, episode):
            self.heard.append(episode.reward)

    learner = Heard()

    def generator(choose):
        if choose([True, False]):
            choose("ab")
        return 1

    Campaign(generator, learner=learner, reward="combine", coverage=[__name__], seed=0).run(episodes=2)
    assert learner.heard[0] > 0.0
    assert learner.heard[-1] == 0.0, "nothing is new in the second one"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"validity": float("nan")}, "nan"),
        ({"validity": True}, "True"),
        ({"nothing": 1.0}, "'nothing' is not known"),
    ],
)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(ConfigurationError, match=message):
        Combine(weights)
