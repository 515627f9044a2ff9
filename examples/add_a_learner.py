"""A learner of one's own: repeat the last choice that led to a valid input, now and then."""

from random import Random

import rlcheck
from rlcheck import testing
from trees import is_bst, tree


class Echo:
    """Takes the option that was last part of a valid input, or any with probability epsilon.

    Args:
        epsilon: How often any option is taken.
    """

    def __init__(self, *, epsilon=0.25, seed=None):
        self.epsilon = epsilon
        self.rng = Random(seed)
        self.good = {}
        self.taken = {}

    def select(self, point, state, n):
        """The index, below n, of the option to take."""
        key = (point, state, n)
        index = self.good.get(key)
        if index is None or self.rng.random() < self.epsilon:
            index = self.rng.randrange(n)
        self.taken[key] = index
        return index

    def reward(self, value):
        """Rewards are not looked at."""

    def update(self, episode):
        """Remember the choices of a valid input."""
        if episode.outcome is not rlcheck.Outcome.INVALID:
            self.good.update(self.taken)
        self.taken = {}


testing.check_learner(Echo)
summary = rlcheck.Campaign(tree, valid=is_bst, learner=Echo(), seed=0).run(episodes=5_000)
print(f"{summary.valid} valid, {summary.unique_valid} unique valid")
