"""The archive: one episode for each shape, at two grains, spread over sizes."""

from __future__ import annotations

import math
from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.misses import Misses
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.tree import Leaf, Listing, Span, mix, revalue
from rlcheck.learners.diverse.values import Values

#: How many shapes of each grain are kept, and how many choices they may have together.
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

#: Choices among more options are told apart by their order of magnitude.
_EXACT = 64

#: How many of the latest episodes are kept that were made at random.
_FRESH = 64

#: How much it counts that few episodes asked the same, answered the same, or have the rarest part.
_OF_PATH, _OF_FINE, _OF_PART = 0.4, 0.25, 0.35

#: Where parents come from.
_BY_QUESTIONS, _BY_ANSWERS, _BY_PART, _AT_RANDOM, _SOURCES = range(5)

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


class Archive:
    """Valid episodes; as long as there are none, those nearest to it."""

    def __init__(self, random: Callable[[], float]) -> None:
        #: How near to valid those that are kept are, from 0 to 1.
        self.best = 0.0
        self._random = random
        # How many were kept that are not valid.
        self._near = 0
        # By what was asked, and by what was asked and answered.
        self.coarse = Shelf(random)
        self.fine = Shelf(random)
        #: Rejected episodes, and whether the next one to edit is among them.
        self.misses = Misses(random)
        self.climbing = False
        self.parts = Shelf(random)
        self._counts: dict[int, int] = {}
        # The latest that were made at random.
        self._fresh: list[Entry] = []
        # Where parents come from, and what that led to.
        self._sources = Rates(_SOURCES, _MEMORY)
        self._from = 0
        self._rarest = self._least = 0

    @property
    def empty(self) -> bool:
        """Whether nothing was kept yet."""
        return not self.fine.by_key

    def add(self, root: Span, near: float, standing: float) -> float:
        """Keep an episode unless others were nearer to valid; return how rare its shape is, from 0 to 1."""
        if near < self.best or not root.leaves:
            return 0.0
        if near > self.best:
            self.best = near
            self.coarse = Shelf(self._random)
            self.fine = Shelf(self._random)
            self.parts = Shelf(self._random)
        if near < 1.0:
            # What leads on to a valid one may be a value: all of them are kept.
            self._near += 1
            self.coarse.add(self._near, root, standing)
            self.fine.add(self._near, root, standing)
            return 1.0
        coarse = self.coarse.add(root.path, root, standing)
        fine = self.fine.add(root.fine, root, standing)
        self._rarest, self._least = 0, 0
        self._count(root)
        self.parts.add(self._rarest, root, standing)
        return _OF_PATH / coarse + _OF_FINE / fine + _OF_PART / self._least

    def _count(self, span: Span) -> None:
        """Count the choices of a valid episode by where they were made; find the rarest."""
        last: Leaf | None = None
        for item in span.items:
            if isinstance(item, Leaf):
                leaf = item
                feature = _feature(leaf, leaf.index)
                count = self._counts.get(feature, 0) + 1
                self._counts[feature] = count
                if last is not None:
                    feature = mix(feature, _beside(leaf, last))
                    count = self._counts.get(feature, 0) + 1
                    self._counts[feature] = count
                if not self._least or count < self._least:
                    self._rarest, self._least = feature, count
                last = leaf
            elif isinstance(item, Span):
                inner = item
                self._count(inner)

    def parent(self) -> Entry:
        """Return the next episode to edit."""
        if self.climbing:
            return Entry(0, self.misses.parent(), 1.0)
        self._from = self._sources.pick(self._random, _SOURCES)
        if self._from == _AT_RANDOM and self._fresh:
            return self._fresh[below(self._random, len(self._fresh))]
        if self._from == _BY_PART and self.parts.by_key:
            return self.parts.parent()
        shelf = self.fine if self._from == _BY_ANSWERS else self.coarse
        return shelf.parent()

    def learn(self, entry: Entry, worth: float) -> None:
        """Note what an edit of the latest parent led to."""
        self._sources.learn(self._from, worth)
        self.coarse.learn(entry, worth)
        self.fine.learn(entry, worth)
        self.parts.learn(entry, worth)

    def another(self, leaf: Leaf) -> Leaf:
        """Return another choice at the same point: half of the time one that few valid episodes have."""
        found, least = leaf.index, -1
        for _ in range(_OF - 1 if self._random() < 0.5 else 1):
            index = below(self._random, leaf.n - 1)
            index = index + 1 if index >= leaf.index else index
            count = self._counts.get(_feature(leaf, index), 0)
            if least < 0 or count < least:
                found, least = index, count
        return Leaf(leaf.head, leaf.n, found, leaf.value)

    def keep_fresh(self, root: Span, standing: float) -> None:
        """Keep a valid episode that was made at random, in place of an earlier one."""
        entry = Entry(0, root, standing)
        if len(self._fresh) < _FRESH:
            self._fresh.append(entry)
        else:
            self._fresh[below(self._random, _FRESH)] = entry

    def refile(self, values: Values) -> None:
        """Sort all episodes in again, since other choices count as values now."""
        kept = [*self.coarse.by_key.values(), *self.fine.by_key.values()]
        parts = self.parts.by_key
        self._fresh.clear()
        self.parts = Shelf(self._random)
        for key, entry in parts.items():
            revalue(entry.root, values)
            self.parts.add(key, entry.root, entry.standing)
        self.coarse = Shelf(self._random)
        self.fine = Shelf(self._random)
        for entry in kept:
            revalue(entry.root, values)
            self.coarse.add(entry.root.path, entry.root, entry.standing)
            self.fine.add(entry.root.fine, entry.root, entry.standing)


def _feature(leaf: Leaf, index: int) -> int:
    """Return what an option is, where the choice was made."""
    return mix(leaf.site, index if leaf.n <= _EXACT else index.bit_length())


def _beside(leaf: Leaf, last: Leaf) -> int:
    """Return what the choice before is: its option, or of a value whether it is less, equal or greater."""
    if leaf.value and last.value:
        return -1 if last.index < leaf.index else -2 if last.index == leaf.index else -3
    return -4 if last.value else last.index


def size_of(root: Span) -> int:
    """Return the size group of an episode."""
    size = 0
    leaves = root.leaves
    while leaves > 0:
        size += 1
        leaves >>= 1
    return min(size, _SIZES - 1)
