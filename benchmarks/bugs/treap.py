"""Treaps: search trees by key that are heaps by priority; insert, delete and union."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A key, its priority, the left and the right subtree. The greatest priority is on top.
Tree = tuple[int, int, Any, Any]
Input = tuple[Tree | None, Tree | None]

LEVELS, KEYS, PRIORITIES = 4, range(16), range(10)


def keys(tree: Tree | None) -> list[int]:
    """Return the keys from left to right."""
    return [] if tree is None else [*keys(tree[2]), tree[0], *keys(tree[3])]


def priorities(tree: Tree | None) -> dict[int, int]:
    """Return the priority of every key."""
    return {} if tree is None else {tree[0]: tree[1]} | priorities(tree[2]) | priorities(tree[3])


def is_heap(tree: Tree | None) -> bool:
    """Whether no priority is greater than the one above it."""
    return tree is None or all(
        child is None or (child[1] <= tree[1] and is_heap(child)) for child in (tree[2], tree[3])
    )


def is_treap(tree: Tree | None) -> bool:
    """Whether keys ascend, and priorities do not ascend on the way down."""
    return all(low < high for low, high in pairwise(keys(tree))) and is_heap(tree)


class Treap:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def split(self, tree: Tree | None, key: int) -> tuple[Tree | None, Tree | None, Tree | None]:
        """Return the tree of lesser keys, the node of the key, and the tree of greater keys."""
        if tree is None:
            return None, None, None
        root, priority, left, right = tree
        if key < root:
            less, found, more = self.split(left, key)
            if self.bug == "split-drops-greater" and found is not None:
                return less, found, right
            return less, found, (root, priority, more, right)
        if key > root:
            less, found, more = self.split(right, key)
            if self.bug == "split-loses-middle" and less is not None and more is not None:
                return (root, priority, left, None), found, more
            return (root, priority, left, less), found, more
        if self.bug == "split-forgets-right-of-key" and left is not None:
            return left, tree, None
        return left, tree, right

    def join(self, left: Tree | None, right: Tree | None) -> Tree | None:
        """Return a tree of two, all keys of the first being less."""
        if left is None or right is None:
            return left or right
        over = left[1] >= right[1]
        if self.bug == "join-compares-keys":
            over = left[0] % 8 >= right[0] % 8
        if self.bug == "join-left-on-top" and right[2] is not None:
            over = True
        if over:
            inner = self.join(left[3], right)
            if self.bug == "join-drops-inner" and left[3] is not None and left[1] == right[1]:
                inner = right
            return (left[0], left[1], left[2], inner)
        if self.bug == "join-hangs-right-first" and right[2] is not None:
            return (right[0], right[1], left, self.join(right[2], right[3]))
        return (right[0], right[1], self.join(left, right[2]), right[3])

    def insert(self, tree: Tree | None, key: int, priority: int) -> Tree | None:
        """Return the tree with the key; one that is there keeps the greater priority."""
        if tree is None:
            return (key, priority, None, None)
        root, above, left, right = tree
        over = priority > above
        if self.bug == "insert-splits-only-when-empty" and left is not None and right is not None:
            over = False
        if self.bug == "insert-below-equal-key" and key == root:
            over = False
        if over:
            less, found, more = self.split(tree, key)
            if self.bug == "insert-keeps-both" and found is not None:
                more = self.join((found[0], 0, None, None), more)
            return (key, priority, less, more)
        if key < root:
            return (root, above, self.insert(left, key, priority), right)
        if key > root:
            if self.bug == "insert-turns-left":
                return (root, above, left, right if right is not None else self.insert(left, key, priority))
            return (root, above, left, self.insert(right, key, priority))
        if self.bug == "insert-lowers-priority":
            return (root, priority, left, right)
        return tree

    def delete(self, tree: Tree | None, key: int) -> Tree | None:
        """Return the tree without the key."""
        if tree is None:
            return None
        root, priority, left, right = tree
        if key < root:
            return (root, priority, self.delete(left, key), right)
        if key > root:
            return (root, priority, left, self.delete(right, key))
        if self.bug == "delete-raises-left" and left is not None and left[3] is None:
            return (left[0], left[1], left[2], right)
        if self.bug == "delete-joins-children-crosswise" and left is not None and right is not None:
            return self.join(right, left)
        return self.join(left, right)

    def union(self, one: Tree | None, other: Tree | None) -> Tree | None:
        """Return a tree with the keys of both; one in both has the greater priority."""
        if one is None or other is None:
            return one or other
        if one[1] < other[1] and self.bug != "union-first-on-top":
            one, other = other, one
        less, found, more = self.split(other, one[0])
        if self.bug == "union-puts-found-back" and found is not None:
            more = self.union(more, (found[0] + 1, 0, None, None))
        if self.bug == "union-skips-small-sides" and less is not None and less[2] is less[3] is None:
            less = None
        left = self.union(one[2], less)
        right = self.union(one[3], more)
        if self.bug == "union-takes-one-side" and one[3] is not None and found is not None:
            right = one[3]
        return (one[0], one[1], left, right)


def insert_keys(treap: Treap, value: Input) -> bool:
    """Inserting the root of another tree adds its key and nothing else."""
    tree, other = value
    if other is None:
        return True
    return keys(treap.insert(tree, *other[:2])) == sorted({*keys(tree), other[0]})


def insert_priorities(treap: Treap, value: Input) -> bool:
    """Inserting the root of another tree leaves a treap, with the greater of two priorities."""
    tree, other = value
    if other is None:
        return True
    key, priority = other[:2]
    known = priorities(tree)
    made = treap.insert(tree, key, priority)
    return is_heap(made) and priorities(made) == known | {key: max(priority, known.get(key, priority))}


def delete_keys(treap: Treap, value: Input) -> bool:
    """Deleting the keys of another tree removes them and nothing else."""
    tree, other = value
    for key in keys(other):
        tree = treap.delete(tree, key)
    return keys(tree) == sorted({*keys(value[0])} - {*keys(other)})


def delete_priorities(treap: Treap, value: Input) -> bool:
    """Deleting the root leaves a treap."""
    tree = value[0]
    return tree is None or is_heap(treap.delete(tree, tree[0]))


def union_keys(treap: Treap, value: Input) -> bool:
    """A union has the keys of both."""
    return keys(treap.union(*value)) == sorted({*keys(value[0]), *keys(value[1])})


def union_priorities(treap: Treap, value: Input) -> bool:
    """A union is a treap, with the greater of two priorities."""
    made, one, other = treap.union(*value), priorities(value[0]), priorities(value[1])
    return is_heap(made) and priorities(made) == {
        key: max(one.get(key, 0), other.get(key, 0)) for key in one | other
    }


def valid(value: Input) -> bool:
    """Whether both are treaps."""
    return is_treap(value[0]) and is_treap(value[1])


def generator(choose: Choose) -> Input:
    """Make any two trees."""
    return tree(choose, 0), tree(choose, 0)


def tree(choose: Choose, depth: int) -> Tree | None:
    """Make any tree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    return (choose(KEYS), choose(PRIORITIES), tree(choose, depth + 1), tree(choose, depth + 1))


def handwritten(random: Random) -> Input:
    """Insert some keys with priorities that coincide at times."""
    treap = Treap()

    def some() -> Tree | None:
        made = None
        for _ in range(random.randrange(12)):
            made = treap.insert(made, random.choice(KEYS), random.choice(PRIORITIES))
        return made

    return some(), some()


TREES = st.deferred(
    lambda: (
        st.none()
        | st.tuples(st.integers(KEYS[0], KEYS[-1]), st.integers(PRIORITIES[0], PRIORITIES[-1]), TREES, TREES)
    )
)

WORKLOAD = Workload(
    "treap",
    Treap,
    generator,
    st.tuples(TREES, TREES),
    valid,
    {
        "split-drops-greater": (insert_keys, insert_priorities),
        "split-loses-middle": (insert_keys, insert_priorities),
        "split-forgets-right-of-key": (insert_keys, insert_priorities),
        "join-compares-keys": (delete_priorities,),
        "join-left-on-top": (delete_priorities,),
        "join-drops-inner": (delete_keys,),
        "join-hangs-right-first": (delete_keys,),
        "insert-splits-only-when-empty": (insert_priorities,),
        "insert-below-equal-key": (insert_priorities,),
        "insert-keeps-both": (insert_keys, insert_priorities),
        "insert-turns-left": (insert_keys, insert_priorities),
        "insert-lowers-priority": (insert_priorities,),
        "delete-raises-left": (delete_priorities,),
        "delete-joins-children-crosswise": (delete_keys,),
        "union-first-on-top": (union_priorities,),
        "union-puts-found-back": (union_keys, union_priorities),
        "union-skips-small-sides": (union_keys, union_priorities),
        "union-takes-one-side": (union_keys, union_priorities),
    },
    handwritten,
)
