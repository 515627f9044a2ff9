"""IMPALA, trained by RLlib and handed back as a learner."""

import math
import sys

import pytest

import rlcheck
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.agents.rllib import Impala, train


def coin(choose):
    return choose(range(2), state=((1,),))


def test_a_frozen_policy_selects_as_it_was_trained():
    logits = {((1,),): [math.log(0.9), math.log(0.1)]}
    made = rlcheck.Campaign(coin, valid=lambda side: side == 0, learner=Impala(logits, levels=2), seed=0)
    assert 850 < made.run(episodes=1_000).valid < 950


def test_a_level_of_few_is_a_range_of_many_options():
    logits = {((1,),): [-50.0, 0.0]}
    learner = Impala(logits, levels=2, seed=0)
    assert learner.select(None, ((1,),), 1000) == 500
    assert len({learner.select(None, ((2,),), 1000) for _ in range(50)}) > 30, "elsewhere it is uniform"


def test_wrong_arguments_are_refused():
    with pytest.raises(ConfigurationError, match="iterations=0"):
        train(coin, iterations=0)
    with pytest.raises(ConfigurationError, match="actors=True"):
        train(coin, actors=True)


def test_without_rllib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # As if it were not there.
    with pytest.raises(ConfigurationError, match=r"pip install '\.\[ray\]'"):
        train(coin)


@pytest.mark.filterwarnings("ignore")  # Ray's own.
def test_two_actors_train_a_policy_that_is_handed_back():
    pytest.importorskip("ray.rllib", reason="needs the extra rlcheck[ray]", exc_type=ImportError)
    pytest.importorskip("gymnasium")

    def three(choose):
        return [choose(range(2)) for _ in range(3)]

    learner = train(
        three,
        valid=lambda made: sum(made) == 3,
        levels=2,
        max_states=4,
        iterations=1,
        actors=2,
        steps=100,
        options={"train_batch_size_per_learner": 50},
    )
    assert learner.states == 1, "three calls in one place are one state"
    summary = rlcheck.Campaign(three, learner=learner, seed=0).run(episodes=200)
    assert summary.unique_valid > 1
