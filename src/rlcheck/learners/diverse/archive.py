"""The archive: one episode for each shape, at several grains."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Span, revalue

#: How many shapes of each grain are kept.
_MOST = 4000

#: The next parent is the least used of this many.
_OF = 4

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
    """The shapes of one grain."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self.entries: list[Entry] = []
        self.by_key: dict[int, Entry] = {}

    def add(self, key: int, root: Span, standing: float) -> int:
        """Keep an episode; how many of its shape there were, with this one."""
        entry = self.by_key.get(key)
        if entry is None:
            entry = Entry(key, root, standing)
            if len(self.entries) < _MOST:
                self.entries.append(entry)
            else:
                self._replace(entry)
            self.by_key[key] = entry
        elif standing > entry.standing or self._random() < _REPLACE:
            entry.root = root
            entry.standing = standing
        entry.count += 1
        return entry.count

    def _replace(self, entry: Entry) -> None:
        """Give the place of the most used of some to another."""
        place = below(self._random, len(self.entries))
        for _ in range(_OF - 1):
            other = below(self._random, len(self.entries))
            if self.entries[other].uses > self.entries[place].uses:
                place = other
        del self.by_key[self.entries[place].key]
        self.entries[place] = entry

    def any(self) -> Entry:
        """Any, younger ones more often."""
        roll = self._random()
        if roll < 0.5:
            return self.entries[below(self._random, len(self.entries))]
        roll = self._random()
        return self.entries[len(self.entries) - 1 - int(roll * roll * len(self.entries))]

    def parent(self) -> Entry:
        """The least used of some."""
        entry = self.any()
        for _ in range(_OF - 1):
            other = self.any()
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
        return not self.fine.entries

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
