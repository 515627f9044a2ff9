"""Statistical claims, with fixed seeds; each margin was measured over twenty seeds."""

from rlcheck import Campaign
from rlcheck.frontends.demo import is_bst, tree


def unique(learner, episodes=10_000, seed=0, **arguments):
    campaign = Campaign(tree, valid=is_bst, learner=learner, seed=seed, **arguments)
    return campaign.run(episodes=episodes).unique_valid


def test_monte_carlo_beats_uniform_on_search_trees():
    # Ratios seen over twenty seeds: 4.3 to 5.3.
    assert unique("monte-carlo") > 3.5 * unique("uniform")


def test_the_automatic_state_beats_the_plain_window():
    # call-tree 1,100 to 1,280; sequence 880 to 1,010.
    assert unique("monte-carlo") > unique("monte-carlo", abstraction="sequence")


def test_diverse_makes_many_times_what_monte_carlo_makes():
    # Ratios seen over twenty seeds: 3.4 to 4.4.
    assert unique("diverse") > 3 * unique("monte-carlo")
