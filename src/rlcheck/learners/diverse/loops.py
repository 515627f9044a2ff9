"""Loops: which run of choices is replaced, and by what."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.donors import Donors
from rlcheck.learners.diverse.kin import Kin, run_of
from rlcheck.learners.diverse.runs import any_run, end_of_run, ends_of, is_loop, neighbours
from rlcheck.learners.diverse.tree import Item, Leaf, Listing, Span, first_head, item_head

#: How often a run is looked for, and in how many of these tries only the rounds of loops.
_TRIES = 10
_ROUNDS = 5

#: A run begins at one of this many places, and between so many kinds of neighbours it is known how often.
_OF = 6
_CONTEXTS = 10_000

#: How often a run is made of new rounds: of one choice each, or of more.
_NEW = 0.3
_NEW_LONG = 0.1

#: How often one more round is inserted, and at most how many: a key, a colon and a value come together.
_MORE = 0.3
_LONGEST = 6

#: How often kin of a run takes its place, and how often nothing does.
_KIN = 0.8
_NOTHING = 0.3


class Runs:
    """A run of a body, and another one to take its place."""

    def __init__(self, random: Callable[[], float], archive: Archive, donors: Donors, kin: Kin) -> None:
        self._random = random
        self._archive = archive
        self._donors = donors
        self._kin = kin
        #: The span, where the run begins and ends in it, and what takes its place.
        self.number = self.start = self.end = 0
        self.run: list[Item] = []
        # How often a run began between two neighbours.
        self._tried: dict[int, int] = {}

    def pick(self, listing: Listing) -> bool:
        """Pick a run of an episode; return whether there is one."""
        for tries in range(_TRIES):
            self.number = below(self._random, len(listing.spans))
            span = listing.spans[self.number]
            items = span.items
            if len(items) < (1 if listing.place[self.number] else 2):
                continue  # A single item is a round only where something before it may be the number of them.
            self.start = self._start(items)
            if tries < _ROUNDS and first_head(span) != item_head(items, self.start):
                continue
            self.end = end_of_run(items, self.start, self._random)
            run = self._other(listing, span)
            if run is not None:
                self.run = run
                return True
        return False

    def _start(self, items: list[Item]) -> int:
        """Return where a run begins: of some places, the one between whose neighbours fewest were put."""
        found, least, near = 0, -1, 0
        for _ in range(_OF):
            place = below(self._random, len(items))
            beside = neighbours(items, place)
            tried = self._tried.get(beside, 0)
            if least < 0 or tried < least:
                found, least, near = place, tried, beside
        if len(self._tried) >= _CONTEXTS:
            self._tried.clear()
        self._tried[near] = least + 1
        return found

    def _other(self, listing: Listing, around: Span) -> list[Item] | None:
        """Return what takes the place of the run: new rounds, kin of it, nothing, or a run of any episode."""
        items = around.items
        head = item_head(items, self.start)
        if self._random() < (_NEW if is_loop(around) else _NEW_LONG):
            return self._rounds(items)
        if self._random() < _KIN:
            kin = self._kin.of(run_of(head, items[self.start : self.end]).fine)
            if kin is not None:
                return kin.items
        if self.end > self.start and self._random() < _NOTHING:
            return []
        body: Span | None = listing.spans[below(self._random, len(listing.spans))]
        if self._random() < 0.5:
            body = self._donors.like(around)
        if body is None:
            return None
        return any_run(body.items, head, self._random)

    def _rounds(self, items: list[Item]) -> list[Item] | None:
        """Return new rounds to insert, or the run with one before and one after it."""
        ends = ends_of(items, self.start)
        if not ends:
            return None
        model = items[self.start : ends[0]]
        made = self._round(model[:])
        if self.end > self.start:
            return made + items[self.start : self.end] + self._round(model[:])
        for _ in range(_LONGEST - 1):
            if self._random() >= _MORE:
                break
            made += self._round(model[:])
        return made

    def _round(self, items: list[Item]) -> list[Item]:
        """Return a round with another choice: not the first of several, which may say that it goes on."""
        place = 0 if len(items) == 1 else 1 + below(self._random, len(items) - 1)
        item = items[place]
        if isinstance(item, Leaf) and item.n > 1:
            items[place] = self._archive.another(item)
        return items
