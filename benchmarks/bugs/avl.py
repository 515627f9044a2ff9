"""AVL trees: insert, delete and split."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: The left subtree, a key, the right subtree.
Tree = tuple[Any, int, Any]
Input = tuple[Tree | None, int]

LEVELS, KEYS = 5, range(31)


def height(tree: Tree | None) -> int:
    """Return the number of levels."""
    return 0 if tree is None else 1 + max(height(tree[0]), height(tree[2]))


def keys(tree: Tree | None) -> list[int]:
    """Return the keys from left to right."""
    return [] if tree is None else [*keys(tree[0]), tree[1], *keys(tree[2])]


def is_balanced(tree: Tree | None) -> bool:
    """Whether the subtrees of every node are about equally high."""
    return tree is None or (
        abs(height(tree[0]) - height(tree[2])) <= 1 and is_balanced(tree[0]) and is_balanced(tree[2])
    )


class Avl:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def insert(self, tree: Tree | None, key: int) -> Tree:
        """Return the tree with the key."""
        if tree is None:
            return (None, key, None)
        left, root, right = tree
        if key < root:
            return self.balance(self.insert(left, key), root, right)
        if key > root or self.bug == "insert-keeps-both":
            return self.balance(left, root, self.insert(right, key))
        return tree if self.bug != "insert-cuts-equal" else (left, root, None)

    def delete(self, tree: Tree | None, key: int) -> Tree | None:
        """Return the tree without the key."""
        if tree is None:
            return None
        left, root, right = tree
        if key < root:
            return self.balance(self.delete(left, key), root, right)
        if key > root:
            if self.bug == "delete-right-stays-low":
                return (left, root, self.delete(right, key))
            return self.balance(left, root, self.delete(right, key))
        if left is None or right is None:
            return left or right if self.bug != "delete-drops-right-child" else left
        if self.bug == "delete-keeps-successor":
            return self.balance(left, self.pop_least(right)[0], right)
        if self.bug == "delete-takes-root-of-right":
            return self.balance(left, right[1], self.pop_least(right)[1])
        return self.balance(left, *self.pop_least(right))

    def pop_least(self, tree: Tree) -> tuple[int, Tree | None]:
        """Return the least key, and the tree without it."""
        left, root, right = tree
        if left is None:
            return root, right
        least, rest = self.pop_least(left)
        if self.bug == "successor-leaves-a-gap":
            return least, (rest, root, right)
        return least, self.balance(rest, root, right)

    def split(self, tree: Tree | None, key: int) -> tuple[Tree | None, bool, Tree | None]:
        """Return the tree of lesser keys, whether the key is there, and the tree of greater keys."""
        if tree is None:
            return None, False, None
        left, root, right = tree
        if key == root:
            return left, self.bug != "split-denies-key", right
        if key < root:
            less, found, more = self.split(left, key)
            if self.bug == "split-forgets-rest" and found:
                return less, found, more
            return less, found, self.join(more, root, right)
        less, found, more = self.split(right, key)
        if self.bug == "split-does-not-join":
            return (left, root, less), found, more
        return self.join(left, root, less), found, more

    def join(self, left: Tree | None, key: int, right: Tree | None) -> Tree:
        """Return a tree of two of any heights and a key between them."""
        slack = 2 if self.bug == "join-too-early" else 1
        if left is not None and height(left) > height(right) + slack:
            return self.balance(left[0], left[1], self.join(left[2], key, right))
        if right is not None and height(right) > height(left) + slack:
            if self.bug == "join-forgets-to-balance":
                return (self.join(left, key, right[0]), right[1], right[2])
            return self.balance(self.join(left, key, right[0]), right[1], right[2])
        return (left, key, right)

    def balance(self, left: Tree | None, key: int, right: Tree | None) -> Tree:
        """Return a balanced tree of two that differ by two levels at most."""
        if left is not None and height(left) > height(right) + 1:
            outer, root, inner = left
            single = height(inner) <= height(outer)
            if self.bug == "double-rotation-on-tie":
                single = height(inner) < height(outer)
            if single or self.bug == "never-left-right":
                return (outer, root, (inner, key, right))
            if self.bug == "left-right-swaps":
                return ((outer, root, inner[2]), inner[1], (inner[0], key, right))
            return ((outer, root, inner[0]), inner[1], (inner[2], key, right))
        if right is not None and height(right) > height(left) + 1:
            inner, root, outer = right
            if height(inner) <= height(outer) or self.bug == "never-right-left":
                return ((left, key, inner), root, outer)
            if self.bug == "right-left-loses":
                return ((left, key, inner[0]), inner[1], (None, root, outer))
            return ((left, key, inner[0]), inner[1], (inner[2], root, outer))
        return (left, key, right)


def insert_keys(avl: Avl, value: Input) -> bool:
    """An insertion adds the key and nothing else."""
    tree, key = value
    return keys(avl.insert(tree, key)) == sorted({*keys(tree), key})


def insert_balance(avl: Avl, value: Input) -> bool:
    """A tree stays balanced when a key is inserted."""
    return is_balanced(avl.insert(*value))


def delete_keys(avl: Avl, value: Input) -> bool:
    """A deletion removes the key and nothing else."""
    tree, key = value
    return keys(avl.delete(tree, key)) == sorted({*keys(tree)} - {key})


def delete_balance(avl: Avl, value: Input) -> bool:
    """A tree stays balanced when a key is deleted."""
    return is_balanced(avl.delete(*value))


def split_keys(avl: Avl, value: Input) -> bool:
    """A split puts every key where it belongs."""
    tree, key = value
    less, found, more = avl.split(tree, key)
    held = keys(tree)
    parts = [each for each in held if each < key], key in held, [each for each in held if each > key]
    return (keys(less), found, keys(more)) == parts


def split_balance(avl: Avl, value: Input) -> bool:
    """Both parts of a split are balanced."""
    less, _, more = avl.split(*value)
    return is_balanced(less) and is_balanced(more)


def valid(value: Input) -> bool:
    """Whether it is a balanced search tree."""
    held = keys(value[0])
    return all(low < high for low, high in pairwise(held)) and is_balanced(value[0])


def generator(choose: Choose) -> Input:
    """Make any tree and a key."""
    return tree(choose, 0), choose(KEYS)


def tree(choose: Choose, depth: int) -> Tree | None:
    """Make any tree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    left = tree(choose, depth + 1)
    key = choose(KEYS)
    return (left, key, tree(choose, depth + 1))


def handwritten(random: Random) -> Input:
    """Insert some keys, and delete a few of them."""
    made = None
    for _ in range(random.randrange(24)):
        made = Avl().insert(made, random.choice(KEYS))
    for _ in range(random.randrange(6)):
        made = Avl().delete(made, random.choice(KEYS))
    return made, random.choice(KEYS)


INTEGERS = st.integers(KEYS[0], KEYS[-1])
TREES = st.deferred(lambda: st.none() | st.tuples(TREES, INTEGERS, TREES))

WORKLOAD = Workload(
    "avl",
    Avl,
    generator,
    st.tuples(TREES, INTEGERS),
    valid,
    {
        "insert-keeps-both": (insert_keys,),
        "insert-cuts-equal": (insert_keys, insert_balance),
        "delete-right-stays-low": (delete_balance,),
        "delete-drops-right-child": (delete_keys, delete_balance),
        "delete-keeps-successor": (delete_keys,),
        "delete-takes-root-of-right": (delete_keys,),
        "successor-leaves-a-gap": (delete_balance,),
        "split-denies-key": (split_keys,),
        "split-forgets-rest": (split_keys,),
        "split-does-not-join": (split_balance,),
        "join-too-early": (split_balance,),
        "join-forgets-to-balance": (split_balance,),
        "double-rotation-on-tie": (delete_balance,),
        "never-left-right": (insert_balance, delete_balance, split_balance),
        "left-right-swaps": (insert_keys, delete_keys, split_keys),
        "never-right-left": (insert_balance, delete_balance, split_balance),
        "right-left-loses": (insert_keys, insert_balance, delete_keys),
    },
    handwritten,
)
