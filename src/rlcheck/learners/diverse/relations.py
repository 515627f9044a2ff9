"""Relations: what was always so between two choices of a valid input.

A key is below the one above it; as many children follow as a number says; a rank is one less than that of the
span around. For each choice of a valid episode, the choices before it are looked at that are near: in its own
span and in the spans around it, and of the spans that ended there. Where the first was always less than,
equal to, or different from the second, or always as far from it, a later episode may be held to that.

Two choices are a pair by their points, how far up the common span is, which branch of it the later one is in,
and the place of the earlier one in it.
"""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.tree import LARGE, Item, Leaf, Span, mix

#: How many spans around a choice are looked at, and how many items of each: the first and the last ones.
_REACH = 7
_FIRST = 4
_LAST = 3

#: How many choices are looked at of a span that has ended.
_INSIDE = 4

#: Loops are told apart by how often they went round up to here.
_ROUNDS = 3

#: How many pairs are kept.
_MOST = 50_000

#: How many of the latest episodes say whether to respect relations.
_MEMORY = 100

#: An order is believed after so many pairs, times how much larger one number of options is than the other; an
#: inequality after so many times the options; a distance after so many.
_ORDER = 20
_UNEQUAL = 5
_DISTANCE = 8

#: How often an option near a bound is taken.
_NEAR = 0.7

#: Which of less, equal and greater were seen.
_LESS, _EQUAL, _GREATER = 1, 2, 4
_ALL = 7


class Relation:
    """What was seen of the pairs of one kind."""

    __slots__ = (
        "before",
        "count",
        "earlier",
        "gap",
        "known",
        "last",
        "later",
        "need",
        "seen",
        "steady",
        "varied",
    )

    def __init__(self, later: int, earlier: int, need: int) -> None:
        self.later = later
        self.earlier = earlier
        #: After how many pairs an order is believed.
        self.need = need
        self.count = 0
        # The latest pair.
        self.last = self.before = -1
        self.seen = 0
        #: Whether the two were always as far from each other, and how far.
        self.gap = later - earlier
        self.steady = True
        #: Whether each of them was different from the first one seen: a constant is related to nothing.
        self.varied = 0
        #: Whether anything is believed.
        self.known = False

    def see(self, later: int, earlier: int) -> None:
        """Note a pair."""
        if later == self.last and earlier == self.before:
            return  # Edits of one input are no new evidence.
        self.last, self.before = later, earlier
        self.count += 1
        if later - earlier != self.gap:
            self.steady = False
        if later != self.later:
            self.varied |= 1
        if earlier != self.earlier:
            self.varied |= 2
        side = _LESS if later < earlier else _EQUAL if later == earlier else _GREATER
        if not self.seen & side:
            self.seen |= side
            if self.seen == _LESS | _GREATER:
                self.need *= _UNEQUAL
        self.known = self.varied == 3 and (
            (self.steady and self.count >= _DISTANCE) or (self.seen != _ALL and self.count >= self.need)
        )


class Relations:
    """Learns relations from valid episodes, and narrows a choice down to the options that respect them."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._known: dict[int, Relation] = {}
        # The points whose choices are in a relation that was believed.
        self._points: set[int] = set()
        #: Whether the episode is held to what is known, and whether an option was refused because of it.
        self.held = False
        self.bent = False
        # What episodes are worth that are not held to it, and those that are.
        self._rates = Rates(2, _MEMORY)
        # The open spans, where each is in the one around it, and its round there.
        self._spans: list[Span] = []
        self._places: list[int] = []
        self._rounds: list[int] = []
        # The pairs of a choice: what they are, and the earlier one of each.
        self._pairs: list[int] = []
        self._others: list[Leaf] = []
        # What a choice was narrowed down to.
        self._low = self._high = 0
        self._out: list[int] = []

    def decide(self, may: bool) -> None:  # noqa: FBT001 - compiled
        """Decide whether the next episode is held to what is known, if it may."""
        self.bent = False
        self.held = may and self._rates.pick(self._random, 2) == 1

    def rate(self, worth: float) -> None:
        """Note what the episode was worth."""
        self._rates.learn(self.held, worth)

    def begin(self, root: Span) -> None:
        """Start an episode."""
        self._spans = [root]
        self._places = [0]
        self._rounds = [0]

    def enter(self, span: Span, place: int) -> None:
        """Open a span which is at this place of the innermost one."""
        outer = self._spans[-1]
        items = outer.items
        first = place
        head = span.head
        while first > 0 and place - first < _ROUNDS:
            item = items[first - 1]
            if item.head != head:
                break
            first -= 1
        self._spans.append(span)
        self._places.append(place)
        self._rounds.append(place - first)

    def leave(self) -> None:
        """Close the innermost span."""
        self._spans.pop()
        self._places.pop()
        self._rounds.pop()

    def learn(self, root: Span) -> None:
        """Learn from a valid episode."""
        self.begin(root)
        self._walk(root)

    def narrow(self, head: int, n: int) -> bool:
        """Find the options that respect what is known; return whether there are any, and fewer than n."""
        if not self.held or n > LARGE or head not in self._points:
            return False
        inner = self._spans[-1]
        self._gather(head, len(inner.items))
        low, high = 0, n - 1
        out = self._out
        out.clear()
        for number in range(len(self._pairs)):
            relation = self._known.get(self._pairs[number])
            if relation is None or not relation.known:
                continue
            other = self._others[number]
            index = other.index
            if relation.steady:
                low, high = max(low, index + relation.gap), min(high, index + relation.gap)
            elif not relation.seen & _GREATER:
                high = min(high, index if relation.seen & _EQUAL else index - 1)
            elif not relation.seen & _LESS:
                low = max(low, index if relation.seen & _EQUAL else index + 1)
            else:
                out.append(index)
        self._low, self._high = low, high
        return low <= high and (low > 0 or high < n - 1 or len(out) > 0)

    def respects(self, index: int) -> bool:
        """Whether an option is one of those; take note if not."""
        self.bent = self.bent or not self.fits(index)
        return self.fits(index)

    def fits(self, index: int) -> bool:
        """Whether an option is one of those."""
        return self._low <= index <= self._high and index not in self._out

    def any(self, dead: set[int]) -> int:
        """Return any of them that is not exhausted; -1 when none is found.

        Often it is near the bound, so that there is room for those that come after.
        """
        many = self._high - self._low + 1
        for _ in range(8):
            roll = self._random()
            far = int(roll * roll * roll * many) if self._random() < _NEAR else below(self._random, many)
            index = self._low + far if self._low else self._high - far
            if index not in dead and index not in self._out:
                return index
        return -1

    def others(self, n: int, dead: set[int]) -> set[int]:
        """Return the options of a choice that are not among them, or exhausted."""
        found = set(dead)
        for index in range(n):
            if not self.fits(index):
                found.add(index)
        return found

    def _walk(self, span: Span) -> None:
        items = span.items
        for place in range(len(items)):
            item = items[place]
            if isinstance(item, Leaf):
                leaf = item
                if leaf.n <= LARGE:
                    self._see(leaf, place)
            elif isinstance(item, Span):
                inner = item
                self.enter(inner, place)
                self._walk(inner)
                self.leave()

    def _see(self, leaf: Leaf, place: int) -> None:
        """Note the pairs of a choice."""
        self._gather(leaf.head, place)
        for number in range(len(self._pairs)):
            pair = self._pairs[number]
            other = self._others[number]
            relation = self._known.get(pair)
            if relation is None:
                if len(self._known) >= _MOST:
                    continue
                more, fewer = max(leaf.n, other.n), min(leaf.n, other.n)
                relation = self._known[pair] = Relation(leaf.index, other.index, _ORDER * more // fewer)
            relation.see(leaf.index, other.index)
            if relation.known:
                self._points.add(leaf.head)

    def _gather(self, head: int, end: int) -> None:
        """Collect the pairs of a choice that is made at this place of the innermost span."""
        self._pairs.clear()
        self._others.clear()
        top = len(self._spans) - 1
        branch = under = rounds = 0
        for up in range(min(_REACH, len(self._spans))):
            number = top - up
            span = self._spans[number]
            kind = mix(head, up)
            items = span.items
            for place in range(max(0, end - _LAST), end):
                self._add(items[place], mix(kind, end - place), branch, under)
            if up:
                for place in range(min(_FIRST, end - _LAST)):
                    self._add(items[place], mix(kind, -1 - place), branch, under)
            else:
                self._add_alike(items, head, end, mix(kind, 0))
            end = self._places[number]
            branch = mix(mix(rounds, span.head), self._rounds[number])
            under = rounds
            rounds = self._rounds[number]

    def _add_alike(self, items: list[Item], head: int, end: int, kind: int) -> None:
        """Pair a choice with all earlier ones at its point."""
        for place in range(max(0, end - 2 * _LAST), end):
            item = items[place]
            if item.head == head and isinstance(item, Leaf):
                self._pair(item, kind)

    def _add(self, item: Item, kind: int, branch: int, under: int) -> None:
        """Pair a choice with an earlier one, or with those of an earlier span.

        In that, they are told apart by how many come before, less the round in which the later choice is: a
        key before or after a child, whichever child it is.
        """
        kind = mix(kind, item.head)
        if isinstance(item, Leaf):
            self._pair(item, mix(kind, branch))
        elif isinstance(item, Span):
            span = item
            for place in range(min(_INSIDE, len(span.items))):
                inner = span.items[place]
                if isinstance(inner, Leaf):
                    self._pair(inner, mix(mix(kind, place - under), inner.head))

    def _pair(self, other: Leaf, kind: int) -> None:
        if other.n <= LARGE:
            self._pairs.append(kind)
            self._others.append(other)
