"""Ranks: values keep their order when a span moves.

In a script under edit a value is a position: a float among the positions of all values of its domain, that
is, of the choices among equally many options. A span that moves gets positions between two that are there.
Which two is learned. In the end positions become indices again, in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.script import Script, like, moved
from rlcheck.learners.diverse.tree import LARGE, Item, Leaf, Listing, Span, values_in

#: Where the values of a span go: next to the value before it, next to the latest in a span around it, nowhere
#: else than they were, or to the model.
_ABOVE_LAST, _BELOW_LAST, _ABOVE_OUTER, _BELOW_OUTER, _KEEP, _FREE = range(6)
_ANCHORS = 6
#: What happens to the values of an edited episode: nothing, other indices in the same order, or the model.
_KEEP_ALL, _RANK_ALL, _FREE_ALL, _TREATMENTS = range(4)
#: How many of the latest results count.
_MEMORY = 30
#: Choices are kinds when, after so many scripts, other indices were valid less than this part as often.
_SURE = 12
_KIND = 0.15
#: Places in a span are told apart up to here.
_PLACES = 3
#: A value is loose when so many changes of it were valid: then half of the scripts change it.
_LOOSE = 0.8
_NOWHERE = math.inf


class Ranks:
    """Fits values to where they go, and learns from what came of it."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        # By what a span asks first and its place; and all of them, for those not yet met.
        self._anchors: dict[tuple[int, int], Rates] = {}
        self._anywhere = Rates(_ANCHORS, 2 * _MEMORY)
        # By domain.
        self._treatments: dict[int, Rates] = {}
        # By site: how often a change of a value was valid.
        self._loose: dict[int, Rates] = {}
        #: Those of the last script.
        self.domains: list[int] = []
        # What was picked for the running episode.
        self._picked: list[tuple[Rates, int]] = []
        self._tweaked: Rates | None = None

    def begin(self) -> None:
        """Start a script."""
        self._picked.clear()
        self._tweaked = None

    def learn(self, valid: float, single: bool) -> None:  # noqa: FBT001 - compiled
        """Learn from an episode that followed the script; `single`: nothing but one edit was made."""
        for rates, way in self._picked:
            rates.learn(way, valid)
        if single and self._tweaked is not None:
            self._tweaked.learn(0, valid)

    @property
    def tweaked(self) -> bool:
        """Whether a value of the script was changed by itself."""
        return self._tweaked is not None

    def is_kind(self, n: int) -> bool:
        """Whether choices among n options are kinds: other ones in the same order are seldom valid."""
        rates = self._treatments.get(n)
        if rates is None or rates.tries(_RANK_ALL) < _SURE or rates.tries(_KEEP_ALL) < _SURE:
            return False
        return rates.means[_RANK_ALL] < _KIND * (rates.means[_KEEP_ALL] - _KIND)

    def fit(self, listing: Listing, number: int, start: int, end: int, items: list[Item]) -> list[Item]:
        """Return items with values that fit in place of those from start to end in the numbered span."""
        mine: list[Leaf] = []
        values_in(items, mine)
        if not mine or not listing.values:
            return items
        first_item = items[0]
        first = listing.values_before(number, start)
        last = listing.values_before(number, end)
        moves: dict[int, dict[float, float]] = {}
        for n in _domains(mine):
            found = _positions(mine, n, 0, len(mine))
            before = _positions(listing.values, n, 0, first)
            there = _positions(listing.values, n, first, last)
            after = _positions(listing.values, n, last, len(listing.values))
            others = before + after
            if not found or not others:
                continue
            if there:
                under, over = _gap(others, min(there), max(there))
            else:
                how = self._anchor(first_item.head, start)
                if how == _KEEP:
                    continue
                if how == _FREE:
                    moves[n] = dict.fromkeys(found, _NOWHERE)
                    continue
                anchor = _NOWHERE if how <= _BELOW_LAST else _around(listing, number, start, n)
                above = how in (_ABOVE_LAST, _ABOVE_OUTER)
                if anchor == _NOWHERE:
                    anchor = before[-1] if before else after[0]
                    above = above == bool(before)  # The first one of an ascending order is below the next.
                under, over = _beside(others, anchor, above)
            moves[n] = _between(under, over, sorted(set(found)))
        return moved(items, moves) if moves else items

    def tweak(self, listing: Listing) -> tuple[Leaf, Leaf] | None:
        """Return a value and another to take its place: rather one of those that may be anything."""
        if not listing.values:
            return None
        leaf = listing.values[below(self._random, len(listing.values))]
        for _ in range(2 if self._random() < 0.5 else 0):
            other = listing.values[below(self._random, len(listing.values))]
            if self._looseness(other.site) > self._looseness(leaf.site):
                leaf = other
        self._looseness(leaf.site)
        self._tweaked = self._loose[leaf.site]
        return leaf, self._another(listing.values, leaf)

    def settle(self, root: Span) -> Script | None:
        """Return a script with an index for each position; None when there are more of them than options."""
        values: list[Leaf] = []
        values_in(root.items, values)
        script = Script(root)
        self.domains = _domains(values)
        if self._tweaked is None:
            self._loosen(values, script)
        for n in self.domains:
            how = _KEEP_ALL
            if self._tweaked is None:  # Beside one value nothing is changed: so it is known what came of it.
                treatment = self._treatments.get(n)
                if treatment is None:
                    treatment = self._treatments[n] = Rates(_TREATMENTS, _MEMORY)
                how = treatment.pick(self._random, _TREATMENTS)
                self._picked.append((treatment, how))
            if not self._settle_domain(values, n, how, script):
                return None
        return script

    def varied(self, root: Span) -> Script | None:
        """Return a valid episode with other values in the same order; None when there is no room."""
        values: list[Leaf] = []
        values_in(root.items, values)
        script = Script(root)
        self._loosen(values, script)
        for n in _domains(values):
            if not self._settle_domain(values, n, _RANK_ALL, script):
                return None
        return script

    def _settle_domain(self, values: list[Leaf], n: int, how: int, script: Script) -> bool:
        """Find indices for the positions of a domain; return whether there are enough."""
        if how == _FREE_ALL:
            script.moves[n] = {}
        elif n > LARGE:
            for leaf in values:
                if how == _RANK_ALL and leaf.n == n and leaf.index >= 0:
                    script.changes[id(leaf)] = self._nudged(leaf)
        elif how == _RANK_ALL or _unsettled(values, n):
            found = sorted(set(_positions(values, n, 0, len(values))))
            if len(found) > n:
                return False
            kept = _kept(found, n) if how == _KEEP_ALL else None
            if kept is None:
                kept = dict(zip(found, self.spread(len(found), n), strict=True))
            script.moves[n] = kept
        return True

    def spread(self, many: int, n: int) -> list[int]:
        """Return so many of n indices in ascending order: any, or neighbours."""
        if self._random() < 0.2:
            start = below(self._random, n - many + 1)
            return [start + rank for rank in range(many)]
        if 2 * many > n:
            left = many
            found: list[int] = []
            for index in range(n):
                roll = self._random()
                if roll * (n - index) < left:
                    found.append(index)
                    left -= 1
            return found
        chosen: set[int] = set()
        while len(chosen) < many:
            chosen.add(below(self._random, n))
        return sorted(chosen)

    def renamed(self, listing: Listing, heads: set[int]) -> tuple[Script, int] | None:
        """Return an episode with other indices, in the same order, at one of these points; and which one."""
        # A point may be asked with different numbers of options: each is renamed by itself.
        found: dict[tuple[int, int], list[Leaf]] = {}
        for number, place in listing.small:
            leaf = listing.spans[number].items[place]
            if leaf.head in heads and isinstance(leaf, Leaf):
                found.setdefault((leaf.head, leaf.n), []).append(leaf)
        if not found:
            return None
        leaves = found[list(found)[below(self._random, len(found))]]
        old = sorted({leaf.index for leaf in leaves})
        new = self.spread(len(old), leaves[0].n)
        if new == old:
            return None
        names = dict(zip(old, new, strict=True))
        script = Script(listing.spans[0])
        for leaf in leaves:
            script.changes[id(leaf)] = Leaf(leaf.head, leaf.n, names[leaf.index], value=False)
        return script, leaf.head

    def _anchor(self, head: int, place: int) -> int:
        """Pick where values go that replace none."""
        key = (head, min(place, _PLACES))
        rates = self._anchors.get(key)
        if rates is None:
            rates = self._anchors[key] = Rates(_ANCHORS, _MEMORY)
            rates.like(self._anywhere)
        how = rates.pick(self._random, _ANCHORS)
        self._picked.append((rates, how))
        self._picked.append((self._anywhere, how))
        return how

    def _looseness(self, site: int) -> float:
        rates = self._loose.get(site)
        if rates is None:
            rates = self._loose[site] = Rates(1, _MEMORY)
        return rates.means[0]

    def _another(self, values: list[Leaf], leaf: Leaf) -> Leaf:
        """Return a value for the same place: any, a near one, equal to one that is there, or next to it."""
        roll = self._random()
        same = [] if leaf.n > LARGE else _positions(values, leaf.n, 0, len(values))
        if roll < 0.15 or (roll < 0.3 and leaf.index < 0):
            return like(leaf, below(self._random, leaf.n))
        if roll < 0.3 or not same:
            return self._nudged(leaf)
        new = like(leaf, -1)
        at = same[below(self._random, len(same))]
        new.at = at if roll < 0.8 else at + 0.5 if roll < 0.9 else at - 0.5
        return new

    def _nudged(self, leaf: Leaf) -> Leaf:
        """Return a value near another: as often one step away as half of all options."""
        n = leaf.n
        distance = 1 + below(self._random, 1 << int(self._random() * n.bit_length()))
        index = leaf.index + (distance if self._random() < 0.5 else -distance)
        return like(leaf, index if 0 <= index < n else below(self._random, n))

    def _loosen(self, values: list[Leaf], script: Script) -> None:
        """Change values that may be anything, half of the time."""
        for place in range(len(values)):
            leaf = values[place]
            rates = self._loose.get(leaf.site)
            if rates is not None and rates.means[0] > _LOOSE and self._random() < 0.5:
                values[place] = script.changes[id(leaf)] = self._another(values, leaf)


def _domains(values: list[Leaf]) -> list[int]:
    """Return how many options the values had, each once."""
    found: list[int] = []
    for leaf in values:
        if leaf.n not in found:
            found.append(leaf.n)
    return found


def _positions(values: list[Leaf], n: int, first: int, last: int) -> list[float]:
    """Return the positions of the values of one domain."""
    found: list[float] = []
    for place in range(first, last):
        leaf = values[place]
        if leaf.at != _NOWHERE and leaf.n == n:
            found.append(leaf.at)
    return found


def _unsettled(values: list[Leaf], n: int) -> bool:
    """Whether a value of the domain has a position and no index."""
    found = False
    for leaf in values:
        found = found or (leaf.index < 0 and leaf.at != _NOWHERE and leaf.n == n)
    return found


def _kept(found: list[float], n: int) -> dict[float, int] | None:
    """Map positions to indices so that those which are indices stay; None when there is no room."""
    made: dict[float, int] = {}
    last = -1
    waiting: list[float] = []
    for at in [*found, float(n)]:
        if at == int(at) and at > last:
            if int(at) - last - 1 < len(waiting):
                return None
            for rank in range(len(waiting)):
                made[waiting[rank]] = last + 1 + (int(at) - last - 1) * (rank + 1) // (len(waiting) + 1)
            waiting = []
            last = int(at)
            made[at] = last
        else:
            waiting.append(at)
    return None if waiting or last != n else made


def _gap(others: list[float], low: float, high: float) -> tuple[float, float]:
    """Return the positions around a range."""
    under, over = -_NOWHERE, _NOWHERE
    for other in others:
        if under < other < low:
            under = other
        elif high < other < over:
            over = other
    return (low - 1.0 if under == -_NOWHERE else under), (high + 1.0 if over == _NOWHERE else over)


def _beside(others: list[float], anchor: float, above: bool) -> tuple[float, float]:  # noqa: FBT001 - compiled
    """Return the anchor and the position next to it."""
    under, over = _gap(others, anchor, anchor)
    return (anchor, over) if above else (under, anchor)


def _between(under: float, over: float, found: list[float]) -> dict[float, float]:
    """Map positions to others between two, in the same order."""
    step = (over - under) / (len(found) + 1)
    made: dict[float, float] = {}
    for rank in range(len(found)):
        made[found[rank]] = under + step * (rank + 1)
    return made


def _around(listing: Listing, number: int, place: int, n: int) -> float:
    """Return the position of the latest value before a place, in its span or in those around it."""
    while number >= 0:
        span = listing.spans[number]
        items = span.items
        at = min(place, len(items)) - 1
        while at >= 0:
            item = items[at]
            at -= 1
            if isinstance(item, Leaf):
                leaf = item
                if leaf.at != _NOWHERE and leaf.n == n:
                    return leaf.at
        place = listing.place[number]
        number = listing.outer[number]
    return _NOWHERE
