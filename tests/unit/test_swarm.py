"""Swarm: preferences last for an episode, only where they are asked for, and may be inherited."""

from collections import Counter

import pytest
from tests.episodes import ended

from rlcheck import Guide, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.learners import Swarm


def shares(learner, episodes=40, choices=100):
    """In each episode, the share of its most frequent option, at two choice points."""
    guide = Guide(learner, seed=0)
    found = {"operation": [], "value": []}
    for _ in range(episodes):
        guide.start()
        for at, kept in found.items():
            taken = Counter(guide.choose("abcd", at=at) for _ in range(choices))
            kept.append(taken.most_common(1)[0][1] / choices)
        guide.finish(Outcome.VALID)
    return {at: sum(kept) / len(kept) for at, kept in found.items()}


def test_each_episode_prefers_some_options():
    found = shares(Swarm())
    assert found["operation"] > 0.45
    assert found["value"] > 0.45


def test_preferences_stay_at_the_points_that_are_named():
    found = shares(Swarm(at=["operation"]))
    assert found["operation"] > 0.45
    assert found["value"] < 0.4


def test_without_sharpness_all_are_equally_likely():
    assert max(shares(Swarm(sharpness=0.0)).values()) < 0.4


def test_a_negative_sharpness_is_refused():
    with pytest.raises(ConfigurationError, match="sharpness"):
        Swarm(sharpness=-1.0)


def share_of(option, guide, episodes=300):
    """How often it is chosen in the last third of episodes that are rewarded for it."""
    taken = Counter()
    for episode in range(episodes):
        guide.start()
        made = Counter(guide.choose("abcdef", at="operation") for _ in range(50))
        guide.reward(made[option])
        guide.finish(Outcome.VALID)
        if episode >= episodes * 2 / 3:
            taken += made
    return taken[option] / taken.total()


def test_what_was_rewarded_is_inherited_until_something_else_is():
    guide = Guide(Swarm(inherit=0.9), seed=0)
    assert share_of("b", guide) > 0.35
    assert share_of("e", guide) > 0.35


def test_without_inheriting_nothing_is_learned():
    assert share_of("b", Guide(Swarm(), seed=0)) < 0.25


def test_an_episode_that_is_dropped_is_not_inherited_from():
    learner, untouched = Swarm(inherit=1.0, seed=0), Swarm(inherit=1.0, seed=0)
    point = ChoicePoint("operation", 0)
    learner.reward(5.0)
    learner.drop()
    for swarm in (learner, untouched):
        swarm.select(point, None, 3)
        swarm.update(ended(Outcome.VALID))
    assert learner._past == untouched._past


@pytest.mark.parametrize("inherit", [-0.1, 1.1])
def test_a_share_that_is_none_is_refused(inherit):
    with pytest.raises(ConfigurationError, match="inherit"):
        Swarm(inherit=inherit)
