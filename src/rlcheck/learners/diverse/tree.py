"""The tree of an episode: its spans, and the choices that each of them made itself."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.states import OpenSpan

#: Choices among at most this many options say what an input is like; those among more are values in it.
FEW = 12

#: A changed input asks for other things than the one it follows: look this far ahead for the way back.
_AHEAD = 4

_MASK = 0xFFFFFFFFFFFFFFFF


class Item:
    """A choice or a span. `head` says what was asked: the number of the point, or ~label."""

    __slots__ = ("head",)

    def __init__(self, head: int) -> None:
        self.head = head


class Leaf(Item):
    """A choice: the index taken of n options; below 0 in a script that leaves it open."""

    __slots__ = ("index", "n", "value")

    def __init__(self, head: int, n: int, index: float, value: bool) -> None:  # noqa: FBT001 - compiled
        self.head = head
        self.n = n
        self.index = index
        #: Whether it is a value, and no part of the structure.
        self.value = value


class Span(Item):
    """A call of a generator function, with what happened in it.

    `path` is a hash of what was asked, `fine` of that with the answers that are not values.
    """

    __slots__ = ("fine", "items", "leaves", "mark", "open", "path")

    def __init__(self, head: int, items: list[Item]) -> None:
        self.head = head
        self.items = items
        self.path = 0
        self.fine = 0
        self.leaves = 0
        #: In a script: what happens in this span is left to the model.
        self.open = False
        #: In a script: this is the span that was edited.
        self.mark = False


def mix(seed: int, value: int) -> int:
    """A hash of two numbers."""
    return ((seed ^ (value & _MASK)) * 0x9E3779B97F4A7C15 + (seed >> 29) + 0x632BE59BD9B4E019) & _MASK


class Cursor:
    """How far a span of the script was followed."""

    __slots__ = ("items", "place")

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.place = 0


class Grafts:
    """Spans of valid episodes by where they were called from: what may grow where a script says nothing."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._by_head: dict[int, list[Span]] = {}

    def of(self, head: int) -> Span | None:
        """A span to follow, half of the time."""
        known = self._by_head.get(head)
        roll = self._random()
        if known is None or roll < 0.5:
            return None
        return known[int((roll - 0.5) * 2.0 * len(known))]

    def keep(self, root: Span) -> None:
        """Keep one of the spans of an episode."""
        listing = Listing(root)
        span = listing.spans[int(self._random() * len(listing.spans))]
        known = self._by_head.get(span.head)
        if known is None:
            known = self._by_head[span.head] = []
        if len(known) < 64:
            known.append(span)
        else:
            known[int(self._random() * 64)] = span


class Recorder:
    """Builds the tree of the running episode, and follows a script while it does."""

    def __init__(self, values: set[int]) -> None:
        #: Points with few options whose choices are values all the same.
        self.values = values
        self.grafts: Grafts | None = None
        self.strayed = False
        self.landed: Span | None = None
        self.begin(None)

    def begin(self, script: Span | None) -> None:
        """Start an episode that follows a script, or none."""
        self.root = Span(0, [])
        self._opened: list[OpenSpan | None] = [None]
        self._spans = [self.root]
        self._cursors: list[Cursor | None] = [None if script is None or script.open else Cursor(script.items)]
        self._log: list[Span] = []
        self.strayed = False
        self.landed = None

    def move(self, opened: OpenSpan) -> None:
        """Close and open spans, so that this one is the innermost."""
        if opened is self._opened[-1]:
            return
        stack = self._opened
        if stack[0] is None:
            node: OpenSpan | None = opened
            while node is not None and node.outer is not None:
                node = node.outer
            stack[0] = node
        new: list[OpenSpan] = []
        node = opened
        while node is not None and not (node.depth < len(stack) and stack[node.depth] is node):
            new.append(node)
            node = node.outer
        depth = -1 if node is None else node.depth
        if depth < 0:
            return  # Of another episode.
        while len(stack) > depth + 1:
            self._close()
        while new:
            self._open(new.pop())

    def wanted(self, head: int, n: int) -> int:
        """What the script takes here, or -1."""
        cursor = self._cursors[-1]
        if cursor is None:
            return -1
        items = cursor.items
        for place in range(cursor.place, min(cursor.place + _AHEAD, len(items))):
            item = items[place]
            if isinstance(item, Leaf) and item.head == head:
                cursor.place = place + 1
                index = item.index
                if index < n:
                    return int(index)
                return -1
        self.strayed = True
        return -1

    def add(self, head: int, n: int, index: int) -> None:
        """Record a choice."""
        span = self._spans[-1]
        span.items.append(Leaf(head, n, index, n > FEW or head in self.values))
        span.leaves += 1
        self._log.append(span)

    def cut(self, since: int) -> None:
        """Forget the choices from number `since` on."""
        while len(self._log) > since:
            span = self._log.pop()
            while span.items:
                item = span.items.pop()
                if isinstance(item, Leaf):
                    break

    def elder(self, back: int) -> int:
        """The structure of the finished sibling of the span that is so many outside of this one; 0 for none."""
        if back >= len(self._spans):
            return 0
        span = self._spans[-1 - back]
        place = len(span.items) - (2 if back else 1)
        while place >= 0:
            item = span.items[place]
            if isinstance(item, Span):
                return item.fine or 1
            place -= 1
        return 0

    def finish(self) -> Span:
        """Close everything; the tree."""
        while len(self._spans) > 1:
            self._close()
        digest(self.root)
        return self.root

    def _open(self, opened: OpenSpan) -> None:
        head = ~opened.label
        span = Span(head, [])
        self._spans[-1].items.append(span)
        outer = self._cursors[-1]
        inner: Cursor | None = None
        if outer is not None:
            items = outer.items
            for place in range(outer.place, len(items)):
                item = items[place]
                if item.head == head and isinstance(item, Span):
                    outer.place = place + 1
                    if not item.open:
                        inner = Cursor(item.items)
                    if item.mark:
                        self.landed = span
                    break
            else:
                self.strayed = True
        if inner is None and self.grafts is not None and self.landed is not span:
            graft = self.grafts.of(head)
            if graft is not None:
                inner = Cursor(graft.items)
        self._opened.append(opened)
        self._spans.append(span)
        self._cursors.append(inner)

    def _close(self) -> None:
        self._opened.pop()
        self._cursors.pop()
        digest(self._spans.pop())


def digest(span: Span) -> None:
    """Compute the hashes of a span from those of the spans in it."""
    path = fine = 1
    leaves = 0
    for item in span.items:
        path = mix(path, item.head)
        fine = mix(fine, item.head)
        if isinstance(item, Leaf):
            leaves += 1
            if not item.value:
                fine = mix(fine, int(item.index))
        elif isinstance(item, Span):
            leaves += item.leaves
            path = mix(path, item.path)
            fine = mix(fine, item.fine)
    span.path, span.fine, span.leaves = path, fine, leaves


def revalue(span: Span, values: set[int]) -> None:
    """Mark values anew, and compute the hashes from scratch."""
    for item in span.items:
        if isinstance(item, Leaf):
            item.value = item.n > FEW or item.head in values
        elif isinstance(item, Span):
            revalue(item, values)
    digest(span)


class Listing:
    """The spans of a tree in the order in which they began, their small choices, and their values."""

    def __init__(self, root: Span) -> None:
        self.spans: list[Span] = []
        #: The number of the span around each, the place in it, the number after the last span inside.
        self.outer: list[int] = []
        self.place: list[int] = []
        self.end: list[int] = []
        #: Values in order; those of a span are from first to last.
        self.values: list[Leaf] = []
        self.first: list[int] = []
        self.last: list[int] = []
        #: Small choices: the number of their span and the place in it.
        self.small: list[tuple[int, int]] = []
        #: Whether each is part of something: not the only thing in the span around it.
        self.inner: list[bool] = []
        self._walk(root, -1, 0, False)

    def _walk(self, span: Span, outer: int, at: int, inner: bool) -> None:  # noqa: FBT001 - compiled
        self.inner.append(inner)
        number = len(self.spans)
        self.spans.append(span)
        self.outer.append(outer)
        self.place.append(at)
        self.end.append(0)
        self.first.append(len(self.values))
        self.last.append(0)
        if not span.open:
            for place, item in enumerate(span.items):
                if isinstance(item, Span):
                    self._walk(item, number, place, len(span.items) > 1)
                elif isinstance(item, Leaf):
                    if item.value:
                        self.values.append(item)
                    elif item.n > 1:
                        self.small.append((number, place))
        self.end[number] = len(self.spans)
        self.last[number] = len(self.values)

    def put(self, number: int, new: Span) -> tuple[Span, Span]:
        """The tree with another span in place of this one, and the span around that."""
        near = new
        first = True
        while number > 0:
            outer = self.outer[number]
            old = self.spans[outer]
            items = old.items[:]
            items[self.place[number]] = new
            new = Span(old.head, items)
            if first:
                near = new
                first = False
            number = outer
        return new, near
