"""The learners that the study of random numbers has for itself."""

from random import Random

import pytest
from benchmarks.rng.cross_entropy import CrossEntropy
from tests.episodes import ended

from rlcheck import Guide, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError

POINT = ChoicePoint("p", 0)


def visit(learner, reward, state="s", n=4, times=1):
    taken = []
    for _ in range(times):
        index = learner.select(POINT, state, n)
        learner.update(ended(reward=float(reward(index))))
        taken.append(index)
    return taken


@pytest.mark.parametrize("options", [{"step_size": 0.0}, {"step_size": 1.5}, {"max_states": 0}])
def test_wrong_arguments_are_refused(options):
    with pytest.raises(ConfigurationError, match=next(iter(options))):
        CrossEntropy(**options)


def test_states_are_forgotten_when_there_are_too_many():
    learner = CrossEntropy(max_states=3, seed=0)
    known = []
    for state in range(10):
        visit(learner, lambda index: 1.0, state=state)
        known.append(learner.states)
    assert max(known) == 3


def test_cross_entropy_leaves_room_for_what_is_drawn_seldom():
    """Three numbers in order; the outer two are drawn in a quarter of the episodes each, or both."""
    guide = Guide(CrossEntropy(step_size=0.02), "sequence", seed=0, reward="validity")
    shape = Random(0)
    hits = 0
    for episode in range(6_000):
        guide.start()
        middle = guide.choose(range(9), at="middle", state="middle")
        low = guide.choose(range(9), at="low", state="low") if shape.random() < 0.5 else -1
        high = guide.choose(range(9), at="high", state="high") if shape.random() < 0.5 else 9
        valid = low < middle < high
        guide.finish(Outcome.VALID if valid else Outcome.INVALID)
        hits += valid and episode >= 5_000
    assert hits > 970  # About 620 at random.


def test_cross_entropy_learns_which_of_a_few_options_is_good():
    learner = CrossEntropy(step_size=0.05, seed=0)
    visit(learner, lambda index: index == 2, times=1_000)
    assert visit(learner, lambda index: index == 2, times=100).count(2) > 95


def test_cross_entropy_draws_from_ranges_of_any_size():
    learner = CrossEntropy(seed=0)
    for n in (1, 2, 8, 9, 2**53, 2**64):
        taken = visit(learner, lambda index: 1.0, state=n, n=n, times=50)
        assert all(0 <= index < n for index in taken)
    assert learner.states == 6


def test_cross_entropy_drops_an_episode():
    learner = CrossEntropy(seed=0)
    learner.select(POINT, "s", 4)
    learner.reward(1.0)
    learner.drop()
    learner.update(ended(Outcome.INVALID))
    assert learner._table.row(POINT, "s", 4).seen == 0.0
