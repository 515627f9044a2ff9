"""The archive: valid episodes, one for each shape at several grains, and how rare each of them is."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.misses import Misses
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.shelf import Entry, Shelf
from rlcheck.learners.diverse.tree import Leaf, Listing, Span, leaf_at, mix, revalue
from rlcheck.learners.diverse.values import Values

#: Another option is the rarest of this many.
_OF = 3

#: How many of the latest edits say where parents come from.
_MEMORY = 100

#: Choices among more options are told apart by their order of magnitude.
_EXACT = 64

#: How many of the latest episodes are kept that were made at random.
_FRESH = 64

#: How much it counts that few episodes asked the same, answered the same, or have the rarest part.
_OF_PATH, _OF_FINE, _OF_PART = 0.4, 0.25, 0.35

#: An option that few valid episodes have is looked for among this many.
_NOVEL = 8

#: A loop that goes round so often counts by which rounds follow which: texts differ in more than blanks.
_LOOP = 4

#: Where parents come from.
_BY_QUESTIONS, _BY_ANSWERS, _BY_PART, _AT_RANDOM, _SOURCES = range(5)


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
        # The features of the latest episode, in their order: numbers of points differ between processes where
        # Hypothesis' labels do, and the rarest of equally rare ones must not.
        self._features: dict[int, None] = {}
        # How often an option was tried because few valid episodes have it.
        self._tried: dict[int, int] = {}

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
        self._features.clear()
        fine = self.fine.add(self._outline(root), root, standing)
        self._rarest, self._least = 0, 0
        for feature in self._features:
            count = self._counts.get(feature, 0) + 1
            self._counts[feature] = count
            if not self._least or count < self._least:
                self._rarest, self._least = feature, count
        self.parts.add(self._rarest, root, standing)
        return _OF_PATH / coarse + _OF_FINE / fine + _OF_PART / self._least

    def _outline(self, span: Span) -> int:
        """Return a hash of a span's structure, in which long loops are sets; gather its features."""
        made = 1
        head = 0
        last: Leaf | None = None
        run: list[int] = []
        for item in span.items:
            if isinstance(item, Leaf):
                leaf = item
                feature = leaf.site if leaf.value else _feature(leaf, leaf.index)
                self._features[feature] = None
                if last is not None:
                    self._features[mix(feature, _beside(leaf, last))] = None
                last = leaf
                if leaf.value:
                    continue
                part = mix(leaf.head, leaf.index)
            elif isinstance(item, Span):
                inner = item
                part = mix(inner.head, self._outline(inner) >> 1)
            if run and item.head != head:
                made = _fold(made, run)
                run.clear()
            head = item.head
            run.append(part)
        return _fold(made, run)

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
        for _ in range(_OF if self._random() < 0.5 else 1):
            index = below(self._random, leaf.n - 1)
            index = index + 1 if index >= leaf.index else index
            count = self._counts.get(_feature(leaf, index), 0)
            if least < 0 or count < least:
                found, least = index, count
        return Leaf(leaf.head, leaf.n, found, leaf.value)

    def novel(self, listing: Listing) -> tuple[int, int, Leaf]:
        """Return a place of an episode, and the one of some options for it that was valid or tried least."""
        least, best, span, at, taken = -1, 0, 0, 0, 0
        for _ in range(_NOVEL):
            number, place = listing.small[below(self._random, len(listing.small))]
            leaf = leaf_at(listing.spans[number], place)
            index = below(self._random, leaf.n - 1)
            index = index + 1 if index >= leaf.index else index
            feature = _feature(leaf, index)
            known = self._counts.get(feature, 0) + self._tried.get(feature, 0)
            if least < 0 or known < least:
                least, best, span, at, taken = known, feature, number, place, index
        self._tried[best] = self._tried.get(best, 0) + 1
        leaf = leaf_at(listing.spans[span], at)
        return span, at, Leaf(leaf.head, leaf.n, taken, leaf.value)

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
            self.fine.add(self._outline(entry.root), entry.root, entry.standing)


def _fold(made: int, run: list[int]) -> int:
    """Hash what a span does in a row: of a long loop, which parts follow which, however often."""
    if len(run) < _LOOP:
        for part in run:
            made = mix(made, part >> 1)
        return made
    pairs = {mix(run[place], run[place + 1] >> 1) for place in range(len(run) - 1)}
    loop = 0
    for pair in pairs:
        loop ^= pair
    return mix(made, loop >> 1)


def _feature(leaf: Leaf, index: int) -> int:
    """Return what an option is, where the choice was made."""
    return mix(leaf.site, index if leaf.n <= _EXACT else index.bit_length())


def _beside(leaf: Leaf, last: Leaf) -> int:
    """Return what the choice before is: its option, or of a value whether it is less, equal or greater."""
    if leaf.value and last.value:
        return -1 if last.index < leaf.index else -2 if last.index == leaf.index else -3
    return -4 if last.value else last.index
