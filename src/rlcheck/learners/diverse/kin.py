"""Kin: spans and runs that took each other's place in a valid input, and may do so elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Item, Span, digest, mix

#: For how many structures kin are kept, how many each, and how large they may be.
_MOST = 4_000
_EACH = 6
_LEAVES = 200

#: How often the kin of kin is taken.
_FURTHER = 0.5


class Kin:
    """For each structure of a span, a few spans that may stand in its place."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._of: dict[int, list[Span]] = {}

    def link(self, one: Span, other: Span) -> None:
        """Note that one took the place of the other."""
        if one.fine != other.fine and one.leaves <= _LEAVES and other.leaves <= _LEAVES:
            self._add(one.fine, other)
            self._add(other.fine, one)

    def forget(self) -> None:
        """Forget all of them."""
        self._of.clear()

    def of(self, fine: int) -> Span | None:
        """Return a span that may stand where one of this structure is, or None."""
        found = self._of.get(fine)
        if found is None:
            return None
        span = found[below(self._random, len(found))]
        while self._random() < _FURTHER:
            found = self._of.get(span.fine)
            if found is None:
                break
            other = found[below(self._random, len(found))]
            if other.fine == fine:
                break
            span = other
        return span

    def _add(self, fine: int, span: Span) -> None:
        found = self._of.get(fine)
        if found is None:
            if len(self._of) >= _MOST:
                self._of.clear()
            found = self._of[fine] = []
        for place in range(len(found)):
            known = found[place]
            if known.fine == span.fine:
                found[place] = span
                return
        if len(found) < _EACH:
            found.append(span)
        else:
            found[below(self._random, _EACH)] = span


def run_of(head: int, items: list[Item]) -> Span:
    """Return a run of items as a span of its own, so that it may have kin; an empty one has its head."""
    run = Span(head, items)
    digest(run)
    run.fine = mix(run.fine, head)
    return run
