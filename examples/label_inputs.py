"""Label inputs, and see how the labels are distributed among all inputs and among valid ones."""

from collections import Counter

import rlcheck


def tree(choose, depth=0):
    """A tree as a tuple: the key, the left and the right subtree."""
    key = choose(range(11))
    left = tree(choose, depth + 1) if depth < 4 and choose([True, False]) else None
    right = tree(choose, depth + 1) if depth < 4 and choose([True, False]) else None
    return key, left, right


def keys(tree):
    """The keys from left to right."""
    return [] if tree is None else [*keys(tree[1]), tree[0], *keys(tree[2])]


def is_bst(tree):
    """Whether the keys ascend; labels the tree on the way."""
    found = keys(tree)
    rlcheck.event("nodes", "1 to 3" if len(found) < 4 else "4 to 7" if len(found) < 8 else "8 or more")
    if len(found) > len(set(found)):
        rlcheck.event("duplicates")
    return found == sorted(set(found))


def main():
    """Count labels with an observer."""
    seen = {True: Counter(), False: Counter()}

    def count(episode):
        seen[episode.outcome is not rlcheck.Outcome.INVALID].update(episode.labels.items())

    rlcheck.Campaign(tree, valid=is_bst, seed=0, observers=[count]).run(episodes=2_000)
    for label, value in sorted(seen[True] | seen[False]):
        valid, invalid = seen[True][label, value], seen[False][label, value]
        print(f"{label} {value}".rstrip() + f": {valid + invalid} inputs, {valid} valid")


if __name__ == "__main__":
    main()
