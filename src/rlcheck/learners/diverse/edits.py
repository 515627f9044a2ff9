"""Edits: how a past episode becomes the script of the next one."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.kin import Kin
from rlcheck.learners.diverse.ranks import Ranks, changed
from rlcheck.learners.diverse.tree import Item, Leaf, Listing, Span, digest, mix

TWEAK, REGROW, SPLICE, COPY, TWINS, KIN, SWAP, VALUES, RUNS = range(9)
WAYS = 9

#: How often there is one more edit, and how often that stays near the one before.
_AGAIN = 0.4
_NEAR = 0.7


class Editor:
    """Makes scripts of archived episodes."""

    def __init__(self, random: Callable[[], float], archive: Archive, kin: Kin) -> None:
        self._random = random
        self._archive = archive
        self._kin = kin
        self.ranks = Ranks(random)
        self.again = _AGAIN
        #: The span that was edited, and the one that was there before; None when there were several edits.
        self.target: Span | None = None
        self.before: Span | None = None
        #: The run that was replaced, and what took its place.
        self.run: tuple[Span, Span] | None = None

    def trial(self, heads: set[int]) -> tuple[Span, int] | None:
        """An episode in which the choices at one of these points keep their order, and nothing else changes."""
        root = self._archive.parent()
        listing = Listing(root)
        found: dict[int, list[Leaf]] = {}
        for number, place in listing.small:
            leaf = listing.spans[number].items[place]
            if leaf.head in heads and isinstance(leaf, Leaf):
                found.setdefault(leaf.head, []).append(leaf)
        if not found:
            return None
        head = sorted(found)[below(self._random, len(found))]
        old = sorted({leaf.index for leaf in found[head]})
        new = old
        for _ in range(8):
            new = self.ranks.spread(len(old), found[head][0].n)
            if new != old:
                break
        else:
            return None
        self.target = self.before = self.run = None
        self.ranks.begin()
        return _renamed(root, head, dict(zip(old, new, strict=True))), head

    def script(self, way: int) -> Span:
        """A changed episode."""
        root = self._archive.parent()
        self.ranks.begin()
        self.target = self.before = self.run = None
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
            self.target = self.before = self.run = None
        return self.ranks.settle(root, Listing(root))

    def _edit(self, root: Span, kind: int, near: Span | None) -> tuple[Span, Span | None]:
        listing = Listing(root)
        first, end = 0, len(listing.spans)
        if near is not None and self._random() < _NEAR:
            first = listing.spans.index(near)
            end = listing.end[first]
        if kind == TWEAK:
            return self._tweak(listing, first, end)
        numbers = [number for number in range(first, end) if listing.inner[number]]
        if not numbers:
            numbers = [number for number in range(len(listing.spans)) if listing.inner[number]]
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
                body = self._other_body(None, old)
        else:
            body = self._other_body(root if kind == COPY else None, old)
        return self._replace(listing, number, body)

    def _other_body(self, root: Span | None, old: Span) -> Span:
        """Any body that is not like this one, of an episode, or of any."""
        first = old.items[0].head if old.items else 0
        found: Span | None = None
        for _ in range(8):
            body = self._body(self._archive.any() if root is None else root)
            if body.items and body.items[0].head == first:
                found = body
                if body.fine != old.fine:
                    break
        return found or body

    def _tweak(self, listing: Listing, first: int, end: int) -> tuple[Span, Span | None]:
        if self._random() < 0.3:
            change = self.ranks.tweak(listing)
            if change is not None:
                leaf, position = change
                self.target = self.before = None
                return changed(listing.spans[0], {id(leaf): position}), None
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
        items[place] = Leaf(leaf.head, leaf.n, index, leaf.value)
        new = Span(old.head, items)
        self.target, self.before = new, old
        if number == 0:
            return new, new
        root, _ = listing.put(number, new)
        return root, new

    def _replace(self, listing: Listing, number: int, body: Span) -> tuple[Span, Span | None]:
        old = listing.spans[number]
        outer, place = listing.outer[number], listing.place[number]
        new = Span(old.head, body.items)
        fitted = self.ranks.fit(listing, outer, place, place + 1, [new])[0]
        assert isinstance(fitted, Span)
        new = fitted
        self.target, self.before = new, old
        return listing.put(number, new)

    def _twins(self, root: Span, listing: Listing, outer: int) -> tuple[Span, Span | None]:
        """All spans of a body get the same structure."""
        around = listing.spans[outer]
        places = [place for place, item in enumerate(around.items) if isinstance(item, Span)]
        old = around.items[places[below(self._random, len(places))]]
        assert isinstance(old, Span)
        body = self._other_body(None if self._random() < 0.5 else root, old)
        near: Span | None = around
        for place in places:
            listing = Listing(root)
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
            listing = Listing(root)
            assert near is not None and isinstance(body, Span)
            number = listing.spans.index(near) + 1
            while listing.place[number] != place or listing.spans[listing.outer[number]] is not near:
                number += 1
            root, near = self._replace(listing, number, body)
        self.target = self.before = None
        return root, near

    def _runs(self, root: Span, listing: Listing) -> tuple[Span, Span | None]:
        """Insert, drop or replace a run of a body that repeats itself."""
        for _ in range(6):
            number = below(self._random, len(listing.spans))
            span = listing.spans[number]
            items = span.items
            if len(items) > 1:
                start = below(self._random, len(items))
                head = items[start].head
                ends = _ends(items, start)
                run = self._run(root, items, start, ends)
                if run is not None:
                    break
        else:
            return self._tweak(listing, 0, len(listing.spans))
        end, new_items = run
        new_items = self.ranks.fit(listing, number, start, end, new_items)
        changed = items[:start] + new_items + items[end:]
        if isinstance(items[start], Span) or (new_items and isinstance(new_items[0], Span)):
            changed = _recount(items, changed, start, head)
        new = Span(span.head, changed)
        self.target = new
        self.before = None
        self.run = (_run_of(head, items[start:end]), _run_of(head, new_items))
        if number == 0:
            return new, new
        root, _ = listing.put(number, new)
        return root, new

    def _run(self, root: Span, items: list[Item], start: int, ends: list[int]) -> tuple[int, list[Item]] | None:
        """Where a run that starts there ends, and what takes its place."""
        head = items[start].head
        end = start
        if ends and self._random() < 0.4:
            for _ in range(4):
                end = ends[min(len(ends) - 1, int(self._random() ** 3 * len(ends)))]
                kin = self._kin.of(_run_of(head, items[start:end]).fine)
                if kin is not None:
                    return end, kin.items
            if self._random() < 0.3:
                return end, []
        elif self._random() < 0.8:
            kin = self._kin.of(_run_of(head, []).fine)
            if kin is not None:
                return end, kin.items
        donor = self._body(self._archive.any() if self._random() < 0.5 else root).items
        starts = [place for place, item in enumerate(donor) if item.head == head]
        if not starts:
            return None
        first = starts[below(self._random, len(starts))]
        last = _ends(donor, first)
        if not last:
            return None
        return end, donor[first : last[min(len(last) - 1, int(self._random() ** 3 * len(last)))]]

    def _body(self, root: Span) -> Span:
        """Any span of an episode that made a choice itself; half of the time the largest of three."""
        listing = Listing(root)
        found: Span | None = None
        for _ in range(3 if self._random() < 0.5 else 1):
            span = listing.spans[below(self._random, len(listing.spans))]
            while len(span.items) == 1 and isinstance(span.items[0], Span):
                span = span.items[0]
            if found is None or len(listing.spans) == 1 or _size(span) > _size(found):
                found = span
        assert found is not None
        return found


def _size(span: Span) -> int:
    """How many choices there are in a span."""
    return span.leaves or sum(1 if isinstance(item, Leaf) else _size(item) for item in span.items)  # type: ignore[arg-type]


def _ends(items: list[Item], start: int) -> list[int]:
    """Where a run that starts there may end: where the same is asked again, or, of spans, after the last."""
    head = items[start].head
    found = [place for place in range(start + 1, len(items)) if items[place].head == head]
    if isinstance(items[start], Span):
        found.append((found[-1] if found else start) + 1)
    return found


def _run_of(head: int, items: list[Item]) -> Span:
    """A run as a span of its own, so that it may have kin."""
    run = Span(head, items)
    digest(run)
    run.fine = mix(run.fine, head)
    return run


def _recount(old: list[Item], new: list[Item], start: int, head: int) -> list[Item]:
    """Where a choice before a run of spans says how many there are, change it too."""
    first = start
    while first > 0 and old[first - 1].head == head:
        first -= 1
    before = after = 0
    while first + before < len(old) and old[first + before].head == head:
        before += 1
    while first + after < len(new) and new[first + after].head == head:
        after += 1
    if first > 0:
        leaf = old[first - 1]
        if isinstance(leaf, Leaf) and 0 <= before - leaf.index <= 1 and 0 <= leaf.index + after - before < leaf.n:
            new[first - 1] = Leaf(leaf.head, leaf.n, leaf.index + after - before, leaf.value)
    return new


def _renamed(span: Span, head: int, names: dict[float, float]) -> Span:
    """The same with other answers at one point."""
    made: list[Item] = []
    for item in span.items:
        if isinstance(item, Span):
            item = _renamed(item, head, names)
        elif isinstance(item, Leaf) and item.head == head:
            item = Leaf(head, item.n, int(names.get(item.index, item.index)), item.value)
        made.append(item)
    return Span(span.head, made)
