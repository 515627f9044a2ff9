"""Zest: what is saved, who is favoured, and how a child differs from its parent."""

from collections import Counter
from random import Random

import pytest
from tests.episodes import ended

from rlcheck import Campaign, Coverage, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.learners import Zest
from rlcheck.learners._saved import FRESH, Saved

POINT = ChoicePoint("p", 0)


def seen(learner, choices, outcome=Outcome.VALID, counts=None, **more):
    episode = ended(outcome, choices=choices, **more)
    episode.counts = counts
    learner.update(episode)


def parents(saved, draws=4_000):
    rng = Random(0)
    return Counter(saved._parent(rng).choices for _ in range(draws))


def test_nothing_saved_makes_every_choice_anew():
    assert Saved(10, 2.0, 1.0).child(Random(0)) == []
    learner = Zest(seed=0)
    assert {learner.select(POINT, (), 3) for _ in range(50)} == {0, 1, 2}


def test_a_child_differs_at_a_geometric_number_of_places():
    saved = Saved(10, 2.0, 1.0)
    saved.add(Random(0), (5,) * 1_000)
    rng = Random(1)
    changed = [saved.child(rng).count(FRESH) for _ in range(2_000)]
    assert min(changed) == 1
    assert 1.9 < sum(changed) / 2_000 < 2.1
    assert 0.45 < changed.count(1) / 2_000 < 0.55


def test_a_mutation_has_a_geometric_length():
    saved = Saved(10, 1.0, 4.0)
    saved.add(Random(0), (5,) * 1_000)
    rng = Random(1)
    changed = [saved.child(rng).count(FRESH) for _ in range(2_000)]
    assert 3.8 < sum(changed) / 2_000 < 4.2


def test_a_child_takes_its_parents_choices_where_they_fit_and_any_past_the_end():
    learner = Zest(seed=0)
    learner._parent = iter([3, 9, 2])
    assert learner.select(POINT, (), 4) == 3
    assert learner.select(POINT, (), 4) < 4
    assert learner.select(POINT, (), 4) == 2
    assert {learner.select(POINT, (), 4) for _ in range(50)} == {0, 1, 2, 3}


def test_a_choice_made_by_somebody_else_stands_for_the_parents():
    learner = Zest(seed=0)
    learner._parent = iter([3, 3, 2])
    learner.observe(POINT, (), 4, 0)
    assert [learner.select(POINT, (), 4), learner.select(POINT, (), 4)] == [3, 2]


def test_an_option_without_weight_is_never_taken():
    learner = Zest(seed=0)
    learner._parent = iter([2, 1])
    assert learner.select_weighted(POINT, (), 3, [1.0, 1.0, 0.0]) != 2
    assert learner.select_weighted(POINT, (), 3, [1.0, 1.0, 0.0]) == 1
    assert {learner.select_weighted(POINT, (), 3, [0.0, 1.0, 0.0]) for _ in range(20)} == {1}


def test_without_coverage_it_saves_valid_inputs_with_new_choices():
    learner = Zest(seed=0)
    seen(learner, [1, 2], Outcome.INVALID)
    assert learner.saved == 0
    seen(learner, [1, 2])
    seen(learner, [1, 2])
    seen(learner, [1, 3], Outcome.FAILED)
    seen(learner, [])
    assert learner.saved == 2


def test_while_nothing_is_valid_the_nearest_are_saved():
    learner = Zest(seed=0)
    for choices, near in (([1], 0.2), ([2], 0.5), ([3], 0.1), ([4], 0.5)):
        seen(learner, choices, Outcome.INVALID, progress=near)
    assert set(parents(learner._saved)) == {(2,), (4,)}
    seen(learner, [5])
    assert set(parents(learner._saved)) == {(5,)}


def test_what_is_worth_less_than_usual_is_not_saved():
    learner = Zest(seed=0)
    for index in range(20):
        seen(learner, [0, index], reward=float(index % 2))
    assert learner.saved == 11, "the first one, which is usual, and the better half"


@pytest.mark.parametrize("reward", [-5.0, 0.0, 3.0])
def test_a_constant_reward_changes_nothing(reward):
    learner = Zest(seed=0)
    for index in range(20):
        seen(learner, [index], reward=reward)
    assert learner.saved == 20


def test_max_inputs_bounds_what_is_saved():
    learner = Zest(max_inputs=5, seed=0)
    for index in range(50):
        seen(learner, [index])
        assert learner.saved <= 5
    assert len(parents(learner._saved)) == 5


def test_zest_saves_what_adds_a_branch_or_a_power_of_two():
    learner = Zest(seed=0)
    saved = []
    for index, counts in enumerate(({1: 1}, {1: 1}, {1: 2}, {1: 3}, {1: 4, 2: 1}, {2: 1})):
        seen(learner, [index], counts=counts)
        saved.append(learner.saved)
    assert saved == [1, 1, 2, 2, 3, 3]


def test_zest_saves_the_first_valid_input_that_covers_what_only_invalid_ones_did():
    learner = Zest(seed=0)
    seen(learner, [1], Outcome.INVALID, {1: 1})
    seen(learner, [2], Outcome.INVALID, {1: 1})
    assert learner.saved == 1
    seen(learner, [3], Outcome.VALID, {1: 1})
    seen(learner, [4], Outcome.VALID, {1: 1})
    assert learner.saved == 2


def test_a_favoured_input_is_a_parent_20_times_as_often():
    learner = Zest(seed=0)
    seen(learner, [1], counts={1: 1})
    seen(learner, [2], counts={1: 2})  # The branch is known: nothing to be responsible for.
    drawn = parents(learner._saved)
    assert 15 < drawn[(1,)] / drawn[(2,)] < 25


def test_a_valid_input_takes_over_the_branches_of_an_invalid_one():
    learner = Zest(seed=0)
    seen(learner, [1], Outcome.INVALID, {1: 1})
    seen(learner, [2], Outcome.VALID, {1: 1})
    drawn = parents(learner._saved)
    assert 15 < drawn[(2,)] / drawn[(1,)] < 25


def test_energy_grows_with_the_branches_of_an_input():
    learner = Zest(seed=0)
    seen(learner, [1], counts={1: 1})
    seen(learner, [2], counts={2: 1, 3: 1, 4: 1, 5: 1})
    drawn = parents(learner._saved)
    assert 3.4 < drawn[(2,)] / drawn[(1,)] < 4.6


def test_favoured_inputs_are_not_forgotten():
    learner = Zest(max_inputs=3, seed=0)
    for branch in range(3):
        seen(learner, [branch], counts={branch: 1})
    for power in range(1, 9):
        seen(learner, [9, power], counts={0: 1 << power})
    assert {(0,), (1,), (2,)} <= set(parents(learner._saved))
    assert learner.saved == 3


def is_long(numbers):
    return len(numbers) > 3


def numbers(choose):
    return [choose(range(4)) for _ in range(choose(range(6)))]


def test_a_campaign_takes_the_coverage_that_its_learner_looks_at():
    campaign = Campaign(numbers, valid=is_long, learner="zest", seed=0)
    assert campaign.summary.coverage.modules == [__name__]
    campaign.run(episodes=50)
    assert campaign.guide.learner.saved < 10, "inputs without new branches are not saved"
    assert not campaign.guide.coverage.is_on
    assert Campaign(numbers, valid=is_long, learner="zest", coverage=()).guide.coverage is None


def test_a_campaign_says_when_there_is_no_coverage_to_be_had():
    campaign = Campaign(numbers, valid=len, learner="zest", seed=0)
    assert campaign.run(episodes=50).valid
    assert "went on without: neither `valid` nor `test`" in str(campaign.summary)
    with Coverage(__name__):
        campaign = Campaign(numbers, valid=is_long, learner="zest", seed=0)
    assert "is in use by another campaign" in campaign.summary.note


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"places": 0.5}, "places=0.5 and length=1.0 must be at least 1"),
        ({"length": float("nan")}, "length=nan must be at least 1"),
        ({"max_inputs": 0}, "max_inputs=0 must be an integer of at least 1"),
    ],
)
def test_bad_hyper_parameters(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        Zest(**arguments)
