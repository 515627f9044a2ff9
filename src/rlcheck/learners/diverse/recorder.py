"""The recorder: builds the tree of the running episode, and follows a script while it does."""

from __future__ import annotations

from rlcheck.learners.diverse.donors import Donors
from rlcheck.learners.diverse.relations import Relations
from rlcheck.learners.diverse.script import Script
from rlcheck.learners.diverse.tree import Item, Leaf, Span, digest, mix
from rlcheck.learners.diverse.values import Values
from rlcheck.states import OpenSpan

#: A changed input asks for other things than the script does: look this far ahead for the way back.
_AHEAD = 4

#: How often a span that the script says nothing about is one of another episode: in what is drawn at random,
#: and in what the model makes.
_BY_CHANCE = 0.8
_BY_MODEL = 0.5


class Level:
    """An open span of the running episode, and how far its part of the script was followed."""

    __slots__ = ("chance", "items", "opened", "place", "site", "span")

    def __init__(self, span: Span) -> None:
        self.opened: OpenSpan | None = None
        self.span = span
        #: What the script does here; None where it says nothing.
        self.items: list[Item] | None = None
        self.place = 0
        #: The heads of the span and of the one around it.
        self.site = 0
        #: Whether its choices are drawn at random.
        self.chance = False


class Recorder:
    """Follows the spans of the generator from choice to choice."""

    def __init__(self, values: Values, donors: Donors, relations: Relations) -> None:
        #: Whether the generator asked for something that the script does not have.
        self.strayed = False
        #: Whether the script could not be followed because that would repeat an episode.
        self.diverted = False
        #: What became of the span that was edited.
        self.landed: Span | None = None
        self._values = values
        self._donors = donors
        #: What episodes are held to.
        self.relations = relations
        self._grafting = False
        # Whether the span that begins is drawn at random, and whether all of them are.
        self._chance = False
        self._all_chance = False
        self._script: Script | None = None
        # The leaf of the script that was found for the choice that is being made.
        self._found: Leaf | None = None
        self._root = Span(0, [])
        # The open spans: so many of the levels, which are used again, and the innermost.
        self._top = Level(self._root)
        self._levels = [self._top]
        self._depth = 1
        #: The spans of the episode in the order in which they began.
        self.spans = [self._root]
        # The span of each choice.
        self._log: list[Span] = []

    def begin(self, script: Script | None) -> None:
        """Start an episode that follows a script, or none."""
        self._root = Span(0, [])
        self._depth = 0
        self._enter(None, self._root, None if script is None or script.root.open else script.root.items)
        self._all_chance = script is not None and script.chance
        self._top.chance = script is not None and (script.chance or script.root.chance)
        self.relations.begin(self._root)
        self._script = script
        self._found = None
        self.spans = [self._root]
        self._log = []
        self._grafting = script is not None
        self.strayed = self.diverted = False
        self.landed = None

    def give(self) -> None:
        """Offer the spans of the episode to others."""
        self._donors.keep(self.spans)

    def move(self, opened: OpenSpan) -> None:
        """Close and open spans, so that this one is the innermost."""
        top = self._top
        if top.opened is opened:
            return
        levels = self._levels
        outermost = levels[0]
        if outermost.opened is None:
            node = opened
            while node.outer is not None:
                node = node.outer
            outermost.opened = node
        new: list[OpenSpan] = []
        at: OpenSpan | None = opened
        while at is not None:
            depth = at.depth
            if depth < self._depth:
                level = levels[depth]
                if level.opened is at:
                    break
            new.append(at)
            at = at.outer
        if at is None:
            return  # A state from elsewhere: there is nothing to go by.
        while self._depth > at.depth + 1:
            self._close()
        while new:
            self._open(new.pop())

    @property
    def chance(self) -> bool:
        """Whether the choice that comes next is drawn at random."""
        return self._top.chance

    def wanted(self, head: int, n: int) -> int:
        """Return what the script takes here, or -1."""
        self._found = None
        top = self._top
        items = top.items
        if items is None and self._grafting and not top.span.items and self.landed is not top.span:
            graft = self._donors.graft(head, _BY_CHANCE if top.chance else _BY_MODEL)
            if graft is not None:
                items = top.items = graft.items
        if items is None:
            return -1
        place = top.place
        end = min(place + _AHEAD, len(items))
        while place < end:
            item = items[place]
            place += 1
            if item.head == head and isinstance(item, Leaf):
                leaf = item
                top.place = place
                index = self._script.index_of(leaf)  # type: ignore[union-attr]
                if index == leaf.index and leaf.n == n:
                    self._found = leaf
                return index if index < n else -1
        if not self._values.is_value(head, n):
            self.strayed = True
        return -1

    def add(self, head: int, n: int, index: int) -> None:
        """Record a choice."""
        span = self._top.span
        found = self._found
        site = mix(self._top.site, head) >> 1
        if found is not None and found.index == index and found.site == site:
            span.items.append(found)
        else:
            leaf = Leaf(head, n, index, self._values.is_value(head, n))
            leaf.site = site
            span.items.append(leaf)
        self._found = None
        self._log.append(span)

    def cut(self, since: int) -> None:
        """Forget the choices from number `since` on."""
        while len(self._log) > since:
            span = self._log.pop()
            while span.items:
                if isinstance(span.items.pop(), Leaf):
                    break

    def finish(self) -> Span:
        """Close everything, and return the tree."""
        while self._depth > 1:
            self._close()
        digest(self._root)
        return self._root

    def _open(self, opened: OpenSpan) -> None:
        head = ~opened.label
        span = Span(head, [])
        outer = self._top
        outer.span.items.append(span)
        self.spans.append(span)
        self.relations.enter(span, len(outer.span.items) - 1)
        inner: list[Item] | None = None
        self._chance = outer.chance
        if outer.items is not None:
            inner = self._script_of(outer, head, span)
        if inner is None and self._grafting and self.landed is not span:
            graft = self._donors.graft_whole(head, _BY_CHANCE if self._chance else _BY_MODEL)
            if graft is not None:
                inner = graft.items
        self._enter(opened, span, inner)
        self._top.chance = self._chance

    def _enter(self, opened: OpenSpan | None, span: Span, items: list[Item] | None) -> None:
        if self._depth == len(self._levels):
            self._levels.append(Level(span))
        top = self._levels[self._depth]
        self._depth += 1
        top.opened = opened
        top.span = span
        top.items = items
        top.place = 0
        top.site = mix(self._top.span.head, span.head) if self._depth > 1 else 0
        self._top = top

    def _script_of(self, outer: Level, head: int, span: Span) -> list[Item] | None:
        """Return what the script does in the span that begins, or None."""
        items = outer.items
        assert items is not None
        for place in range(outer.place, len(items)):
            item = items[place]
            if item.head == head and isinstance(item, Span):
                inner = item
                outer.place = place + 1
                if inner.mark:
                    self.landed = span
                self._chance = inner.chance or self._all_chance
                return None if inner.open else inner.items
        self.strayed = True
        return None

    def _close(self) -> None:
        digest(self._top.span)
        self.relations.leave()
        self._depth -= 1
        self._top = self._levels[self._depth - 1]
