"""Edits: how a past episode becomes the script of the next one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.kin import Kin
from rlcheck.learners.diverse.ranks import Ranks
from rlcheck.learners.diverse.tree import Item, Leaf, Listing, Span

TWEAK, REGROW, SPLICE, COPY, TWINS, KIN, SWAP, VALUES, RUNS = range(9)
WAYS = 9

#: How often there is one more edit, and how often that stays near the one before.
_AGAIN = 0.4
_NEAR = 0.7


class Editor:
    """Makes scripts of archived episodes."""

    def __init__(self, random: Callable[[], float], archive: Archive, kin: Kin, is_value: Sequence[bool]) -> None:
        self._random = random
        self._archive = archive
        self._kin = kin
        self._is_value = is_value
        self.ranks = Ranks(random)
        self.again = _AGAIN
        #: The span that was edited, and the one that was there before; None when there were several edits.
        self.target: Span | None = None
        self.before: Span | None = None

    def script(self, way: int) -> Span:
        """A changed episode."""
        root = self._archive.parent()
        self.ranks.begin()
        self.target = self.before = None
        near: Span | None = None
        edits = 0
        kind = way
        if way != VALUES:
            while True:
                root, near = self._edit(root, kind, near)
                edits += 1
                if self._random() >= self.again:
                    break
                kind = below(self._random, VALUES)
        if self.target is not None:
            self.target.mark = edits == 1
        if edits > 1:
            self.target = self.before = None
        return self.ranks.settle(root, Listing(root, self._is_value), force=way == VALUES)

    def _edit(self, root: Span, kind: int, near: Span | None) -> tuple[Span, Span | None]:
        listing = Listing(root, self._is_value)
        first, end = 0, len(listing.spans)
        if near is not None and self._random() < _NEAR:
            first = listing.spans.index(near)
            end = listing.end[first]
        if kind == TWEAK:
            return self._tweak(listing, first, end)
        numbers = [number for number in range(first, end) if number > 0]
        if not numbers:
            numbers = [number for number in range(1, len(listing.spans))]
        if not numbers or (kind == RUNS):
            return self._runs(root, listing)
        number = numbers[below(self._random, len(numbers))]
        old = listing.spans[number]
        if kind == REGROW:
            new = Span(old.head, [])
            new.open = True
            self.target, self.before = new, old
            return listing.put(number, new)
        if kind == TWINS:
            return self._twins(root, listing, listing.outer[number])
        if kind == SWAP:
            return self._swap(root, listing, listing.outer[number])
        if kind == KIN:
            for _ in range(4):
                body = self._kin.of(old.fine)
                if body is not None:
                    break
                number = numbers[below(self._random, len(numbers))]
                old = listing.spans[number]
            else:
                body = self._body(self._archive.any())
        else:
            body = self._body(root if kind == COPY else self._archive.any())
        return self._replace(listing, number, body)

    def _tweak(self, listing: Listing, first: int, end: int) -> tuple[Span, Span | None]:
        small = [at for at in listing.small if first <= at[0] < end] or listing.small
        if not small:
            return listing.spans[0], None
        number, place = small[below(self._random, len(small))]
        old = listing.spans[number]
        leaf = old.items[place]
        assert isinstance(leaf, Leaf)
        index = below(self._random, leaf.n - 1)
        if index >= leaf.index:
            index += 1
        items = old.items[:]
        items[place] = Leaf(leaf.head, leaf.n, index)
        new = Span(old.head, items)
        self.target, self.before = new, old
        if number == 0:
            return new, new
        root, _ = listing.put(number, new)
        return root, new

    def _replace(self, listing: Listing, number: int, body: Span) -> tuple[Span, Span | None]:
        old = listing.spans[number]
        new = Span(old.head, self.ranks.fit(listing, number, body))
        self.target, self.before = new, old
        return listing.put(number, new)

    def _twins(self, root: Span, listing: Listing, outer: int) -> tuple[Span, Span | None]:
        """All spans of a body get the same structure."""
        around = listing.spans[outer]
        body = self._body(self._archive.any() if self._random() < 0.5 else root)
        places = [place for place, item in enumerate(around.items) if isinstance(item, Span)]
        near: Span | None = around
        for place in places:
            listing = Listing(root, self._is_value)
            assert near is not None
            number = listing.spans.index(near) + 1
            # The number of the span at this place.
            while listing.place[number] != place or listing.spans[listing.outer[number]] is not near:
                number += 1
            root, near = self._replace(listing, number, body)
            if len(places) > 6:
                break
        self.target = self.before = None
        return root, near

    def _swap(self, root: Span, listing: Listing, outer: int) -> tuple[Span, Span | None]:
        around = listing.spans[outer]
        places = [place for place, item in enumerate(around.items) if isinstance(item, Span)]
        if len(places) < 2:
            return self._twins(root, listing, outer)
        one = below(self._random, len(places))
        other = (one + 1 + below(self._random, len(places) - 1)) % len(places)
        bodies = [around.items[places[other]], around.items[places[one]]]
        near: Span | None = around
        for place, body in zip([places[one], places[other]], bodies, strict=True):
            listing = Listing(root, self._is_value)
            assert near is not None and isinstance(body, Span)
            number = listing.spans.index(near) + 1
            while listing.place[number] != place or listing.spans[listing.outer[number]] is not near:
                number += 1
            root, near = self._replace(listing, number, body)
        self.target = self.before = None
        return root, near

    def _runs(self, root: Span, listing: Listing) -> tuple[Span, Span | None]:
        """Insert, drop or replace a run of a body that repeats itself."""
        number = below(self._random, len(listing.spans))
        span = listing.spans[number]
        items = span.items
        if len(items) < 3:
            return root, None
        donor = self._body(self._archive.any() if self._random() < 0.5 else root)
        start = below(self._random, len(items))
        head = items[start].head
        ends = [i for i in range(start + 1, len(items)) if items[i].head == head]
        roll = self._random()
        end = start
        if ends and roll < 0.5:
            end = ends[min(len(ends) - 1, int(self._random() ** 2 * len(ends)))]
        run: list[Item] = []
        if roll > 0.25:
            starts = [i for i, item in enumerate(donor.items) if item.head == head]
            if len(starts) > 1:
                a = below(self._random, len(starts) - 1)
                b = a + 1 + int(self._random() ** 2 * (len(starts) - 1 - a))
                run = donor.items[starts[a] : starts[b]]
        new = Span(span.head, items[:start] + run + items[end:])
        self.target = self.before = None
        if number == 0:
            return new, new
        root, _ = listing.put(number, new)
        return root, new

    def _body(self, root: Span) -> Span:
        """Any span of an episode that made a choice itself."""
        listing = Listing(root, self._is_value)
        for _ in range(6):
            span = listing.spans[below(self._random, len(listing.spans))]
            if not span.open and not (len(span.items) == 1 and isinstance(span.items[0], Span)):
                return span
        return span
