"""The subject of the study: generators of binary trees, and what makes one a search tree."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from rlcheck.generators import Choose, Generator

VALUES = range(11)
#: Links from the root to the lowest nodes.
MAX_DEPTH = 4
#: How many of the last elements a state keeps (w).
WINDOW = 4


@dataclass(slots=True)
class Tree:
    """A binary tree of integers."""

    value: int
    left: Tree | None = None
    right: Tree | None = None


def tree(choose: Choose, depth: int = 0) -> Tree:
    """Any binary tree of up to five levels: the paper's Figure 1."""
    node = Tree(choose(VALUES))
    if depth < MAX_DEPTH and choose([True, False]):
        node.left = tree(choose, depth + 1)
    if depth < MAX_DEPTH and choose([True, False]):
        node.right = tree(choose, depth + 1)
    return node


def annotated(left: tuple[Hashable, ...], right: tuple[Hashable, ...]) -> Generator[Tree]:
    """The same trees with a state given by hand: the paper's Figure 3.

    A state has the values from the root down, and after each what marks the way on: `left` or `right`.
    """

    def grow(choose: Choose, state: tuple[Hashable, ...] = (), depth: int = 0) -> Tree:
        value = choose(VALUES, at="value", state=state)
        node = Tree(value)
        inside = (*state, value)[-WINDOW:]
        if depth < MAX_DEPTH and choose([True, False], at="left", state=inside):
            node.left = grow(choose, (*inside, *left)[-WINDOW:], depth + 1)
        if depth < MAX_DEPTH and choose([True, False], at="right", state=inside):
            node.right = grow(choose, (*inside, *right)[-WINDOW:], depth + 1)
        return node

    return grow


def is_bst(node: Tree | None, low: int = VALUES.start - 1, high: int = VALUES.stop) -> bool:
    """Whether every value lies strictly between those of the nodes above it."""
    return node is None or (
        low < node.value < high
        and is_bst(node.left, low, node.value)
        and is_bst(node.right, node.value, high)
    )


def size(node: Tree | None) -> int:
    """The number of nodes."""
    return 0 if node is None else 1 + size(node.left) + size(node.right)
