"""Search trees of any form, and what is asked of them."""

from itertools import pairwise


def search_tree(choose, depth=0):
    """Make any tree, in order: the left subtree, a key, the right subtree."""
    if depth == 5 or not choose([True, False]):
        return None
    left = search_tree(choose, depth + 1)
    key = choose(range(31))
    return left, key, search_tree(choose, depth + 1)


def keys(tree):
    return [] if tree is None else [*keys(tree[0]), tree[1], *keys(tree[2])]


def ascends(tree):
    found = keys(tree)
    return all(a < b for a, b in pairwise(found))


def height(tree):
    """Return the height of a balanced tree; None for any other."""
    if tree is None:
        return 0
    left, right = height(tree[0]), height(tree[2])
    return None if left is None or right is None or abs(left - right) > 1 else 1 + max(left, right)


def is_balanced(tree):
    return tree is not None and ascends(tree) and height(tree) is not None


def outline(tree):
    return None if tree is None else (outline(tree[0]), outline(tree[2]))
