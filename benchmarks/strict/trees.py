"""Binary trees under three orders of strictness: search trees, AVL trees, red-black trees."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose


@dataclass(slots=True)
class Tree:
    """A binary tree of integers; only red-black trees have red nodes."""

    value: int
    left: Tree | None = None
    right: Tree | None = None
    red: bool = False


def bst(choose: Choose, depth: int = 0) -> Tree:
    """Any binary tree of up to five levels."""
    node = Tree(choose(range(11)))
    if depth < 4 and choose([True, False]):
        node.left = bst(choose, depth + 1)
    if depth < 4 and choose([True, False]):
        node.right = bst(choose, depth + 1)
    return node


def avl(choose: Choose, depth: int = 0) -> Tree:
    """Any binary tree of up to five levels, with more values."""
    node = Tree(choose(range(16)))
    if depth < 4 and choose([True, False]):
        node.left = avl(choose, depth + 1)
    if depth < 4 and choose([True, False]):
        node.right = avl(choose, depth + 1)
    return node


def red_black(choose: Choose, depth: int = 0) -> Tree:
    """Any binary tree of up to four levels, its nodes coloured."""
    node = Tree(choose(range(11)), red=choose([True, False]))
    if depth < 3 and choose([True, False]):
        node.left = red_black(choose, depth + 1)
    if depth < 3 and choose([True, False]):
        node.right = red_black(choose, depth + 1)
    return node


def is_bst(node: Tree | None, low: float = float("-inf"), high: float = float("inf")) -> bool:
    """Whether every value lies between those of the nodes above it."""
    return node is None or (
        low < node.value < high
        and is_bst(node.left, low, node.value)
        and is_bst(node.right, node.value, high)
    )


def is_avl(tree: Tree) -> bool:
    """Whether it is a balanced search tree of at least three nodes."""
    return size(tree) >= 3 and is_bst(tree) and _balanced_height(tree) is not None


def is_red_black(tree: Tree) -> bool:
    """Whether it is a red-black tree of at least three nodes."""
    return size(tree) >= 3 and not tree.red and is_bst(tree) and _black_height(tree) is not None


def _balanced_height(node: Tree | None) -> int | None:
    """The height, or None when two sibling subtrees differ by more than one."""
    if node is None:
        return 0
    left = _balanced_height(node.left)
    right = _balanced_height(node.right)
    if left is None or right is None or abs(left - right) > 1:
        return None
    return 1 + max(left, right)


def _black_height(node: Tree | None) -> int | None:
    """The black nodes on each way down, or None when the ways differ or a red node has a red child."""
    if node is None:
        return 0
    if node.red and any(child is not None and child.red for child in (node.left, node.right)):
        return None
    left = _black_height(node.left)
    right = _black_height(node.right)
    if left is None or left != right:
        return None
    return left + (not node.red)


def shape(node: Tree | None) -> Hashable:
    """Where nodes are, without values and colours."""
    return None if node is None else (shape(node.left), shape(node.right))


def size(node: Tree | None) -> int:
    """The number of nodes."""
    return 0 if node is None else 1 + size(node.left) + size(node.right)


SUBJECTS = (
    Subject("bst", bst, is_bst, shape, size),
    Subject("avl", avl, is_avl, shape, size),
    Subject("red-black", red_black, is_red_black, shape, size),
)
