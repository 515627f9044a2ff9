"""Ranks: values keep their order when a span moves.

In a script under edit, a value is a position: a float between the values around it. In the end the positions of
each domain, that is, of all choices among equally many options, become indices again in the same order.
"""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.tree import Item, Leaf, Listing, Span

ABOVE_LAST, BELOW_LAST, ABOVE_OUTER, BELOW_OUTER, KEEP, FREE = range(6)
KEEP_ALL, RANK_ALL, FREE_ALL = range(3)


#: Positions are floats, which cannot tell larger numbers apart.
_LARGE = 1 << 48


class Ranks:
    """Fits the values of a span to where it goes."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._anchors: dict[tuple[int, int], Rates] = {}
        self._anywhere = Rates(6, 60)
        self._treats: dict[int, Rates] = {}
        #: By point: how often a value may be any other.
        self.loose: dict[int, Rates] = {}
        self._used: list[tuple[Rates, int]] = []

    def begin(self) -> None:
        """Start an episode."""
        self._used.clear()

    def learn(self, good: float) -> None:
        """Say how the episode ended."""
        for rates, used in self._used:
            rates.learn(used, good)

    def _pick(self, rates: Rates, ways: int) -> int:
        way = rates.pick(self._random, ways)
        self._used.append((rates, way))
        return way

    def fit(self, listing: Listing, number: int, start: int, end: int, items: list[Item]) -> list[Item]:
        """Items with values that fit in the place of those from start to end in the span of this number."""
        mine = values_of(items)
        if not mine or not listing.values:
            return items
        first = listing.first[number] + len(values_of(listing.spans[number].items[:start]))
        last = first + len(values_of(listing.spans[number].items[start:end]))
        maps: dict[int, dict[float, float]] = {}
        for n in sorted({leaf.n for leaf in mine}):
            found = sorted({leaf.index for leaf in mine if leaf.n == n and leaf.index >= 0})
            before = [leaf.index for leaf in listing.values[:first] if leaf.n == n and leaf.index >= 0]
            there = [leaf.index for leaf in listing.values[first:last] if leaf.n == n and leaf.index >= 0]
            after = [leaf.index for leaf in listing.values[last:] if leaf.n == n and leaf.index >= 0]
            others = before + after
            if not found or not others or n > _LARGE:
                continue
            if there:
                low, high = min(there), max(there)
                under = max((o for o in others if o < low), default=low - 1.0)
                over = min((o for o in others if o > high), default=high + 1.0)
            else:
                key = (items[0].head, min(start, 3))
                rates = self._anchors.get(key)
                if rates is None:
                    rates = self._anchors[key] = Rates(6, 30)
                    rates.like(self._anywhere)
                how = self._pick(rates, 6)
                self._used.append((self._anywhere, how))
                if how == KEEP:
                    continue
                if how == FREE:
                    maps[n] = {value: -1.0 for value in found}
                    continue
                anchor = None if how <= BELOW_LAST else self._outer(listing, number, start, n)
                above = how in (ABOVE_LAST, ABOVE_OUTER)
                if anchor is None:
                    anchor = before[-1] if before else after[0]
                    above = above == bool(before)  # What comes first in an ascending order is below the next.
                if above:
                    under, over = anchor, min((o for o in others if o > anchor), default=anchor + 1.0)
                else:
                    under, over = max((o for o in others if o < anchor), default=anchor - 1.0), anchor
            step = (over - under) / (len(found) + 1)
            maps[n] = {value: under + step * (rank + 1) for rank, value in enumerate(found)}
        return _mapped(items, maps) if maps else items

    def tweak(self, listing: Listing) -> tuple[Leaf, float] | None:
        """A value that becomes another: equal to one that is there, next to it, or beyond all."""
        if not listing.values:
            return None
        leaf = listing.values[below(self._random, len(listing.values))]
        for _ in range(2):
            other = listing.values[below(self._random, len(listing.values))]
            if self._looseness(other.head).means[0] > self._looseness(leaf.head).means[0]:
                leaf = other
        self._used.append((self._looseness(leaf.head), 0))
        return leaf, self._position(listing, leaf)

    def _looseness(self, head: int) -> Rates:
        rates = self.loose.get(head)
        if rates is None:
            rates = self.loose[head] = Rates(1, 30)
        return rates

    def _position(self, listing: Listing, leaf: Leaf) -> float:
        roll = self._random()
        if roll < 0.3 or leaf.n > _LARGE:
            return float(below(self._random, leaf.n)) if leaf.n <= _LARGE else below(self._random, leaf.n)
        same = [other.index for other in listing.values if other.n == leaf.n and other is not leaf and other.index >= 0]
        if not same:
            return float(below(self._random, leaf.n))
        at = same[below(self._random, len(same))]
        if roll < 0.8:
            return at
        return at + 0.5 if roll < 0.9 else at - 0.5

    def loosen(self, listing: Listing) -> dict[int, float]:
        """Values that may be any other become so, half of the time: new positions by the leaf's place."""
        found: dict[int, float] = {}
        for place, leaf in enumerate(listing.values):
            rates = self.loose.get(leaf.head)
            if rates is not None and rates.means[0] > 0.8 and self._random() < 0.5:
                found[place] = self._position(listing, leaf)
        return found

    def _outer(self, listing: Listing, number: int, place: int, n: int) -> float | None:
        """The latest value of the spans around."""
        while number >= 0:
            items = listing.spans[number].items
            for at in range(min(place, len(items)) - 1, -1, -1):
                item = items[at]
                if isinstance(item, Leaf) and item.value and item.n == n and item.index >= 0:
                    return item.index
            place = listing.place[number]
            number = listing.outer[number]
        return None

    def settle(self, root: Span, listing: Listing) -> Span:
        """Make indices of positions."""
        loose = self.loosen(listing)
        if loose:
            changes = {id(listing.values[place]): position for place, position in loose.items()}
            root = changed(root, changes)
            listing = Listing(root)
        maps: dict[int, dict[float, float]] = {}
        for n in sorted({leaf.n for leaf in listing.values}):
            rates = self._treats.get(n)
            if rates is None:
                rates = self._treats[n] = Rates(3, 30)
            how = self._pick(rates, 3)
            found = sorted({leaf.index for leaf in listing.values if leaf.n == n and leaf.index >= 0})
            if how == FREE_ALL:
                maps[n] = {value: -1.0 for value in found}
                continue
            fractional = any(value != int(value) or value >= n for value in found)
            if (how == KEEP_ALL and not fractional) or n > _LARGE:
                continue
            maps[n] = dict(zip(found, self.spread(len(found), n), strict=True))
        return root if not maps else Span(root.head, _mapped(root.items, maps))

    def spread(self, k: int, n: int) -> list[float]:
        """So many of n indices in ascending order."""
        if k > n:
            return [float(rank * n // k) for rank in range(k)]
        if self._random() < 0.2:
            start = below(self._random, n - k + 1)
            return [float(start + rank) for rank in range(k)]
        if 2 * k > n:
            left, found = k, []
            for index in range(n):
                if self._random() * (n - index) < left:
                    found.append(float(index))
                    left -= 1
            return found
        chosen: set[int] = set()
        while len(chosen) < k:
            chosen.add(below(self._random, n))
        return [float(index) for index in sorted(chosen)]


def _mapped(items: list[Item], maps: dict[int, dict[float, float]]) -> list[Item]:
    """The same with other values."""
    made: list[Item] = []
    for item in items:
        if isinstance(item, Leaf):
            if item.value and item.n in maps:
                index = maps[item.n].get(item.index, item.index)
                item = Leaf(item.head, item.n, int(index) if index == int(index) else index, item.value)
        elif isinstance(item, Span) and not item.open:
            mark = item.mark
            item = Span(item.head, _mapped(item.items, maps))
            item.mark = mark
        made.append(item)
    return made


def values_of(items: list[Item]) -> list[Leaf]:
    """The values in some items."""
    found: list[Leaf] = []
    for item in items:
        if isinstance(item, Leaf):
            if item.value:
                found.append(item)
        elif isinstance(item, Span) and not item.open:
            found += values_of(item.items)
    return found


def changed(span: Span, changes: dict[int, float]) -> Span:
    """The same with other values, by the identity of their leaves."""
    made: list[Item] = []
    for item in span.items:
        if isinstance(item, Span):
            if not item.open:
                item = changed(item, changes)
        elif isinstance(item, Leaf) and id(item) in changes:
            item = Leaf(item.head, item.n, changes[id(item)], item.value)
        made.append(item)
    new = Span(span.head, made)
    new.mark = span.mark
    return new
