"""Interval trees: search trees of intervals that know their greatest end; insert, delete and query."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

Interval = tuple[int, int]
#: The left subtree, an interval with both of its ends, the greatest end in this tree, the right subtree.
Tree = tuple[Any, Interval, int, Any]
Input = tuple[Tree | None, Interval]

LEVELS, ENDS = 4, range(16)


def greatest(tree: Tree | None) -> int:
    """Return the greatest end in a tree."""
    return -1 if tree is None else tree[2]


def intervals(tree: Tree | None) -> list[Interval]:
    """Return the intervals in order."""
    return [] if tree is None else [*intervals(tree[0]), tree[1], *intervals(tree[3])]


def is_known(tree: Tree | None) -> bool:
    """Whether every node knows its greatest end."""
    if tree is None:
        return True
    left, (_, end), known, right = tree
    return known == max(end, greatest(left), greatest(right)) and is_known(left) and is_known(right)


def overlap(one: Interval, other: Interval) -> bool:
    """Whether two intervals have something in common."""
    return one[0] <= other[1] and other[0] <= one[1]


class IntervalTree:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def node(self, left: Tree | None, interval: Interval, right: Tree | None) -> Tree:
        """Return a tree that knows its greatest end."""
        if self.bug == "node-forgets-own-end" and left is not None and right is not None:
            return (left, interval, max(left[2], right[2]), right)
        if self.bug == "node-trusts-right" and right is not None:
            return (left, interval, max(interval[1], right[2]), right)
        return (left, interval, max(interval[1], greatest(left), greatest(right)), right)

    def insert(self, tree: Tree | None, interval: Interval) -> Tree:
        """Return the tree with an interval."""
        if tree is None:
            return self.node(None, interval, None)
        left, own, known, right = tree
        if interval == own:
            return tree
        before = interval < own if self.bug != "insert-compares-starts" else interval[0] <= own[0]
        if self.bug == "insert-drops-same-start" and interval[0] == own[0]:
            return tree
        if before:
            if self.bug == "insert-left-keeps-greatest":
                return (self.insert(left, interval), own, known, right)
            return self.node(self.insert(left, interval), own, right)
        if self.bug == "insert-right-keeps-greatest" and left is not None:
            return (left, own, known, self.insert(right, interval))
        return self.node(left, own, self.insert(right, interval))

    def delete(self, tree: Tree | None, interval: Interval) -> Tree | None:
        """Return the tree without an interval."""
        if tree is None:
            return None
        left, own, known, right = tree
        if interval < own:
            if self.bug == "delete-left-keeps-greatest":
                return (self.delete(left, interval), own, known, right)
            return self.node(self.delete(left, interval), own, right)
        if interval > own:
            return self.node(left, own, self.delete(right, interval))
        if left is None or right is None:
            return left or right
        least, rest = self.pop_least(right)
        if self.bug == "delete-keeps-successor" and right[0] is not None:
            rest = right
        if self.bug == "delete-keeps-greatest":
            return (left, least, known, rest)
        return self.node(left, least, rest)

    def pop_least(self, tree: Tree) -> tuple[Interval, Tree | None]:
        """Return the first interval, and the tree without it."""
        left, own, known, right = tree
        if left is None:
            return own, right if self.bug != "successor-loses-right" else None
        least, rest = self.pop_least(left)
        if self.bug == "successor-keeps-greatest":
            return least, (rest, own, known, right)
        return least, self.node(rest, own, right)

    def find(self, tree: Tree | None, interval: Interval) -> list[Interval]:
        """Return all intervals that overlap one, in order."""
        start, end = interval
        limit = greatest(tree) if self.bug != "find-misses-last-touch" else greatest(tree) - 1
        if tree is None or limit < start:
            return []
        left, own, _, right = tree
        found = self.find(left, interval)
        if self.bug == "find-stops-after-left" and len(found) > 1:
            return found
        touching = overlap(own, interval)
        if self.bug == "find-excludes-touching-start" and own[0] == end > start:
            touching = False
        if self.bug == "find-wants-end-inside" and own[1] > end and own[0] < start:
            touching = False
        if touching:
            found.append(own)
        if own[0] <= end if self.bug != "find-skips-right-of-touch" else own[0] < end:
            found += self.find(right, interval)
        return found

    def any(self, tree: Tree | None, interval: Interval) -> Interval | None:
        """Return an interval that overlaps one, on one way down."""
        while tree is not None:
            left, own, _, right = tree
            if overlap(own, interval):
                return own
            least = interval[0] if self.bug != "any-wants-more-than-touch" else interval[0] + 1
            if self.bug == "any-goes-by-start":
                tree = left if interval[0] < own[0] else right
            elif self.bug == "any-prefers-right":
                tree = right if right is not None and right[2] >= least else left
            else:
                tree = left if left is not None and left[2] >= least else right
        return None

    def gap(self, tree: Tree | None) -> int:
        """Return the first place from 0 on that no interval covers."""
        place = 0
        for start, end in intervals(tree):
            if start > place:
                break
            if self.bug == "gap-follows-last-end":
                place = end + 1
            elif self.bug == "gap-starts-at-end":
                place = max(place, end + (end != place))
            else:
                place = max(place, end + 1)
        return place


def insert_intervals(trees: IntervalTree, value: Input) -> bool:
    """An insertion adds the interval and nothing else."""
    tree, interval = value
    return intervals(trees.insert(tree, interval)) == sorted({*intervals(tree), interval})


def insert_known(trees: IntervalTree, value: Input) -> bool:
    """Nodes know their greatest ends after an insertion."""
    return is_known(trees.insert(*value))


def delete_intervals(trees: IntervalTree, value: Input) -> bool:
    """A deletion removes the interval and nothing else."""
    tree, interval = value
    return intervals(trees.delete(tree, interval)) == [each for each in intervals(tree) if each != interval]


def delete_known(trees: IntervalTree, value: Input) -> bool:
    """Nodes know their greatest ends after a deletion of any interval."""
    return all(is_known(trees.delete(value[0], each)) for each in intervals(value[0]))


def find_overlaps(trees: IntervalTree, value: Input) -> bool:
    """A query finds all intervals that overlap."""
    tree, interval = value
    return trees.find(tree, interval) == [each for each in intervals(tree) if overlap(each, interval)]


def any_overlaps(trees: IntervalTree, value: Input) -> bool:
    """A query for any interval finds one if there is one."""
    tree, interval = value
    found = trees.any(tree, interval)
    return (found is not None) == any(overlap(each, interval) for each in intervals(tree))


def gap_is_free(trees: IntervalTree, value: Input) -> bool:
    """The first gap is the first place that no interval covers."""
    held = intervals(value[0])
    place = trees.gap(value[0])
    covered = [any(start <= each <= end for start, end in held) for each in range(place + 1)]
    return covered == [True] * place + [False]


def valid(value: Input) -> bool:
    """Whether intervals are in order and have two ends, and nodes know their greatest ends."""
    tree, interval = value
    held = intervals(tree)
    ends = all(start <= end for start, end in (*held, interval))
    return ends and all(one < other for one, other in pairwise(held)) and is_known(tree)


def generator(choose: Choose) -> Input:
    """Make any tree and an interval."""
    return tree(choose, 0), (choose(ENDS), choose(ENDS))


def tree(choose: Choose, depth: int) -> Tree | None:
    """Make any tree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    interval, known = (choose(ENDS), choose(ENDS)), choose(ENDS)
    return (tree(choose, depth + 1), interval, known, tree(choose, depth + 1))


def handwritten(random: Random) -> Input:
    """Insert some intervals, and take one of them, or one near it."""

    def some() -> Interval:
        start = random.choice(ENDS)
        return start, min(ENDS[-1], start + random.choice((0, 1, 2, 3, 5, 9)))

    made = None
    for _ in range(random.randrange(10)):
        made = IntervalTree().insert(made, some())
    return made, random.choice([some(), some(), *intervals(made)[:4]])


WHERE = st.integers(ENDS[0], ENDS[-1])
INTERVALS = st.tuples(WHERE, WHERE)
TREES = st.deferred(lambda: st.none() | st.tuples(TREES, INTERVALS, WHERE, TREES))

WORKLOAD = Workload(
    "interval-tree",
    IntervalTree,
    generator,
    st.tuples(TREES, INTERVALS),
    valid,
    {
        "node-forgets-own-end": (insert_known, delete_known),
        "node-trusts-right": (insert_known, delete_known),
        "insert-compares-starts": (insert_intervals,),
        "insert-drops-same-start": (insert_intervals,),
        "insert-left-keeps-greatest": (insert_known,),
        "insert-right-keeps-greatest": (insert_known,),
        "delete-left-keeps-greatest": (delete_known,),
        "delete-keeps-successor": (delete_intervals,),
        "delete-keeps-greatest": (delete_known,),
        "successor-loses-right": (delete_intervals,),
        "successor-keeps-greatest": (delete_known,),
        "find-misses-last-touch": (find_overlaps,),
        "find-stops-after-left": (find_overlaps,),
        "find-excludes-touching-start": (find_overlaps,),
        "find-wants-end-inside": (find_overlaps,),
        "find-skips-right-of-touch": (find_overlaps,),
        "any-wants-more-than-touch": (any_overlaps,),
        "any-goes-by-start": (any_overlaps,),
        "any-prefers-right": (any_overlaps,),
        "gap-follows-last-end": (gap_is_free,),
        "gap-starts-at-end": (gap_is_free,),
    },
    handwritten,
    held_out=True,
)
