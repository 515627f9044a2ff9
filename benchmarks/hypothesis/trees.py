"""Binary search trees: any tree is drawn, a search tree is assumed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from benchmarks.hypothesis.property import Property

#: Value, left, right; or None.
Tree = tuple[int, Any, Any] | None


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> Tree:
    """Any binary tree of up to five levels."""
    value = draw(st.integers(0, 10))
    left = draw(trees(depth + 1)) if depth < 4 and draw(st.booleans()) else None
    right = draw(trees(depth + 1)) if depth < 4 and draw(st.booleans()) else None
    return (value, left, right)


RECURSIVE = st.recursive(
    st.none(), lambda children: st.tuples(st.integers(0, 10), children, children), max_leaves=10
)


def is_bst(tree: Tree, low: float = float("-inf"), high: float = float("inf")) -> bool:
    """Whether every value lies between those of the nodes above it."""
    if tree is None:
        return True
    value, left, right = tree
    return low < value < high and is_bst(left, low, value) and is_bst(right, value, high)


def values(tree: Tree) -> list[int]:
    """All values, in order."""
    return [] if tree is None else [*values(tree[1]), tree[0], *values(tree[2])]


def shape(tree: Tree) -> Hashable:
    """Where nodes are."""
    return None if tree is None else (shape(tree[1]), shape(tree[2]))


def insert(tree: Tree, value: int) -> Tree:
    """A search tree with one more value."""
    if tree is None:
        return (value, None, None)
    root, left, right = tree
    if value == root:
        return tree
    return (root, insert(left, value), right) if value < root else (root, left, insert(right, value))


def delete(tree: Tree, value: int) -> Tree:
    """A search tree with one value less. The bug: of two children, the left one is lost."""
    if tree is None:
        return None
    root, left, right = tree
    if value < root:
        return (root, delete(left, value), right)
    if value > root:
        return (root, left, delete(right, value))
    return left if right is None else right


def test_insert(tree: Tree) -> None:
    """What is inserted is there."""
    assume(is_bst(tree))
    assert values(insert(tree, 5)) == sorted({*values(tree), 5})


def test_recursive_insert(tree: Tree) -> None:
    """The same, of a tree that is not empty."""
    assume(tree is not None)
    assume(is_bst(tree))
    assert values(insert(tree, 5)) == sorted({*values(tree), 5})


def test_delete(tree: Tree, value: int) -> None:
    """What is deleted from a tree of some size is not there, and all the rest is."""
    assume(is_bst(tree))
    assume(len(values(tree)) >= 3)
    assume(value in values(tree))
    assert values(delete(tree, value)) == [other for other in values(tree) if other != value]


PROPERTIES = (
    Property("bst", test_insert, shape, {"tree": trees()}),
    Property("bst-recursive", test_recursive_insert, shape, {"tree": RECURSIVE}),
)
BUGS = (
    Property(
        "bst-delete",
        test_delete,
        lambda tree, value: shape(tree),
        {"tree": trees(), "value": st.integers(0, 10)},
    ),
)
