"""Kin: spans that took each other's place in a valid input, and may do so elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Span

_KEYS = 20_000
_EACH = 8


class Kin:
    """For each structure of a span, some spans that may stand in its place."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._of: dict[int, list[Span]] = {}

    def link(self, one: Span, other: Span) -> None:
        """Say that one took the place of the other."""
        if one.fine != other.fine:
            self._add(one.fine, other)
            self._add(other.fine, one)

    def of(self, fine: int) -> Span | None:
        """A span that may stand where one of this structure is."""
        found = self._of.get(fine)
        if not found:
            return None
        span = found[below(self._random, len(found))]
        while self._random() < 0.5:
            further = self._of.get(span.fine)
            if not further:
                break
            nxt = further[below(self._random, len(further))]
            if nxt.fine == fine:
                break
            span = nxt
        return span

    def _add(self, fine: int, span: Span) -> None:
        found = self._of.get(fine)
        if found is None:
            if len(self._of) >= _KEYS:
                del self._of[next(iter(self._of))]
            found = self._of[fine] = []
        for place, known in enumerate(found):
            if known.fine == span.fine:
                found[place] = span
                return
        if len(found) < _EACH:
            found.append(span)
        else:
            found[below(self._random, _EACH)] = span
