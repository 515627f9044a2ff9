"""Binary trees: the data, a generator, a precondition and a faulty insert. The other examples import it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tree:
    """A binary tree of integers."""

    value: int
    left: Tree | None = None
    right: Tree | None = None


def tree(choose, depth=0):
    """Any tree of at most five levels; nothing here knows about order."""
    node = Tree(choose(range(11)))
    if depth < 4 and choose([True, False]):
        node.left = tree(choose, depth + 1)
    if depth < 4 and choose([True, False]):
        node.right = tree(choose, depth + 1)
    return node


def is_bst(node, low=-1, high=11):
    """Whether the tree is a search tree: smaller values on the left, larger ones on the right."""
    if node is None:
        return True
    return (
        low < node.value < high
        and is_bst(node.left, low, node.value)
        and is_bst(node.right, node.value, high)
    )


def insert(node, key):
    """Insert a key into a search tree."""
    side = "left" if key < node.value else "right"
    child = getattr(node, side)
    if child is None:
        setattr(node, side, Tree(key))
    else:
        insert(child, key)


def size(node):
    """The number of nodes."""
    return 0 if node is None else 1 + size(node.left) + size(node.right)
