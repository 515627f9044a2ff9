"""Failures of a campaign, replayed without a learner."""

import rlcheck
from trees import insert, is_bst, tree


def tree_and_key(choose):
    """The input of the property: a tree and a key."""
    return tree(choose), choose(range(11))


def check_insert(pair):
    """A search tree is still one after an insertion."""
    node, key = pair
    insert(node, key)
    assert is_bst(node)


campaign = rlcheck.Campaign(tree_and_key, valid=lambda pair: is_bst(pair[0]), test=check_insert, seed=0)
summary = campaign.run(episodes=1_000)
for failure in summary.failures:
    kind = type(failure.error).__name__
    print(f"{kind}: {failure.count} inputs, the first from choices {list(failure.choices)}")

failure = summary.failures[0]
node, key = rlcheck.replay(tree_and_key, failure.choices)
print(f"node = {node}\nkey = {key}")

try:
    rlcheck.replay(tree, failure.choices)
except rlcheck.RlcheckError as error:
    print(error)
