"""Leftist heaps: merge, pop, and a change of the least value."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: The rank, a value, the left and the right heap.
Heap = tuple[int, int, Any, Any]
Input = tuple[Heap | None, Heap | None]

LEVELS, VALUES, RANKS = 4, range(12), range(1, 4)


def rank(heap: Heap | None) -> int:
    """Return how many steps to the right lead to the end."""
    return 0 if heap is None else heap[0]


def values(heap: Heap | None) -> list[int]:
    """Return the values in ascending order."""
    return [] if heap is None else sorted([heap[1], *values(heap[2]), *values(heap[3])])


def is_leftist(heap: Heap | None) -> bool:
    """Whether values do not descend on the way down, and ranks are right and lean to the left."""
    if heap is None:
        return True
    stored, value, left, right = heap
    ordered = all(child is None or child[1] >= value for child in (left, right))
    leaning = rank(left) >= rank(right) and stored == rank(right) + 1
    return ordered and leaning and is_leftist(left) and is_leftist(right)


class LeftistHeap:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def node(self, value: int, one: Heap | None, other: Heap | None) -> Heap:
        """Return a heap of a value above two heaps."""
        if self.bug == "node-never-swaps":
            return (rank(other) + 1, value, one, other)
        if self.bug == "node-ranks-by-left":
            one, other = (one, other) if rank(one) >= rank(other) else (other, one)
            return (rank(one) + 1, value, one, other)
        if self.bug == "node-caps-rank":
            one, other = (one, other) if rank(one) >= rank(other) else (other, one)
            return (min(2, rank(other) + 1), value, one, other)
        if rank(one) >= rank(other):
            return (rank(other) + 1, value, one, other)
        if self.bug == "node-keeps-rank-of-swapped":
            return (rank(other) + 1, value, other, one)
        return (rank(one) + 1, value, other, one)

    def merge(self, one: Heap | None, other: Heap | None) -> Heap | None:
        """Return a heap with the values of both."""
        if one is None or other is None:
            return one or other if self.bug != "merge-with-empty-is-empty" else one and other
        if self.bug == "merge-drops-equal" and one[1] == other[1]:
            return self.node(one[1], one[2], self.merge(one[3], other[2]))
        less = one[1] < other[1] if self.bug != "merge-greater-on-top" else one[1] <= other[1] + 1
        if self.bug == "merge-compares-ranks" and rank(one) > 1 and rank(other) > 1:
            less = rank(one) < rank(other)
        if not less:
            one, other = other, one
        _, value, left, right = one
        if self.bug == "merge-forgets-rank" and rank(right) > 1:
            return (one[0], value, left, self.merge(right, other))
        if self.bug == "merge-replaces-right-leaf" and right is not None and right[2] is right[3] is None:
            return self.node(value, left, other)
        return self.node(value, left, self.merge(right, other))

    def insert(self, heap: Heap | None, value: int) -> Heap | None:
        """Return the heap with one more value."""
        if self.bug == "insert-as-root" and heap is not None and value <= heap[1] + 1:
            return (1, value, heap, None)
        if self.bug == "insert-ignores-known-least" and heap is not None and value == heap[1]:
            return heap
        return self.merge(heap, (1, value, None, None))

    def pop(self, heap: Heap) -> Heap | None:
        """Return the heap without its least value."""
        _, value, left, right = heap
        if self.bug == "pop-loses-right" and rank(right) == 1:
            return left
        if self.bug == "pop-drops-equal" and left is not None and right is not None and left[1] == right[1]:
            return self.merge(self.pop(left), right) if left[1] == value else self.merge(left, right)
        return self.merge(left, right)

    def raise_least(self, heap: Heap, value: int) -> Heap | None:
        """Return the heap whose least value became a greater one, which sinks."""
        stored, _, left, right = heap
        if self.bug == "sink-looks-left-only":
            below = [left] if left is not None else []
        else:
            below = [child for child in (left, right) if child is not None]
        if all(value <= child[1] for child in below):
            return (stored, value, left, right)
        if self.bug == "sink-takes-left-first" and left is not None and left[1] < value:
            least = left
        else:
            least = min(below, key=lambda child: child[1])
        sunk = self.raise_least(least, value)
        if self.bug == "sink-stops-after-two" and least[2] is not None:
            sunk = (least[0], value, least[2], least[3])
        return (stored, least[1], sunk, right) if least is left else (stored, least[1], left, sunk)


def merge_values(heaps: LeftistHeap, value: Input) -> bool:
    """Merging loses and adds nothing."""
    return values(heaps.merge(*value)) == sorted(values(value[0]) + values(value[1]))


def merge_valid(heaps: LeftistHeap, value: Input) -> bool:
    """Merging two leftist heaps makes one."""
    return is_leftist(heaps.merge(*value))


def insert_valid(heaps: LeftistHeap, value: Input) -> bool:
    """Inserting the greatest value of another heap keeps the values, and makes a leftist heap."""
    heap, other = value
    greatest = max(values(other), default=VALUES[0])
    made = heaps.insert(heap, greatest)
    return is_leftist(made) and values(made) == sorted([*values(heap), greatest])


def pop_values(heaps: LeftistHeap, value: Input) -> bool:
    """Popping takes the least value away, from every heap below too."""
    left = value[0]
    while left is not None:
        expected = values(left)[1:]
        left = heaps.pop(left)
        if values(left) != expected:
            return False
    return True


def pop_valid(heaps: LeftistHeap, value: Input) -> bool:
    """Popping leaves a leftist heap."""
    return value[0] is None or is_leftist(heaps.pop(value[0]))


def raise_valid(heaps: LeftistHeap, value: Input) -> bool:
    """A greater value sinks to where it belongs: to that of another heap's least."""
    heap, other = value
    if heap is None or other is None or other[1] <= heap[1]:
        return True
    made = heaps.raise_least(heap, other[1])
    return is_leftist(made) and values(made) == sorted([*values(heap)[1:], other[1]])


def valid(value: Input) -> bool:
    """Whether both heaps are leftist."""
    return is_leftist(value[0]) and is_leftist(value[1])


def generator(choose: Choose) -> Input:
    """Make any two trees with any ranks."""
    return heap(choose, 0), heap(choose, 0)


def heap(choose: Choose, depth: int) -> Heap | None:
    """Make any tree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    return (choose(RANKS), choose(VALUES), heap(choose, depth + 1), heap(choose, depth + 1))


def handwritten(random: Random) -> Input:
    """Merge some heaps of few values, in any order."""
    heaps = LeftistHeap()

    def some(size: int) -> Heap | None:
        if size == 0:
            return None
        if size == 1:
            return (1, random.choice(VALUES), None, None)
        part = random.randrange(1, size)
        return heaps.merge(some(part), some(size - part))

    return some(random.randrange(12)), some(random.randrange(12))


HEAPS = st.deferred(
    lambda: (
        st.none()
        | st.tuples(st.integers(RANKS[0], RANKS[-1]), st.integers(VALUES[0], VALUES[-1]), HEAPS, HEAPS)
    )
)

WORKLOAD = Workload(
    "leftist-heap",
    LeftistHeap,
    generator,
    st.tuples(HEAPS, HEAPS),
    valid,
    {
        "node-never-swaps": (insert_valid, pop_valid),
        "node-ranks-by-left": (insert_valid, pop_valid),
        "node-caps-rank": (insert_valid, pop_valid),
        "node-keeps-rank-of-swapped": (insert_valid, pop_valid),
        "merge-with-empty-is-empty": (merge_values, pop_values),
        "merge-drops-equal": (merge_values, insert_valid),
        "merge-greater-on-top": (insert_valid, pop_valid),
        "merge-compares-ranks": (pop_values, pop_valid),
        "merge-forgets-rank": (insert_valid, pop_valid),
        "merge-replaces-right-leaf": (merge_values, insert_valid),
        "insert-as-root": (insert_valid,),
        "insert-ignores-known-least": (insert_valid,),
        "pop-loses-right": (pop_values,),
        "pop-drops-equal": (pop_values,),
        "sink-looks-left-only": (raise_valid,),
        "sink-takes-left-first": (raise_valid,),
        "sink-stops-after-two": (raise_valid,),
    },
    handwritten,
)
