"""Swarm: preferences last for an episode, and only where they are asked for."""

from collections import Counter

import pytest

from rlcheck import Guide, Outcome
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
