"""Containers from PyPI that nobody here wrote, with plain ones to compare them with.

Packages are imported when a subject is made: one that is not installed is left out of the study.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from typing import Any

#: Keys of tries: each is a prefix of another one, or nearly.
WORDS = [first + rest for first in ("", "a", "ab", "b") for rest in ("a", "b", "ab", "abc", "ba")]


def sorted_list() -> Any:
    """A SortedList that splits its parts at eight elements, and not at two thousand."""
    from sortedcontainers import SortedList

    made = SortedList()
    made._reset(4)
    return made


def sorted_dict() -> Any:
    """A SortedDict with as small parts."""
    from sortedcontainers import SortedDict

    made = SortedDict()
    made._list._reset(4)
    return made


def heap_dict() -> Any:
    """A heapdict."""
    from heapdict import heapdict

    return heapdict()


def lru_cache() -> Any:
    """A cache of eight."""
    from cachetools import LRUCache

    return LRUCache(8)


def two_way() -> Any:
    """A bidict."""
    from bidict import bidict

    return bidict()


def char_trie() -> Any:
    """A trie of characters."""
    from pygtrie import CharTrie

    return CharTrie()


class PersistentMap:
    """A variable that holds a persistent map."""

    def __init__(self) -> None:
        from pyrsistent import pmap

        self.map: Any = pmap({}, 4)

    def put(self, key: int, value: int) -> None:
        """Set a value."""
        self.map = self.map.set(key, value)

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        before = self.map
        self.map = before.discard(key)
        return len(self.map) < len(before)

    def get(self, key: int) -> Any:
        """The value of a key."""
        return self.map.get(key)


def buckets(subject: PersistentMap) -> tuple[int, ...]:
    """The shape of a persistent map: how full its buckets are. They are in C, and have no other one."""
    return tuple(len(bucket) if bucket else 0 for bucket in subject.map._buckets)


class PlainMap:
    """The oracle of PersistentMap."""

    def __init__(self) -> None:
        self.map: dict[int, int] = {}

    def put(self, key: int, value: int) -> None:
        """Set a value."""
        self.map[key] = value

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        return self.map.pop(key, None) is not None

    def get(self, key: int) -> Any:
        """The value of a key."""
        return self.map.get(key)


class Intervals:
    """An interval tree."""

    def __init__(self) -> None:
        from intervaltree import IntervalTree

        self.tree: Any = IntervalTree()

    def add(self, begin: int, length: int) -> None:
        """Add an interval."""
        self.tree.addi(begin, begin + 1 + length)

    def discard(self, begin: int, length: int) -> None:
        """Take an interval out, if it is there."""
        self.tree.discardi(begin, begin + 1 + length)

    def at(self, point: int) -> list[tuple[int, int]]:
        """The intervals with a point in them."""
        return sorted((found.begin, found.end) for found in self.tree.at(point))

    def cut_out(self, begin: int, length: int) -> None:
        """Remove a stretch from all intervals."""
        self.tree.chop(begin, begin + 1 + length)


class PlainIntervals:
    """The oracle of Intervals: a set of pairs."""

    def __init__(self) -> None:
        self.pairs: set[tuple[int, int]] = set()

    def add(self, begin: int, length: int) -> None:
        """Add an interval."""
        self.pairs.add((begin, begin + 1 + length))

    def discard(self, begin: int, length: int) -> None:
        """Take an interval out, if it is there."""
        self.pairs.discard((begin, begin + 1 + length))

    def at(self, point: int) -> list[tuple[int, int]]:
        """The intervals with a point in them."""
        return sorted(pair for pair in self.pairs if pair[0] <= point < pair[1])

    def cut_out(self, begin: int, length: int) -> None:
        """Remove a stretch from all intervals."""
        end = begin + 1 + length
        left = {(low, min(high, begin)) for low, high in self.pairs if low < begin}
        right = {(max(low, end), high) for low, high in self.pairs if high > end}
        self.pairs = left | right


class Family:
    """A treelib tree of numbered nodes, with node 0 at its root."""

    def __init__(self) -> None:
        from treelib import Tree

        self.tree: Any = Tree(identifier="tree")
        self.tree.create_node("0", 0)

    def add(self, child: int, parent: int) -> bool:
        """Add a node below another one; whether that was possible."""
        if child in self.tree or parent not in self.tree:
            return False
        self.tree.create_node(str(child), child, parent=parent)
        return True

    def remove(self, node: int) -> int:
        """Remove a node with all below it: how many that were."""
        return self.tree.remove_node(node) if node and node in self.tree else 0

    def move(self, node: int, parent: int) -> bool:
        """Hang a node below another one; whether that was possible."""
        known = node and node in self.tree and parent in self.tree
        if not known or node == parent or self.tree.is_ancestor(node, parent):
            return False
        self.tree.move_node(node, parent)
        return True

    def depth(self, node: int) -> int:
        """How far a node is from the root; -1 when it is not there."""
        return self.tree.depth(node) if node in self.tree else -1


class PlainFamily:
    """The oracle of Family: the parent of each node."""

    def __init__(self) -> None:
        self.parents: dict[int, int] = {0: -1}

    def _above(self, node: int) -> list[int]:
        found = []
        while node >= 0:
            found.append(node)
            node = self.parents[node]
        return found

    def add(self, child: int, parent: int) -> bool:
        """Add a node below another one; whether that was possible."""
        if child in self.parents or parent not in self.parents:
            return False
        self.parents[child] = parent
        return True

    def remove(self, node: int) -> int:
        """Remove a node with all below it: how many that were."""
        if not node or node not in self.parents:
            return 0
        below = [other for other in self.parents if node in self._above(other)]
        for other in below:
            del self.parents[other]
        return len(below)

    def move(self, node: int, parent: int) -> bool:
        """Hang a node below another one; whether that was possible."""
        if not node or node not in self.parents or parent not in self.parents or node in self._above(parent):
            return False
        self.parents[node] = parent
        return True

    def depth(self, node: int) -> int:
        """How far a node is from the root; -1 when it is not there."""
        return len(self._above(node)) - 1 if node in self.parents else -1


class PlainSortedList(list[int]):
    """The oracle of a SortedList."""

    def add(self, value: int) -> None:
        """Add a value."""
        self.insert(bisect_left(self, value), value)

    def discard(self, value: int) -> None:
        """Take one of equal values out, if there is one."""
        if value in self:
            self.remove(value)

    def bisect_left(self, value: int) -> int:
        """How many values are below one."""
        return bisect_left(self, value)


class PlainSortedDict(dict[int, int]):
    """The oracle of a SortedDict."""

    def peekitem(self, index: int) -> tuple[int, int]:
        """The item at a place, by key."""
        return sorted(self.items())[index]


class LeastFirst(dict[int, Any]):
    """The oracle of a heapdict: the item with the least value leaves first."""

    def popitem(self) -> tuple[int, Any]:
        """Take the least item out."""
        if not self:
            raise IndexError("it is empty")
        key = min(self, key=lambda key: self[key])
        return key, self.pop(key)


class LeastRecent(OrderedDict[int, int]):
    """The oracle of a cache of eight: who was not asked for longest leaves first."""

    def __setitem__(self, key: int, value: int) -> None:
        if key not in self and len(self) == 8:
            self.popitem(last=False)
        super().__setitem__(key, value)
        self.move_to_end(key)

    def get(self, key: int, default: Any = None) -> Any:
        """The value of a key, which is now the last one asked for."""
        if key in self:
            self.move_to_end(key)
            return self[key]
        return default


class PlainTwoWay(dict[int, int]):
    """The oracle of a bidict: no two keys have the same value."""

    def forceput(self, key: int, value: int) -> None:
        """Set a value, which no other key keeps."""
        for other in [other for other, held in self.items() if held == value]:
            del self[other]
        self[key] = value


class PlainTrie(dict[str, int]):
    """The oracle of a trie of characters."""


def put(target: Any, key: Any, value: Any) -> None:
    """Set a value."""
    target[key] = value


def put_ranked(target: Any, key: int, value: int) -> None:
    """Set a value that no other key has."""
    target[key] = (value, key)


def take(target: Any, key: Any) -> Any:
    """Take a key out."""
    return target.pop(key, None)


def look_up(target: Any, key: Any) -> Any:
    """The value of a key."""
    return target.get(key)


def key_of(target: Any, value: int) -> Any:
    """The key of a value."""
    inverse = getattr(target, "inverse", None)
    return {held: key for key, held in target.items()}.get(value) if inverse is None else inverse.get(value)


def below(target: Any, prefix: str) -> list[str]:
    """The keys with a prefix."""
    if isinstance(target, PlainTrie):
        return sorted(key for key in target if key.startswith(prefix))
    return sorted(target.keys(prefix=prefix)) if target.has_node(prefix) else []


def longest_prefix(target: Any, key: str) -> str | None:
    """The longest key that another one begins with."""
    if isinstance(target, PlainTrie):
        return max((known for known in target if key.startswith(known)), key=len, default=None)
    step = target.longest_prefix(key)
    return step.key if step else None
