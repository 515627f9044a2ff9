"""B-trees with one to three keys in a node: insert and delete."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: Keys, and children unless it is a leaf.
Node = tuple[tuple[int, ...], tuple[Any, ...]]
Input = tuple[Node, int]

LEVELS, KEYS, MOST = 3, range(31), 3
EMPTY: Node = ((), ())


def keys(node: Node) -> list[int]:
    """Return the keys from left to right."""
    held, children = node
    if not children:
        return list(held)
    between = zip(children, held, strict=False)
    return [*(key for child, above in between for key in (*keys(child), above)), *keys(children[-1])]


def depth(node: Node) -> int | None:
    """Return the depth of the leaves; None unless the nodes below are as they should be."""
    held, children = node
    depths = {depth(child) for child in children}
    full = all(child[0] for child in children) and len(held) <= MOST
    if not full or len(children) not in (0, len(held) + 1) or len(depths) > 1 or None in depths:
        return None
    return 1 + next(iter(depths), 0)  # type: ignore[operator]


class BTree:
    """The operations. Both split or fill the nodes on their way down."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def insert(self, root: Node, key: int) -> Node:
        """Return the tree with the key."""
        if len(root[0]) == MOST:
            root = self.split(((), (root,)), 0)
        return self.add(root, key)

    def add(self, node: Node, key: int) -> Node:
        """Insert a key below a node that is not full."""
        held, children = node
        if key in held and self.bug != "insert-keeps-both":
            return node
        place = sum(each < key for each in held)
        if not children:
            return ((*held[:place], key, *held[place:]), ())
        if len(children[place][0]) == MOST and (place or self.bug != "insert-overfills-first"):
            node = self.split(node, place)
            held, children = node
            if self.bug != "insert-stays-left-of-split":
                place = sum(each < key for each in held)
            if key in held and self.bug != "insert-misses-risen-key":
                return node
        return (held, (*children[:place], self.add(children[place], key), *children[place + 1 :]))

    def split(self, node: Node, place: int) -> Node:
        """Split a full child in two, and raise its middle key."""
        held, children = node
        low, middle, high = children[place][0]
        below = children[place][1]
        if self.bug == "split-halves-unevenly" and below:
            left, right = ((low,), below[:1]), ((high,), below[1:])
        elif self.bug == "split-forgets-children":
            left, right = ((low,), below[:2]), ((high,), below[2:3])
        else:
            left, right = ((low,), below[:2]), ((high,), below[2:])
        if self.bug == "split-drops-middle" and below:
            middle = high
        return (
            (*held[:place], middle, *held[place:]),
            (*children[:place], left, right, *children[place + 1 :]),
        )

    def delete(self, root: Node, key: int) -> Node:
        """Return the tree without the key."""
        held, children = self.remove(root, key)
        return (
            children[0]
            if children and not held and self.bug != "delete-keeps-bare-root"
            else (held, children)
        )

    def remove(self, node: Node, key: int) -> Node:
        """Delete a key below a node that has one to spare, or that is the root."""
        held, children = node
        place = sum(each < key for each in held)
        if not children:
            return (tuple(each for each in held if each != key), ())
        if key in held:
            return self.replace(node, place)
        node, place = self.fill(node, place)
        held, children = node
        child = self.remove(children[place], key)
        return (held, (*children[:place], child, *children[place + 1 :]))

    def replace(self, node: Node, place: int) -> Node:
        """Delete the key at a place of an inner node."""
        held, children = node
        key, left, right = held[place], children[place], children[place + 1]
        if len(left[0]) > 1:
            other = self.last(left) if self.bug != "predecessor-of-child-only" else left[0][-1]
            left = self.remove(left, other) if self.bug != "predecessor-stays" else left
        elif len(right[0]) > 1:
            other = self.first(right)
            right = self.remove(right, other) if self.bug != "successor-stays" else right
        else:
            node = self.merge(node, place)
            child = self.remove(node[1][place], key)
            if self.bug == "merged-key-stays" and child[1]:
                child = node[1][place]
            return (node[0], (*node[1][:place], child, *node[1][place + 1 :]))
        return (
            (*held[:place], other, *held[place + 1 :]),
            (*children[:place], left, right, *children[place + 2 :]),
        )

    def last(self, node: Node) -> int:
        """Return the greatest key."""
        return self.last(node[1][-1]) if node[1] else node[0][-1]

    def first(self, node: Node) -> int:
        """Return the least key."""
        return self.first(node[1][0]) if node[1] else node[0][0]

    def fill(self, node: Node, place: int) -> tuple[Node, int]:
        """See to it that a child has a key to spare; say where the child is then."""
        held, children = node
        if len(children[place][0]) > 1 or self.bug == "delete-never-fills":
            return node, place
        if place and len(children[place - 1][0]) > 1:
            return self.borrow_left(node, place), place
        if place < len(held) and len(children[place + 1][0]) > 1:
            return self.borrow_right(node, place), place
        if self.bug == "last-child-merges-rightwards" and place == len(held):
            return node, place
        return self.merge(node, place - 1 if place else 0), place - 1 if place else 0

    def borrow_left(self, node: Node, place: int) -> Node:
        """Move a key from the left sibling over the parent."""
        held, children = node
        (*rest, moved), below = children[place - 1]
        other, under = children[place]
        taken = below[-1:] if self.bug != "borrow-left-takes-first-child" else below[:1]
        kept = below[:-1] if self.bug != "borrow-left-takes-first-child" else below[1:]
        if self.bug == "borrow-left-forgets-child":
            taken = under[:1]
        risen = moved if self.bug != "borrow-left-skips-parent" else held[place - 1]
        down = held[place - 1] if self.bug != "borrow-left-skips-parent" else moved
        return (
            (*held[: place - 1], risen, *held[place:]),
            (
                *children[: place - 1],
                (tuple(rest), kept),
                ((down, *other), (*taken, *under)),
                *children[place + 1 :],
            ),
        )

    def borrow_right(self, node: Node, place: int) -> Node:
        """Move a key from the right sibling over the parent."""
        held, children = node
        (moved, *rest), below = children[place + 1]
        other, under = children[place]
        middle = (*under, *below[:1]) if self.bug != "borrow-right-puts-child-first" else (*below[:1], *under)
        return (
            (*held[:place], moved, *held[place + 1 :]),
            (
                *children[:place],
                ((*other, held[place]), middle),
                (tuple(rest), below[1:] if self.bug != "borrow-right-shares-child" else below[:-1]),
                *children[place + 2 :],
            ),
        )

    def merge(self, node: Node, place: int) -> Node:
        """Make one of two children, with the key between them."""
        held, children = node
        (left, below), (right, under) = children[place : place + 2]
        if self.bug == "merge-swaps-children" and below:
            below, under = under, below
        whole = ((*left, held[place], *right), (*below, *under))
        if self.bug == "merge-drops-key" and below:
            whole = ((*left, *right), (*below, *under))
        return ((*held[:place], *held[place + 1 :]), (*children[:place], whole, *children[place + 2 :]))


def insert_keys(btree: BTree, value: Input) -> bool:
    """An insertion adds the key and nothing else."""
    root, key = value
    return keys(btree.insert(root, key)) == sorted({*keys(root), key})


def insert_valid(btree: BTree, value: Input) -> bool:
    """The nodes stay as they should be when a key is inserted."""
    return depth(btree.insert(*value)) is not None


def delete_keys(btree: BTree, value: Input) -> bool:
    """A deletion removes the key and nothing else."""
    root, key = value
    return keys(btree.delete(root, key)) == sorted({*keys(root)} - {key})


def delete_valid(btree: BTree, value: Input) -> bool:
    """The nodes stay as they should be when a key is deleted."""
    made = btree.delete(*value)
    return depth(made) is not None and bool(made[0] or not made[1])


def valid(value: Input) -> bool:
    """Whether it is a B-tree."""
    root = value[0]
    if depth(root) is None or (root[1] and not root[0]):
        return False
    return all(low < high for low, high in pairwise(keys(root)))


def generator(choose: Choose) -> Input:
    """Make any tree of many children, and a key."""
    return node(choose, 1), choose(KEYS)


def node(choose: Choose, level: int) -> Node:
    """Make a node with any number of keys and children."""
    held = tuple(choose(KEYS) for _ in range(choose(range(MOST + 1))))
    if level == LEVELS or choose([True, False]):
        return (held, ())
    return (held, tuple(node(choose, level + 1) for _ in range(choose(range(1, MOST + 2)))))


def handwritten(random: Random) -> Input:
    """Insert some keys, and delete a few of them."""
    made, btree = EMPTY, BTree()
    for _ in range(random.randrange(20)):
        made = btree.insert(made, random.choice(KEYS))
    for _ in range(random.randrange(8)):
        made = btree.delete(made, random.choice(KEYS))
    return made, random.choice(KEYS)


INTEGERS = st.integers(KEYS[0], KEYS[-1])
HELD = st.lists(INTEGERS, max_size=MOST).map(tuple)
NODES = st.deferred(lambda: st.tuples(HELD, st.lists(NODES, max_size=MOST + 1).map(tuple)))

WORKLOAD = Workload(
    "b-tree",
    BTree,
    generator,
    st.tuples(NODES, INTEGERS),
    valid,
    {
        "insert-keeps-both": (insert_keys,),
        "insert-overfills-first": (insert_valid,),
        "insert-stays-left-of-split": (insert_keys,),
        "insert-misses-risen-key": (insert_keys,),
        "split-halves-unevenly": (insert_keys, insert_valid),
        "split-forgets-children": (insert_keys, insert_valid),
        "split-drops-middle": (insert_keys,),
        "delete-keeps-bare-root": (delete_valid,),
        "predecessor-of-child-only": (delete_keys,),
        "predecessor-stays": (delete_keys,),
        "successor-stays": (delete_keys,),
        "merged-key-stays": (delete_keys,),
        "delete-never-fills": (delete_valid,),
        "last-child-merges-rightwards": (delete_valid,),
        "borrow-left-takes-first-child": (delete_keys,),
        "borrow-left-forgets-child": (delete_keys,),
        "borrow-left-skips-parent": (delete_keys,),
        "borrow-right-puts-child-first": (delete_keys,),
        "borrow-right-shares-child": (delete_keys,),
        "merge-swaps-children": (delete_keys,),
        "merge-drops-key": (delete_keys, delete_valid),
    },
    handwritten,
)
