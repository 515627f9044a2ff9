"""The shelf: one episode for each shape of one grain, spread over sizes."""

from __future__ import annotations

import math
from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.tree import Listing, Span

#: How many shapes are kept, and how many choices they may have together.
_MOST = 4_000
_LEAVES = 300_000

#: The next parent is the least used of this many.
_OF = 4

#: Episodes of 1, 2 to 3, 4 to 7, ... choices are kept apart.
_SIZES = 20

#: How much more often a size is taken that has more shapes: not at all at 0, in proportion at 1.
_SPREAD = 0.7

#: How many of the latest edits say what a size is worth.
_MEMORY = 100

#: Keeps every size in play.
_LEAST = 0.01

#: How often a later episode of the same shape takes the place of an earlier one.
_REPLACE = 0.3


class Entry:
    """An episode that stands for its shape."""

    __slots__ = ("count", "key", "listing", "root", "standing", "uses")

    def __init__(self, key: int, root: Span, standing: float) -> None:
        self.key = key
        self.root = root
        #: How good it is beside others, by its reward.
        self.standing = standing
        #: How many episodes had this shape, and how often this one was edited.
        self.count = 0
        self.uses = 0.0
        self.listing: Listing | None = None

    def listed(self) -> Listing:
        """Return the spans of the episode."""
        if self.listing is None:
            self.listing = Listing(self.root)
        return self.listing


class Shelf:
    """The shapes of one grain, by the size of their episodes."""

    def __init__(self, random: Callable[[], float]) -> None:
        self.by_key: dict[int, Entry] = {}
        self._random = random
        self._sizes: list[list[Entry]] = [[] for _ in range(_SIZES)]
        self._weights = [0.0] * _SIZES
        # What edits of episodes of a size led to.
        self._rates = Rates(_SIZES, _MEMORY)
        self._leaves = 0

    def add(self, key: int, root: Span, standing: float) -> int:
        """Keep an episode; return how many of its shape there were, with this one."""
        entry = self.by_key.get(key)
        if entry is None:
            while self.by_key and (len(self.by_key) >= _MOST or self._leaves + root.leaves > _LEAVES):
                self._drop()
            entry = Entry(key, root, standing)
            self.by_key[key] = entry
            size = size_of(root)
            self._sizes[size].append(entry)
            self._leaves += root.leaves
            self._weigh(size)
        elif size_of(root) == size_of(entry.root) and (
            standing > entry.standing or self._random() < _REPLACE
        ):
            self._leaves += root.leaves - entry.root.leaves
            entry.root = root
            entry.listing = None
            entry.standing = standing
        entry.count += 1
        return entry.count

    def parent(self) -> Entry:
        """Return the least used of some entries that are about equally large."""
        group = self._group()
        entry = self._any(group)
        for _ in range(_OF - 1):
            other = self._any(group)
            if other.uses < entry.uses:
                entry = other
        # Those that are worth little are used up soon.
        entry.uses += 1.0 / (0.05 + entry.standing * entry.standing)
        return entry

    def learn(self, entry: Entry, worth: float) -> None:
        """Note what an edit of an episode led to."""
        size = size_of(entry.root)
        self._rates.learn(size, worth)
        self._weigh(size)

    def _group(self) -> list[Entry]:
        """Return the entries of a size: one that has more shapes is taken more often."""
        total = 0.0
        for size in range(_SIZES):
            weight = self._weights[size]
            total += weight
        roll = self._random()
        left = roll * total
        last = 0
        for size in range(_SIZES):
            weight = self._weights[size]
            if weight > 0.0:
                last = size
                left -= weight
                if left < 0.0:
                    break
        return self._sizes[last]

    def _any(self, group: list[Entry]) -> Entry:
        """Return any of a group; younger and better ones more often."""
        for _ in range(_OF):
            roll = self._random()
            if roll < 0.5:
                entry = group[below(self._random, len(group))]
            else:
                roll = self._random()
                entry = group[len(group) - 1 - int(roll * roll * len(group))]
            if entry.standing >= 1.0 or self._random() < entry.standing * entry.standing:
                break
        return entry

    def _weigh(self, size: int) -> None:
        # Larger ones are a little more likely: they have more to edit.
        worth = self._rates.means[size] + _LEAST
        self._weights[size] = worth * size * math.pow(len(self._sizes[size]), _SPREAD)

    def _drop(self) -> None:
        """Drop the most used of some in the largest group."""
        size = 0
        for other in range(_SIZES):
            if len(self._sizes[other]) > len(self._sizes[size]):
                size = other
        group = self._sizes[size]
        place = below(self._random, len(group))
        found = group[place]
        for _ in range(_OF - 1):
            other = below(self._random, len(group))
            entry = group[other]
            if entry.uses > found.uses:
                place, found = other, entry
        del self.by_key[found.key]
        self._leaves -= found.root.leaves
        group[place] = group[-1]
        group.pop()
        self._weigh(size)


def size_of(root: Span) -> int:
    """Return the size group of an episode."""
    size = 0
    leaves = root.leaves
    while leaves > 0:
        size += 1
        leaves >>= 1
    return min(size, _SIZES - 1)
