"""Search trees from a generator that knows nothing of order: random, then guided."""

import rlcheck
from trees import is_bst, tree

campaign = rlcheck.Campaign(tree, valid=is_bst, learner="uniform", seed=0)
summary = campaign.run(episodes=10_000)
print(f"random: {summary.valid} valid, {summary.unique_valid} unique valid")

campaign = rlcheck.Campaign(tree, valid=is_bst, seed=0)
summary = campaign.run(episodes=10_000)
print(f"guided: {summary.valid} valid, {summary.unique_valid} unique valid")
