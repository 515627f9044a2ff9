"""An observer: the largest search tree that a campaign makes."""

import rlcheck
from trees import is_bst, size, tree

sizes = []


def measure(episode):
    """Keep the size of each new search tree."""
    if episode.unique:
        sizes.append(size(episode.value))


campaign = rlcheck.Campaign(tree, valid=is_bst, seed=0, observers=[measure])
campaign.run(episodes=10_000)
print(f"{len(sizes)} search trees, the largest with {max(sizes)} nodes")
