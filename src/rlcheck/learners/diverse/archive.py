"""The archive: one episode for each shape, at several grains."""

from __future__ import annotations

import math
from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Span, revalue

#: How many shapes of each grain are kept.
_MOST = 4000

#: The next parent is the least used of this many.
_OF = 4

#: Episodes of 0, 1, 2 to 3, 4 to 7, ... choices are kept apart.
_SIZES = 20

#: How much more often a size is taken that has more shapes: not at all at 0, in proportion at 1.
_SPREAD = 0.7

#: How often a later episode of the same shape takes the place of an earlier one.
_REPLACE = 0.3


class Entry:
    """An episode that stands for its shape: how many had that shape, and how often it was a parent."""

    __slots__ = ("count", "key", "root", "standing", "uses")

    def __init__(self, key: int, root: Span, standing: float) -> None:
        self.standing = standing
        self.key = key
        self.root = root
        self.count = 0
        self.uses = 0.0


class Shelf:
    """The shapes of one grain, by the size of their episodes."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self.by_key: dict[int, Entry] = {}
        self.sizes: list[list[Entry]] = [[] for _ in range(_SIZES)]
        self._weights = [0.0] * _SIZES

    @property
    def entries(self) -> list[Entry]:
        """All of them."""
        return list(self.by_key.values())

    def add(self, key: int, root: Span, standing: float) -> int:
        """Keep an episode; how many of its shape there were, with this one."""
        entry = self.by_key.get(key)
        if entry is None:
            if len(self.by_key) >= _MOST:
                self._drop()
            entry = self.by_key[key] = Entry(key, root, standing)
            size = min(root.leaves.bit_length(), _SIZES - 1)
            self.sizes[size].append(entry)
            self._weigh(size)
        elif standing > entry.standing or self._random() < _REPLACE:
            entry.root = root
            entry.standing = standing
        entry.count += 1
        return entry.count

    def _weigh(self, size: int) -> None:
        self._weights[size] = math.pow(len(self.sizes[size]), _SPREAD)

    def _drop(self) -> None:
        """Drop the most used of some in the largest group."""
        size = 0
        for other in range(_SIZES):
            if len(self.sizes[other]) > len(self.sizes[size]):
                size = other
        group = self.sizes[size]
        place = below(self._random, len(group))
        for _ in range(_OF - 1):
            other = below(self._random, len(group))
            if group[other].uses > group[place].uses:
                place = other
        del self.by_key[group[place].key]
        group[place] = group[-1]
        group.pop()

    def _size(self) -> list[Entry]:
        """A size, more often one that has more shapes."""
        total = 0.0
        for weight in self._weights:
            total += weight
        left = self._random() * total
        last = 0
        for size in range(_SIZES):
            if self._weights[size] > 0.0:
                last = size
                left -= self._weights[size]
                if left < 0.0:
                    break
        return self.sizes[last]

    def any(self) -> Entry:
        """Any, of any size."""
        return self._any(self._size())

    def _any(self, group: list[Entry]) -> Entry:
        """Any of a group, younger ones more often."""
        roll = self._random()
        if roll < 0.5:
            return group[below(self._random, len(group))]
        roll = self._random()
        return group[len(group) - 1 - int(roll * roll * len(group))]

    def parent(self) -> Entry:
        """The least used of some that are about equally large."""
        group = self._size()
        entry = self._any(group)
        for _ in range(_OF - 1):
            other = self._any(group)
            if other.uses < entry.uses:
                entry = other
        entry.uses += 1.0 / (0.05 + entry.standing * entry.standing)
        return entry


class Archive:
    """Valid episodes, or as long as there are none, those nearest to it."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        #: How near to valid those that are kept are.
        self.best = 0.0
        self.coarse = Shelf(random)
        self.fine = Shelf(random)

    @property
    def empty(self) -> bool:
        """Whether nothing was kept yet."""
        return not self.fine.by_key

    def add(self, root: Span, near: float, standing: float) -> float:
        """Keep an episode, when none before was nearer to valid; how rare its shape is, from 0 to 1."""
        if near < self.best or not root.leaves:
            return 0.0
        if near > self.best:
            self.best = near
            self.coarse = Shelf(self._random)
            self.fine = Shelf(self._random)
        coarse = self.coarse.add(root.path, root, standing)
        fine = self.fine.add(root.fine, root, standing)
        return 0.5 / float(coarse) + 0.5 / float(fine)

    def parent(self) -> Span:
        """The next episode to edit."""
        shelf = self.coarse if self._random() < 0.5 else self.fine
        return shelf.parent().root

    def any(self) -> Span:
        """Any episode."""
        return self.coarse.any().root

    def refile(self, values: set[int]) -> None:
        """Sort all episodes in again, since other choices count as values now."""
        kept = self.fine.entries + self.coarse.entries
        self.coarse = Shelf(self._random)
        self.fine = Shelf(self._random)
        for entry in kept:
            root = entry.root
            revalue(root, values)
            self.coarse.add(root.path, root, entry.standing)
            self.fine.add(root.fine, root, entry.standing)
