"""Binomial heaps: insert, merge, and pop the least value."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: The rank, a value, and children of all lower ranks, the highest first.
Tree = tuple[int, int, tuple[Any, ...]]
#: Trees of different ranks, the lowest first.
Heap = tuple[Tree, ...]
Input = tuple[Heap, Heap]

LEVELS, VALUES, RANKS = 3, range(10), range(4)


def tree_values(tree: Tree) -> list[int]:
    """Return the values of a tree."""
    return [tree[1], *(value for child in tree[2] for value in tree_values(child))]


def values(heap: Heap) -> list[int]:
    """Return the values in ascending order."""
    return sorted(value for tree in heap for value in tree_values(tree))


def is_binomial_tree(tree: Tree) -> bool:
    """Whether the ranks of the children are right, and no value is less than the one above it."""
    rank, value, children = tree
    ranks = [child[0] for child in children] == list(range(rank - 1, -1, -1))
    return ranks and all(child[1] >= value and is_binomial_tree(child) for child in children)


def is_binomial(heap: Heap) -> bool:
    """Whether ranks ascend, and every tree is binomial."""
    return all(one[0] < other[0] for one, other in pairwise(heap)) and all(map(is_binomial_tree, heap))


class BinomialHeap:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def link(self, one: Tree, other: Tree) -> Tree:
        """Return a tree of two trees of the same rank."""
        if self.bug == "link-first-on-top":
            return (one[0] + 1, one[1], (other, *one[2]))
        if self.bug == "link-appends":
            one, other = (one, other) if one[1] <= other[1] else (other, one)
            return (one[0] + 1, one[1], (*one[2], other))
        if self.bug == "link-keeps-rank" and one[0] == 2:
            return (one[0], min(one[1], other[1]), (max(one, other, key=lambda t: t[1]), *one[2]))
        if self.bug == "link-drops-equal-children" and one[1] == other[1] and one[0] > 0:
            return (one[0] + 1, one[1], (other, *other[2]))
        if one[1] <= other[1]:
            return (one[0] + 1, one[1], (other, *one[2]))
        return (one[0] + 1, other[1], (one, *other[2]))

    def insert(self, heap: Heap, value: int) -> Heap:
        """Return the heap with one more value."""
        if self.bug == "insert-carries-once" and heap and heap[0][0] == 0:
            return (self.link((0, value, ()), heap[0]), *heap[1:])
        if self.bug == "insert-skips-least" and heap and value == self.least(heap):
            return heap
        return self.carry((0, value, ()), heap)

    def carry(self, tree: Tree, heap: Heap) -> Heap:
        """Return the heap with a tree of its lowest rank or a lower one."""
        if not heap or tree[0] < heap[0][0]:
            return (tree, *heap)
        if self.bug == "carry-stops-at-rank-two" and tree[0] == 2:
            return (self.link(tree, heap[0]), *heap[1:])
        return self.carry(self.link(tree, heap[0]), heap[1:])

    def merge(self, one: Heap, other: Heap) -> Heap:
        """Return a heap with the values of both."""
        if not one or not other:
            return one or other
        if one[0][0] < other[0][0]:
            return (one[0], *self.merge(one[1:], other))
        if other[0][0] < one[0][0]:
            if self.bug == "merge-loses-lower":
                return self.merge(one, other[1:]) if len(other) > 1 else (other[0], *one)
            return (other[0], *self.merge(one, other[1:]))
        linked, rest = self.link(one[0], other[0]), self.merge(one[1:], other[1:])
        if self.bug == "merge-never-carries":
            return (linked, *rest)
        if self.bug == "merge-carries-over-gap" and rest and rest[0][0] > linked[0] and len(rest) > 1:
            return (rest[0], linked, *rest[1:])
        if self.bug == "merge-carry-replaces" and rest and rest[0][0] == linked[0]:
            return (linked, *rest[1:])
        return self.carry(linked, rest)

    def least(self, heap: Heap) -> int:
        """Return the least value."""
        if self.bug == "least-looks-at-first":
            return heap[0][1]
        if self.bug == "least-skips-last" and len(heap) > 2:
            return min(tree[1] for tree in heap[:-1])
        return min(tree[1] for tree in heap)

    def pop(self, heap: Heap) -> Heap:
        """Return the heap without its least value."""
        least = self.least(heap)
        place = next(number for number, tree in enumerate(heap) if tree[1] == least)
        children, rest = heap[place][2], (*heap[:place], *heap[place + 1 :])
        if self.bug == "pop-removes-all-least":
            rest = tuple(tree for tree in heap if tree[1] != least)
        if self.bug == "pop-drops-trees-before":
            rest = heap[place + 1 :] if place > 1 else rest
        if self.bug == "pop-forgets-to-reverse":
            return self.merge(children, rest)
        if self.bug == "pop-loses-lone-child" and len(children) == 1:
            return rest
        if self.bug == "pop-appends-children" and (not rest or rest[0][0] > 0):
            return (*reversed(children), *rest)
        return self.merge(children[::-1], rest)


def insert_values(heaps: BinomialHeap, value: Input) -> bool:
    """Inserting the values of one heap into the other adds them all."""
    heap, other = value
    for each in values(other):
        heap = heaps.insert(heap, each)
    return values(heap) == sorted(values(value[0]) + values(other))


def insert_valid(heaps: BinomialHeap, value: Input) -> bool:
    """Inserting the least value of another heap leaves a binomial heap."""
    heap, other = value
    return is_binomial(heaps.insert(heap, min(values(other), default=0)))


def merge_values(heaps: BinomialHeap, value: Input) -> bool:
    """Merging loses and adds nothing."""
    return values(heaps.merge(*value)) == sorted(values(value[0]) + values(value[1]))


def merge_valid(heaps: BinomialHeap, value: Input) -> bool:
    """Merging two binomial heaps makes one."""
    return is_binomial(heaps.merge(*value))


def pop_values(heaps: BinomialHeap, value: Input) -> bool:
    """Popping takes the least value away."""
    return not value[0] or values(heaps.pop(value[0])) == values(value[0])[1:]


def pop_valid(heaps: BinomialHeap, value: Input) -> bool:
    """Popping leaves a binomial heap."""
    return not value[0] or is_binomial(heaps.pop(value[0]))


def valid(value: Input) -> bool:
    """Whether both heaps are binomial."""
    return is_binomial(value[0]) and is_binomial(value[1])


def generator(choose: Choose) -> Input:
    """Make two lists of any trees."""
    return heap(choose), heap(choose)


def heap(choose: Choose) -> Heap:
    """Make a list of any trees."""
    return tuple(tree(choose, 0) for _ in range(choose(range(4))))


def tree(choose: Choose, depth: int) -> Tree:
    """Make any tree."""
    rank, value = choose(RANKS), choose(VALUES)
    count = choose(range(4)) if depth < LEVELS else 0
    return (rank, value, tuple(tree(choose, depth + 1) for _ in range(count)))


def handwritten(random: Random) -> Input:
    """Insert a few values."""
    heaps = BinomialHeap()

    def some() -> Heap:
        made: Heap = ()
        for _ in range(random.randrange(14)):
            made = heaps.insert(made, random.choice(VALUES))
        return made

    return some(), some()


TREES = st.deferred(
    lambda: st.tuples(
        st.integers(RANKS[0], RANKS[-1]),
        st.integers(VALUES[0], VALUES[-1]),
        st.lists(TREES, max_size=3).map(tuple),
    )
)
HEAPS = st.lists(TREES, max_size=4).map(tuple)

WORKLOAD = Workload(
    "binomial-heap",
    BinomialHeap,
    generator,
    st.tuples(HEAPS, HEAPS),
    valid,
    {
        "link-first-on-top": (insert_valid, pop_valid),
        "link-appends": (insert_valid, pop_valid),
        "link-keeps-rank": (insert_valid, pop_values),
        "link-drops-equal-children": (merge_values, pop_values),
        "insert-carries-once": (insert_valid,),
        "insert-skips-least": (insert_values,),
        "carry-stops-at-rank-two": (merge_valid,),
        "merge-loses-lower": (merge_values,),
        "merge-never-carries": (merge_valid, pop_valid),
        "merge-carries-over-gap": (merge_valid,),
        "merge-carry-replaces": (merge_values, pop_values),
        "least-looks-at-first": (pop_values,),
        "least-skips-last": (pop_values,),
        "pop-removes-all-least": (pop_values,),
        "pop-drops-trees-before": (pop_values,),
        "pop-forgets-to-reverse": (pop_valid,),
        "pop-loses-lone-child": (pop_values,),
        "pop-appends-children": (pop_valid,),
    },
    handwritten,
)
