"""Edits: how a past episode becomes the script of the next one."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.donors import Donors
from rlcheck.learners.diverse.echoes import echo
from rlcheck.learners.diverse.kin import Kin, run_of
from rlcheck.learners.diverse.loops import Runs
from rlcheck.learners.diverse.ranks import Ranks
from rlcheck.learners.diverse.rates import Rates, Tries
from rlcheck.learners.diverse.runs import counted, is_loop, like_in, recount, replace_alike, spans_like
from rlcheck.learners.diverse.script import Script, changed
from rlcheck.learners.diverse.shelf import Entry
from rlcheck.learners.diverse.tree import Leaf, Listing, Span, digest, leaf_at, span_at

#: Change a small choice or a value; take an option that few valid episodes have; leave a span to the model,
#: or to chance; put a span of another episode, of this one, or one that stood in such a place before; give
#: all spans of a body the same structure; exchange two of them; insert, drop or replace a run of choices; let
#: a run be as another one is; change values alone.
TWEAK, NOVEL, REGROW, CHANCE, SPLICE, COPY, KIN, TWINS, SWAP, RUNS, ECHO, VALUES = range(12)
WAYS = 12

#: After a second edit, how often there is one more; how often one stays in the span around the one before.
_AGAIN = 0.4
_NEAR = 0.7

#: How many edits are made, until one has few enough values and a structure that was not tried often.
_TRIES = 5

#: As how many uses it counts when an edit of an episode would have repeated an earlier one.
_SPENT = 3.0

#: How many of the latest scripts say whether several edits pay.
_MEMORY = 100

#: How often a tweak changes a value.
_OF_VALUE = 0.3

#: How often small choices of a span that are equal change together: one may be the number of the others.
_TOGETHER = 0.3

#: Of more options than this, the model picks another one half of the time.
_MANY = 4

#: How often a run is changed instead of a span that is a loop of choices.
_FLAT = 0.5

#: Longer bodies get no twins.
_TWINS = 6


class Editor:
    """Makes scripts of archived episodes, and learns which edits were valid."""

    def __init__(self, random: Callable[[], float], archive: Archive, donors: Donors) -> None:
        self.ranks = Ranks(random)
        self.kin = Kin(random)
        self._random = random
        self._archive = archive
        self._donors = donors
        self._runs = Runs(random, archive, donors, self.kin)
        # The script so far, its spans, and the span around the last edit.
        self._root = Span(0, [])
        self._listing = Listing(self._root)
        self._near: Span | None = None
        self._entry: Entry | None = None
        # What one edit is worth, and what several are.
        self._several = Rates(2, _MEMORY)
        # What was replaced, and by what: None when it is not known yet, or when there were several edits.
        self._before: Span | None = None
        self._after: Span | None = None
        self._edits = 0
        self._open = False  # Whether a span of the script is.
        #: How good the episode is that was edited last.
        self.standing = 1.0
        self._tries = Tries(random)

    def script(self, way: int) -> Script:
        """Return a changed episode."""
        for left in range(_TRIES - 1, -1, -1):
            self._begin()
            if way != VALUES:
                self._edit_some(way)
                if left and not self.ranks.tweaked and not self._open and self._tries.enough(self._root.fine):
                    if left == 1 and self._random() < 0.5:
                        way = VALUES  # Nothing new comes to mind.
                    continue
            elif not self._listing.values:
                self._edit_some(below(self._random, VALUES))
            elif self._random() < 0.5:
                self._tweak_value()
            script = self.ranks.settle(self._root)
            if script is not None:
                # The model only knows what was valid, and that is not what a novel option leads to.
                script.chance = way == NOVEL and self._random() < 0.5
                return script
        self._begin()
        return Script(self._root)

    def _edit_some(self, way: int) -> None:
        """Make one edit, or several."""
        self._edit(way)
        if self._several.pick(self._random, 2):
            while True:
                self._edit(below(self._random, VALUES))
                if self._random() >= _AGAIN:
                    break
            self._before = self._after = None

    def rate(self, worth: float, diverted: bool) -> None:  # noqa: FBT001 - compiled
        """Learn what came of the script: what it was worth, or that the parent has little left."""
        if self._edits:
            self._several.learn(self._edits > 1, worth)
        if self._entry is not None:
            self._archive.learn(self._entry, worth)
        if diverted and self._entry is not None:
            self._entry.uses += _SPENT

    def learn(self, valid: bool, landed: Span | None) -> None:  # noqa: FBT001 - compiled
        """Learn from an episode that followed the script; `landed` is what became of the edited span."""
        self.ranks.learn(1.0 if valid else 0.0, self._edits == 1)
        if valid and self._before is not None and self._before.fine:
            after = landed if self._after is None else self._after
            if after is not None:
                self.kin.link(self._before, after)

    def renamed(self, heads: set[int]) -> tuple[Script, int] | None:
        """Return an episode with other indices at one of these points; and which one."""
        self._begin()
        return self.ranks.renamed(self._listing, heads)

    @property
    def leaves(self) -> int:
        """How many choices the episode has that was edited last."""
        return 0 if self._entry is None else self._entry.root.leaves

    def _begin(self) -> None:
        self._entry = self._archive.parent()
        self.standing = self._entry.standing
        self._root = self._entry.root
        self._listing = self._entry.listed()
        self._near = self._before = self._after = None
        self._edits = 0
        self._open = False
        self.ranks.begin()

    def _edit(self, way: int) -> None:
        """Make one edit."""
        if self._edits:
            self._listing = Listing(self._root)
        self._edits += 1
        listing = self._listing
        first, end = 0, len(listing.spans)
        if self._near is not None and self._random() < _NEAR:
            first = listing.number_of(self._near)
            end = listing.end[first]
        if way == TWEAK:
            self._tweak(first, end)
            return
        if way == ECHO:
            self._echo()
            return
        if way == NOVEL and listing.small:
            number, place, leaf = self._archive.novel(listing)
            self._put_leaf(number, place, leaf)
            return
        numbers = [number for number in range(first, end) if listing.inner[number]]
        if not numbers and first:
            numbers = [number for number in range(len(listing.spans)) if listing.inner[number]]
        if way == RUNS or not numbers:
            self._change_run()
            return
        number = self._target(numbers)
        if is_loop(listing.spans[number]) and self._random() < _FLAT:
            self._change_run()
            return
        if way == TWINS:
            self._twins(listing.outer[number])
        elif way == SWAP:
            self._swap(listing.outer[number])
        elif way in (REGROW, CHANCE):
            old = listing.spans[number]
            new = Span(old.head, [])
            new.open = True
            new.chance = way == CHANCE
            self._open = True
            self._put(number, new)
        else:
            self._replace(number, self._body_for(listing.spans[number], way))

    def _target(self, numbers: list[int]) -> int:
        """Return one of some spans; half of the time the larger of two, since most are small."""
        number = numbers[below(self._random, len(numbers))]
        if self._random() < 0.5:
            other = numbers[below(self._random, len(numbers))]
            if self._listing.end[other] - other > self._listing.end[number] - number:
                return other
        return number

    def _put(self, number: int, new: Span) -> None:
        """Put a span in the place of another."""
        listing = self._listing
        digest(new)
        self._before, self._after = listing.spans[number], None
        new.mark = self._edits == 1
        outer = listing.outer[number]
        if outer < 0:
            self._root = self._near = new
            return
        around = listing.spans[outer]
        items = around.items[:]
        items[listing.place[number]] = new
        self._near = Span(around.head, items)
        digest(self._near)
        self._root = listing.put(outer, self._near)

    def _replace(self, number: int, body: Span) -> None:
        """Put the body of a span in the place of another, with values that fit."""
        listing = self._listing
        place = listing.place[number]
        old = listing.spans[number]
        new = self.ranks.fit(listing, listing.outer[number], place, place + 1, [Span(old.head, body.items)])
        self._put(number, span_at(new, 0))

    def _tweak(self, first: int, end: int) -> None:
        """Change a value, or a small choice in one of these spans."""
        listing = self._listing
        if self._random() < _OF_VALUE and self._tweak_value():
            return
        small = [at for at in listing.small if first <= at[0] < end]
        if not small:
            small = listing.small
        if not small:
            self._tweak_value()
            return
        number, place = small[below(self._random, len(small))]
        leaf = leaf_at(listing.spans[number], place)
        if leaf.n > _MANY and self._random() < 0.5:
            new = Leaf(leaf.head, leaf.n, -1, leaf.value)  # The model knows better.
        else:
            new = self._archive.another(leaf)
        self._put_leaf(number, place, new)

    def _put_leaf(self, number: int, place: int, new: Leaf) -> None:
        """Put a choice in the place of another."""
        old = self._listing.spans[number]
        leaf = leaf_at(old, place)
        items = old.items[:]
        items[place] = new
        if new.index >= 0 and self._random() < _TOGETHER:
            replace_alike(items, leaf, new.index)
        self._put(number, Span(old.head, items))
        self._near = None

    def _tweak_value(self) -> bool:
        """Change a value; return whether there is one."""
        change = self.ranks.tweak(self._listing)
        if change is None:
            return False
        self._edits = max(self._edits, 1)
        self._root = changed(self._root, {id(change[0]): change[1]})
        self._near = self._before = None
        return True

    def _echo(self) -> None:
        """Let a run of choices be as another one of the episode is."""
        changes = echo(self._listing, self._random)
        if not changes:
            self._tweak(0, len(self._listing.spans))
            return
        self._root = changed(self._root, changes)
        self._near = self._before = None

    def _body_for(self, old: Span, way: int) -> Span:
        """Return a span to take the place of another: one that asks the same first, and is not like it."""
        if way == KIN:
            kin = self.kin.of(old.fine)
            if kin is not None:
                return kin
        if way != COPY:
            donor = self._donors.like(old)
            if donor is not None:
                return donor
        return like_in(self._listing, old, self._random)

    def _twins(self, outer: int) -> None:
        """Give all spans of a body the same structure."""
        around = self._listing.spans[outer]
        items = around.items
        places = spans_like(items, self._random)
        old = span_at(items, places[0])
        body = self._body_for(old, SPLICE if self._random() < 0.5 else COPY)
        self._put_all(outer, places[:_TWINS], [body] * len(places))

    def _swap(self, outer: int) -> None:
        """Exchange two spans of a body."""
        around = self._listing.spans[outer]
        items = around.items
        places = spans_like(items, self._random)
        if len(places) < 2:
            self._twins(outer)
            return
        one = below(self._random, len(places))
        other = (one + 1 + below(self._random, len(places) - 1)) % len(places)
        self._put_all(
            outer,
            [places[one], places[other]],
            [span_at(items, places[other]), span_at(items, places[one])],
        )

    def _put_all(self, outer: int, places: list[int], bodies: list[Span]) -> None:
        """Replace several spans of a body, one after the other."""
        around = self._listing.spans[outer]
        for number in range(len(places)):
            if number:
                self._listing = Listing(self._root)
                outer = self._listing.number_of(around)
            self._replace(self._listing.inside(outer, places[number]), bodies[number])
            assert self._near is not None
            around = self._near
        self._before = None

    def _change_run(self) -> None:
        """Insert, drop or replace a run in a body that repeats itself."""
        listing = self._listing
        runs = self._runs
        if not runs.pick(listing):
            self._tweak(0, len(listing.spans))
            return
        number, start, end = runs.number, runs.start, runs.end
        old = listing.spans[number]
        items = old.items
        first = items[start]
        head = first.head
        new = self.ranks.fit(listing, number, start, end, runs.run)
        made = items[:start] + new + items[end:]
        if isinstance(first, Span):
            recount(items, made, start, head)
        number, changed_span = counted(listing, number, Span(old.head, made), head)
        self._put(number, changed_span)
        self._before, self._after = run_of(head, items[start:end]), run_of(head, new)
