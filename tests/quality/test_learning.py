"""Statistical claims, with fixed seeds; each margin was measured over twenty seeds."""

import pytest
from benchmarks.portfolio.subjects import SUBJECTS
from benchmarks.strict.terms import is_typed, term

from rlcheck import Campaign
from rlcheck.cli.demo import is_bst, tree
from rlcheck.rewards import Novelty


def unique(learner, episodes=10_000, seed=0, **arguments):
    campaign = Campaign(tree, valid=is_bst, learner=learner, seed=seed, **arguments)
    return campaign.run(episodes=episodes).unique_valid


def test_monte_carlo_beats_uniform_on_search_trees():
    # Ratios over twenty seeds: 3.98 to 5.36.
    assert unique("monte-carlo") > 3.5 * unique("uniform")


def test_the_automatic_state_beats_the_plain_window():
    # Ratios over twenty single seeds: 0.94 to 1.52; hence the sum of four.
    seeds = range(4)
    call_tree = sum(unique("monte-carlo", seed=seed) for seed in seeds)
    sequence = sum(unique("monte-carlo", seed=seed, abstraction="sequence") for seed in seeds)
    assert call_tree > 1.05 * sequence


def test_diverse_makes_many_times_what_monte_carlo_makes():
    # Ratios over four seeds: 6.0 to 9.1.
    assert unique("diverse", 3_000) > 4 * unique("monte-carlo", 3_000)


def test_a_cold_start_is_led_by_the_branches_of_the_precondition():
    def keys(choose):
        return [choose(range(64)) for _ in range(3)]

    def opens(keys):
        if keys[0] != 7:
            return False
        if keys[1] != 13:
            return False
        return keys[2] == 11

    def valid(**arguments):
        campaign = Campaign(keys, valid=opens, learner="monte-carlo", seed=0, **arguments)
        return campaign.run(episodes=2_500).valid

    # Of 2,500 inputs over twelve seeds, 374 to 789 were valid; without coverage, none in any of them.
    assert valid() > 200
    assert valid(coverage=()) == 0


def summary_of(subject, learner, seed, episodes, **arguments):
    generator, valid, characteristic = SUBJECTS[subject]
    campaign = Campaign(
        generator, valid=valid, characteristic=characteristic, learner=learner, seed=seed, **arguments
    )
    return campaign.run(episodes=episodes)


def test_zest_covers_more_branches_than_uniform_on_a_deep_subject():
    def branches(learner, seed):
        coverage = [SUBJECTS["maze"].valid.__module__]
        return len(summary_of("maze", learner, seed, 3_000, coverage=coverage).coverage.covered)

    # Of 27, over twenty seeds: zest 27 in each, uniform 21 to 25.
    for seed in range(4):
        assert branches("zest", seed) == 27 > branches("uniform", seed)


@pytest.mark.parametrize("subject", ["tree", "document"])
def test_a_portfolio_is_not_far_from_its_best_member(subject):
    def found(learner):
        return summary_of(subject, learner, 0, 3_000).unique_valid

    others = ("monte-carlo", "uniform", "zest")
    best = found("diverse")
    assert best > 1.3 * max(map(found, others))
    # Over two seeds: 0.71 to 0.80. Its best member gets better faster than it hands over to it.
    assert found("portfolio") > 0.65 * best


def test_recurrent_waits_for_a_reward_where_hardly_any_input_is_valid():
    pytest.importorskip("torch", reason="needs rlcheck[torch]")
    reward = Novelty(unique=20, valid=0, invalid=-1)

    def valid(seed):
        campaign = Campaign(term, valid=is_typed, learner="recurrent", reward=reward, seed=seed)
        return campaign.run(episodes=1_000).valid

    # One random term in two hundred is typed. Of 1,000, seeds 2 to 5 made 50 to 320; seed 0 learns nothing.
    # As long as small advantages were blown up, the policy drifted before the first reward: 0 to 3.
    assert valid(2) + valid(3) > 100
