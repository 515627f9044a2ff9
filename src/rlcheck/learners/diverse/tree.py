"""The tree of an episode: its spans, and the choices that each of them made itself.

span (red_black)                 head = ~label of the call
  leaf  "is there a node?" 1/2   head = number of the choice point
  leaf  "colour"           0/2
  span (left)  ...
  leaf  "key"            17/31   a value: no part of the structure
  span (right) ...
"""

from __future__ import annotations

import math

from rlcheck import _gc
from rlcheck.learners.diverse.values import Values

#: Values are moved as positions, which are floats. These cannot tell larger numbers apart.
LARGE = 1 << 48

_MASK = 0xFFFFFFFFFFFFFFFF
_FACTOR = 0x9E3779B97F4A7C15
_ADDEND = 0x632BE59BD9B4E019
_NOWHERE = math.inf


class Item:
    """A choice or a span; `head` says what was asked."""

    __slots__ = ("head",)
    head: int


class Leaf(Item):
    """A choice: the index taken of `n` options, -1 in a script that leaves it to the model.

    In a script under edit, `at` is the position of a value among the others; without one it is infinite.
    """

    __slots__ = ("at", "index", "n", "site", "value")

    def __init__(self, head: int, n: int, index: int, value: bool) -> None:  # noqa: FBT001 - compiled
        self.head = head
        #: Where it was asked: the head, and of a value the spans around it too.
        self.site = head
        self.n = n
        self.index = index
        #: Whether it is a value, and no part of the structure.
        self.value = value
        self.at: float = index if value and index >= 0 and n <= LARGE else _NOWHERE
        _gc.untrack(self)


class Span(Item):
    """A call of a generator function, with what happened in it.

    `path` is a hash of what was asked, `fine` is one of that with the answers that are structure.
    """

    __slots__ = ("chance", "fine", "items", "leaves", "mark", "open", "path", "small")

    def __init__(self, head: int, items: list[Item]) -> None:
        self.head = head
        self.items = items
        self.path = 0
        self.fine = 0
        #: How many choices there are in it and in the spans inside.
        self.leaves = 0
        #: How many of them are structure.
        self.small = 0
        #: In a script: what happens in this span is left to the model.
        self.open = False
        #: And drawn at random instead.
        self.chance = False
        #: In a script: this is the span that was edited.
        self.mark = False
        # Trees have no cycles, and there are many of them.
        _gc.untrack(self)
        _gc.untrack(items)

    def like(self, other: Span) -> None:
        """Take over what is known of a span that differs in values alone."""
        self.path, self.fine = other.path, other.fine
        self.leaves, self.small, self.mark = other.leaves, other.small, other.mark


def mix(seed: int, value: int) -> int:
    """Hash two numbers."""
    return ((seed ^ (value & _MASK)) * _FACTOR + (seed >> 29) + _ADDEND) & _MASK


def digest(span: Span) -> None:
    """Compute the hashes of a span from those of the spans in it."""
    path = fine = 1
    leaves = small = 0
    for item in span.items:
        if isinstance(item, Leaf):
            leaf = item
            leaves += 1
            if leaf.value:
                continue  # Nor does it count whether a value took one choice or two.
            small += 1
            path = mix(path, leaf.head)
            fine = mix(mix(fine, leaf.head), leaf.index)
        elif isinstance(item, Span):
            inner = item
            leaves += inner.leaves
            small += inner.small
            path = mix(mix(path, inner.head), inner.path)
            fine = mix(mix(fine, inner.head), inner.fine)
    span.path = path
    span.fine = fine
    span.leaves = leaves
    span.small = small


def revalue(span: Span, values: Values) -> None:
    """Mark values anew, and compute the hashes from scratch."""
    items = span.items
    for place in range(len(items)):
        item = items[place]
        if isinstance(item, Leaf):
            leaf = item
            items[place] = Leaf(leaf.head, leaf.n, leaf.index, values.is_value(leaf.head, leaf.n))
        elif isinstance(item, Span):
            revalue(item, values)
    digest(span)


def values_in(items: list[Item], found: list[Leaf]) -> None:
    """Collect the values of some items, in order."""
    for item in items:
        if isinstance(item, Leaf):
            leaf = item
            if leaf.value:
                found.append(leaf)
        elif isinstance(item, Span):
            inner = item
            if not inner.open:
                values_in(inner.items, found)


def span_at(items: list[Item], place: int) -> Span:
    """Return the item at a place, which is a span."""
    item = items[place]
    assert isinstance(item, Span)
    return item


def leaf_at(span: Span, place: int) -> Leaf:
    """Return the item at a place, which is a choice."""
    item = span.items[place]
    assert isinstance(item, Leaf)
    return item


def item_head(items: list[Item], place: int) -> int:
    """Return what the item at a place asks."""
    item = items[place]
    return item.head


def first_head(span: Span) -> int:
    """Return what a span asks first."""
    if not span.items:
        return 0
    item = span.items[0]
    return item.head


class Listing:
    """The spans of a tree in the order in which they began, with their small choices and their values."""

    def __init__(self, root: Span) -> None:
        self.spans: list[Span] = []
        #: Of each span: the number of the one around it, the place in that, the number after the last inside.
        self.outer: list[int] = []
        self.place: list[int] = []
        self.end: list[int] = []
        #: Whether it is a part of something, not all that there is in the span around it, and has structure.
        self.inner: list[bool] = []
        #: How many values come before it.
        self.before: list[int] = []
        self.values: list[Leaf] = []
        #: The small choices: the number of the span of each, and the place in it.
        self.small: list[tuple[int, int]] = []
        self._walk(root, -1, 0, False)  # noqa: FBT003 - compiled
        # Thousands are kept, and have no cycles either.
        for part in (self.spans, self.outer, self.place, self.end, self.inner, self.before, self.values):
            _gc.untrack(part)
        _gc.untrack(self.small)
        _gc.untrack(self)

    def put(self, number: int, new: Span) -> Span:
        """Return the tree with another span in place of this one."""
        while number > 0:
            outer = self.outer[number]
            old = self.spans[outer]
            items = old.items[:]
            items[self.place[number]] = new
            new = Span(old.head, items)
            digest(new)
            number = outer
        return new

    def number_of(self, span: Span) -> int:
        """Return the number of a span; 0 when it is not in the tree."""
        for number in range(len(self.spans)):
            if self.spans[number] is span:
                return number
        return 0

    def inside(self, outer: int, place: int) -> int:
        """Return the number of the span at a place in another one."""
        number = outer + 1
        while self.place[number] != place or self.outer[number] != outer:
            number = self.end[number]
        return number

    def values_before(self, number: int, place: int) -> int:
        """Count the values of the tree before an item of a span."""
        found: list[Leaf] = []
        span = self.spans[number]
        values_in(span.items[:place], found)
        return self.before[number] + len(found)

    def _walk(self, span: Span, outer: int, at: int, inner: bool) -> None:  # noqa: FBT001 - compiled
        number = len(self.spans)
        self.spans.append(span)
        self.outer.append(outer)
        self.place.append(at)
        self.end.append(0)
        self.inner.append(inner)
        self.before.append(len(self.values))
        if not span.open:
            items = span.items
            many = len(items) > 1
            for each in range(len(items)):
                item = items[each]
                if isinstance(item, Span):
                    kid = item
                    self._walk(kid, number, each, many and kid.small > 0)
                elif isinstance(item, Leaf):
                    leaf = item
                    if leaf.value:
                        self.values.append(leaf)
                    elif leaf.n > 1:
                        self.small.append((number, each))
        self.end[number] = len(self.spans)
