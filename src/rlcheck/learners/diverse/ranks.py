"""Ranks: values keep their order when a span moves.

In a script under edit, a value is a position: a float between the values around it. In the end the positions of
each domain, that is, of all choices among equally many options, become indices again in the same order.
"""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Item, Leaf, Listing, Span

ABOVE_LAST, BELOW_LAST, ABOVE_OUTER, BELOW_OUTER, KEEP, FREE = range(6)
KEEP_ALL, RANK_ALL, FREE_ALL = range(3)


class Ranks:
    """Fits the values of a span to where it goes."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._anchors: dict[tuple[int, int], list[float]] = {}
        self._treats: dict[int, list[float]] = {}
        self._used: list[tuple[list[float], int]] = []

    def begin(self) -> None:
        """Start an episode."""
        self._used.clear()

    def learn(self, good: float) -> None:
        """Say how the episode ended."""
        for rates, used in self._used:
            rates[used] += (good - rates[used]) * 0.03

    def _pick(self, rates: list[float]) -> int:
        total = 0.0
        for rate in rates:
            total += (rate + 0.03) ** 2
        left = self._random() * total
        for number, rate in enumerate(rates):
            left -= (rate + 0.03) ** 2
            if left < 0.0:
                break
        self._used.append((rates, number))
        return number

    def fit(self, listing: Listing, number: int, body: Span) -> list[Item]:
        """What is in a body, with values that fit where the span of this number is."""
        inner = Listing(body)
        if not inner.values:
            return body.items
        first, last = listing.first[number], listing.last[number]
        maps: dict[int, dict[float, float]] = {}
        for n in {leaf.n for leaf in inner.values}:
            mine = sorted({leaf.index for leaf in inner.values if leaf.n == n and leaf.index >= 0})
            before = [leaf.index for leaf in listing.values[:first] if leaf.n == n and leaf.index >= 0]
            there = [leaf.index for leaf in listing.values[first:last] if leaf.n == n and leaf.index >= 0]
            after = [leaf.index for leaf in listing.values[last:] if leaf.n == n and leaf.index >= 0]
            if not mine or not (before or after) or n > 1 << 48:
                continue
            others = before + after
            if there:
                low, high = min(there), max(there)
                under = max((o for o in others if o < low), default=low - 1.0)
                over = min((o for o in others if o > high), default=high + 1.0)
            else:
                outer = listing.outer[number]
                key = (listing.spans[number].head, min(listing.place[number], 3))
                rates = self._anchors.get(key)
                if rates is None:
                    rates = self._anchors[key] = [0.3] * 6
                how = self._pick(rates)
                if how == KEEP:
                    continue
                if how == FREE:
                    maps[n] = {value: -1.0 for value in mine}
                    continue
                anchor = self._last(before, after) if how <= BELOW_LAST else self._outer(listing, number, n)
                if anchor is None:
                    anchor = self._last(before, after)
                if how in (ABOVE_LAST, ABOVE_OUTER):
                    under, over = anchor, min((o for o in others if o > anchor), default=anchor + 1.0)
                else:
                    under, over = max((o for o in others if o < anchor), default=anchor - 1.0), anchor
            step = (over - under) / (len(mine) + 1)
            maps[n] = {value: under + step * (rank + 1) for rank, value in enumerate(mine)}
        return _mapped(body.items, maps)

    def _last(self, before: list[float], after: list[float]) -> float:
        return before[-1] if before else after[0]

    def _outer(self, listing: Listing, number: int, n: int) -> float | None:
        place = listing.place[number]
        number = listing.outer[number]
        while number >= 0:
            items = listing.spans[number].items
            for at in range(min(place, len(items)) - 1, -1, -1):
                item = items[at]
                if isinstance(item, Leaf) and item.n == n and item.index >= 0:
                    return item.index
            place = listing.place[number]
            number = listing.outer[number]
        return None

    def settle(self, root: Span, listing: Listing, *, force: bool) -> Span:
        """Make indices of positions."""
        maps: dict[int, dict[float, float]] = {}
        for n in sorted({leaf.n for leaf in listing.values}):
            rates = self._treats.get(n)
            if rates is None:
                rates = self._treats[n] = [0.3] * 3
            how = self._pick(rates)
            found = sorted({leaf.index for leaf in listing.values if leaf.n == n and leaf.index >= 0})
            if how == FREE_ALL:
                maps[n] = {value: -1.0 for value in found}
                continue
            fractional = any(value != int(value) or value >= n for value in found)
            if (how == KEEP_ALL and not fractional) or n > 1 << 48:
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
