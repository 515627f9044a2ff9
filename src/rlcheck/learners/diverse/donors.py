"""Donors: spans of valid episodes, to put in the place of others and to grow where a script says nothing."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Span

#: How many spans are kept of one kind, and how many kinds are told apart.
_EACH = 64
_KINDS = 1_000

#: The more choices a span has, up to so many times 8, the more donors are looked at for it.
_MORE = 5

#: Larger spans are not kept.
_LEAVES = 500


class Donors:
    """A sample of spans by what they ask first, and one by where they are called from."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._by_first: dict[int, list[Span]] = {}
        self._by_head: dict[int, list[Span]] = {}

    def keep(self, spans: list[Span]) -> None:
        """Keep one of the spans of a valid episode: rather a large one, since most are small."""
        span = spans[below(self._random, len(spans))]
        for _ in range(2):
            other = spans[below(self._random, len(spans))]
            if self._random() < 0.5 and span.leaves < other.leaves <= _LEAVES:
                span = other
        if span.items and span.leaves <= _LEAVES:
            first = span.items[0]
            self._add(self._by_first, first.head, span)
            self._add(self._by_head, span.head, span)

    def like(self, old: Span) -> Span | None:
        """Return a span that asks the same first and is not like it; often the largest of some."""
        if not old.items:
            return None
        first = old.items[0]
        known = self._by_first.get(first.head)
        if known is None:
            return None
        found: Span | None = None
        # Most spans are small: a large one is not to become a small one each time.
        tries = (3 if self._random() < 0.5 else 1) + min(_MORE, old.leaves >> 3)
        for _ in range(tries):
            span = self._unlike(known, old)
            if found is None or span.leaves > found.leaves:
                found = span
        return found

    def graft(self, head: int, often: float) -> Span | None:
        """Return a span to follow in one that asks this first, so often."""
        return self._any(self._by_first.get(head), often)

    def graft_whole(self, head: int, often: float) -> Span | None:
        """Return a span to follow in one that is called from there, so often."""
        return self._any(self._by_head.get(head), often)

    def _any(self, known: list[Span] | None, often: float) -> Span | None:
        if known is None or self._random() >= often:
            return None
        return known[below(self._random, len(known))]

    def _unlike(self, known: list[Span], old: Span) -> Span:
        """Return one of these spans, if possible one of another structure."""
        span = known[below(self._random, len(known))]
        for _ in range(3):
            if span.fine != old.fine:
                break
            span = known[below(self._random, len(known))]
        return span

    def _add(self, kept: dict[int, list[Span]], key: int, span: Span) -> None:
        known = kept.get(key)
        if known is None:
            if len(kept) >= _KINDS:
                kept.clear()
            known = kept[key] = []
        if len(known) < _EACH:
            known.append(span)
        else:
            known[below(self._random, _EACH)] = span
