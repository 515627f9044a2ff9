"""Learners: Algorithm 1 to the letter, its bounds, and its options."""

import pytest
from tests.episodes import ended

from rlcheck import Guide, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.learners import MonteCarlo, Rarity

POINT = ChoicePoint("p", 0)


def visit(learner, reward, state="s", n=4, times=1):
    taken = []
    for _ in range(times):
        taken.append(learner.select(POINT, state, n))
        learner.reward(reward(taken[-1]))
        learner.update(ended(Outcome.VALID))
    return taken


def test_monte_carlo_exploits_the_running_mean():
    learner = MonteCarlo(epsilon=0.0, seed=0)
    taken = visit(learner, lambda index: 20.0 if index == 2 else -1.0, times=50)
    assert set(taken[-40:]) == {2}


def test_monte_carlo_explores_with_probability_epsilon():
    learner = MonteCarlo(epsilon=0.5, seed=0)
    taken = visit(learner, lambda index: 20.0 if index == 2 else -1.0, times=4000)
    others = sum(index != 2 for index in taken)
    assert 0.34 < others / 4000 < 0.41  # half of the time, three of four options


def test_the_value_is_the_mean_of_all_rewards():
    learner = MonteCarlo(epsilon=0.0, seed=0)
    rewards = iter([20.0, 0.0, -1.0])
    for _ in range(3):
        visit(learner, lambda index: next(rewards), n=1)
    (row,) = learner._tables[POINT].values()
    assert row._values == [pytest.approx(19 / 3)]


def test_a_step_size_forgets_old_rewards():
    learner = MonteCarlo(epsilon=0.0, step_size=0.5, seed=0)
    for reward in (20.0, 0.0, 0.0):
        visit(learner, lambda index, reward=reward: reward, n=1)
    (row,) = learner._tables[POINT].values()
    assert row._values == [2.5]


def test_one_reward_goes_to_every_choice_of_the_episode_at_every_visit():
    learner = MonteCarlo(epsilon=0.0, seed=0)
    learner.select(POINT, "a", 1)
    learner.select(POINT, "a", 1)
    learner.select(POINT, "b", 1)
    learner.reward(4.0)
    learner.reward(2.0)
    learner.update(ended(Outcome.VALID))
    table = learner._tables[POINT]
    assert table["a"]._values == table["b"]._values == [6.0]
    assert table["a"].total == 2
    learner.update(ended(Outcome.VALID))
    assert table["a"].total == 2, "nothing leaks into the next episode"


def test_rows_are_kept_apart_by_point_state_and_number_of_options():
    learner = MonteCarlo(seed=0)
    other = ChoicePoint("q", 1)
    for point, state, n in [(POINT, 1, 2), (POINT, 1, 3), (POINT, 2, 2), (other, 1, 2), (POINT, 1, 3)]:
        learner.select(point, state, n)
        learner.update(ended(Outcome.VALID))
    assert learner.states == 4


def test_a_state_that_looks_like_a_key_is_not_taken_for_one():
    learner = MonteCarlo(epsilon=0.0, seed=0)
    for state, n in [(("s", 5), 7), ("s", 3), ("s", 5), (("s", 5), 7), ("s", 5)]:
        for _ in range(20):
            assert learner.select(POINT, state, n) < n
            learner.reward(1.0)
            learner.update(ended(Outcome.VALID))
    assert learner.states == 3


def test_a_dropped_episode_teaches_nothing():
    guide = Guide(MonteCarlo(epsilon=0.0), seed=0)
    guide.start()
    guide.choose([1, 2], at="x", state=0)
    guide.reward(50.0)
    guide.abandon()
    assert guide.learner.counts() == {}


def test_max_states_forgets_the_rows_with_the_fewest_visits():
    learner = MonteCarlo(max_states=10, seed=0)
    visit(learner, lambda index: 1.0, state="busy", times=50)
    for state in range(100):
        visit(learner, lambda index: 1.0, state=state)
        assert learner.states <= 10
    assert "busy" in learner._tables[POINT]
    assert learner.states == sum(map(len, learner._tables.values()))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 1.5}, "epsilon=1.5 must lie between 0 and 1"),
        ({"step_size": 0}, "step_size=0 must be None"),
        ({"max_states": 1}, "max_states=1 must be at least 2"),
    ],
)
def test_bad_hyper_parameters(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        MonteCarlo(**arguments)


def test_a_two_step_problem_converges():
    """Only (second, second) is valid: both choices have to be learned from one reward."""
    guide = Guide(MonteCarlo(epsilon=0.1), seed=0, reward="validity")
    hits = 0
    for episode in range(1500):
        guide.start()
        valid = guide.choose("ab") == "b" and guide.choose("abcd") == "b"
        guide.finish(Outcome.VALID if valid else Outcome.INVALID)
        hits += valid and episode >= 1000
    assert hits > 400  # 0.95 * 0.925 of 500 when converged; 62 at random


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (Rarity, {"step_size": 0.0}),
        (Rarity, {"sharpness": -1.0}),
        (Rarity, {"explore": 1.5}),
        (Rarity, {"max_states": 0}),
    ],
)
def test_wrong_arguments_are_refused(learner, options):
    with pytest.raises(ConfigurationError, match=next(iter(options))):
        learner(**options)


def test_states_are_forgotten_when_there_are_too_many():
    learner = Rarity(max_states=3, seed=0)
    known = []
    for state in range(10):
        visit(learner, lambda index: 1.0, state=state)
        known.append(learner.states)
    assert max(known) == 3


def cover(learner, branches, times, n=10, draws=8):
    """Episodes of some draws, each with the branches that a function of the draws gives; all draws."""
    made = []
    for _ in range(times):
        made.append([learner.select(POINT, "s", n) for _ in range(draws)])
        episode = ended()
        episode.counts = dict.fromkeys(branches(made[-1]), 1)
        learner.update(episode)
    return made


def depth(draws):
    """How many draws are 7, one after the other, from the first."""
    return next((place for place, drawn in enumerate(draws) if drawn != 7), len(draws))


def test_rarity_goes_where_branches_are_rare():
    made = cover(Rarity(seed=0), lambda draws: range(depth(draws) + 1), 2_000)
    assert max(map(depth, made)) == 8  # So it was with 40 seeds; at random, with one in 50,000.


def test_rarity_leaves_what_has_become_common():
    learner = Rarity(seed=0)
    cover(learner, lambda draws: [draws[0] == 3], 300, n=4, draws=1)
    later = [made[0] for made in cover(learner, lambda draws: [2 + draws[0]], 600, n=4, draws=1)]
    assert all(later[-400:].count(index) > 40 for index in range(4))


def test_rarity_asks_long_episodes_for_more():
    learner = Rarity(seed=0)
    longer = 0
    for number in range(1_000):
        more = learner.select(POINT, "more", 2)
        for _ in range(9 * more):
            learner.select(POINT, "s", 1)
        episode = ended()
        episode.counts = {number: 1}
        learner.update(episode)
        longer += more and number >= 500
    assert longer < 100  # Any of both has one new branch, and the longer one needs ten times the choices.


def test_rarity_without_coverage_goes_by_the_reward():
    learner = Rarity(seed=0)
    visit(learner, lambda index: index == 2, times=300)
    assert visit(learner, lambda index: index == 2, times=100).count(2) > 70  # Of 40 seeds, at least 80.


def test_rarity_begins_with_the_weights_of_a_draw():
    learner = Rarity(seed=0)
    for n in (3, 100):
        weights = [0.0, 9.0, *[1.0 / (n - 2)] * (n - 2)]
        taken = [learner.select_weighted(POINT, "s", n, weights) for _ in range(200)]
        assert taken.count(0) == 0
        assert taken.count(1) > 150
