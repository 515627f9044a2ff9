"""The subject of the study: the demo's binary trees, and the same with states given by hand."""

from __future__ import annotations

from collections.abc import Hashable

from rlcheck.cli.demo import Tree, is_bst, size, tree
from rlcheck.generators import Choose, Generator

__all__ = ["MAX_DEPTH", "VALUES", "WINDOW", "Tree", "annotated", "is_bst", "size", "tree"]

VALUES = range(11)
#: Links from the root to the lowest nodes.
MAX_DEPTH = 4
#: How many of the last elements a state keeps (w).
WINDOW = 4


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
