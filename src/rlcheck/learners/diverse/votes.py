"""Votes: rows of weights by feature, for choices among at most 16 branches.

What a site knows of a frame is found by one look-up: its row, and the choice that options are compared with.
"""

from __future__ import annotations

from rlcheck.protocols import State
from rlcheck.states import KnownState, Part, Place

FAN = 16

#: Choices of a frame are told apart by their place up to here, so that long loops make few rows.
_PLACES = 64

#: A choice is compared with so many earlier ones at its point, from the innermost so many frames.
_RELATED = 3
_FRAMES = 5

# A row has as many numbers as there may be branches: compiled, it is an array inside its object.
ZEROS = [0.0] * FAN
_ONES = [1.0] * FAN
_NOWHERE = [0] * _RELATED


class Votes:
    """The weights of one feature."""

    __slots__ = ("weights",)

    def __init__(self) -> None:
        self.weights: list[float] = ZEROS[:]


class Whole(Votes):
    """The weights of a state as a whole, and how often each branch was taken in it."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[float] = _ONES[:]


class Around(Votes):
    """The weights of an enclosing frame, and its latest choice at the point of the site.

    With that, options are compared: `orders` are the rows that do so, by how far away the frame is, or None.
    """

    __slots__ = ("orders", "pivot")

    def __init__(self, orders: list[Votes | None] | None, pivot: int) -> None:
        super().__init__()
        self.orders = orders
        self.pivot = pivot


class Inside:
    """What the innermost frame knows by itself: the rows of its choices, and its latest one at the point.

    It is found by one look-up; only when a point was split that was not, the rows are gathered anew.
    """

    __slots__ = ("orders", "pivot", "rows", "splits", "wholes")

    def __init__(self, orders: list[Votes | None] | None, pivot: int) -> None:
        self.rows: list[Votes] = []
        self.splits = -1
        self.orders = orders
        self.pivot = pivot
        #: By the frame around it.
        self.wholes: dict[State, Whole] = {}


_NOTHING = Whole()


class Step:
    """A choice of the running episode: the rows that voted, the branch that was taken, and its chance.

    Steps are used again in later episodes, and so are their lists: only so many rows are of this one.
    """

    __slots__ = ("branch", "chance", "compared", "orders", "pivots", "voted", "votes", "whole")

    def __init__(self) -> None:
        #: The row of every state first, that of the state as a whole last.
        self.votes: list[Votes] = []
        self.voted = 0
        self.whole = _NOTHING
        #: Rows with three weights, for branches before, at and after their pivot.
        self.orders: list[Votes] = []
        self.pivots: list[int] = _NOWHERE[:]
        self.compared = 0
        self.branch = 0
        self.chance = 0.0

    def vote(self, row: Votes) -> None:
        """Let a row vote."""
        if self.voted < len(self.votes):
            self.votes[self.voted] = row
        else:
            self.votes.append(row)
        self.voted += 1

    def compare(self, row: Votes, pivot: int) -> None:
        """Let a row vote on the branches before, at and after a pivot."""
        if self.compared < len(self.orders):
            self.orders[self.compared] = row
        else:
            self.orders.append(row)
        self.pivots[self.compared] = pivot
        self.compared += 1


class Site:
    """A choice among at most 16 branches: options from `low` on, or ranges of `size` options."""

    __slots__ = (
        *("around", "branches", "common", "inside", "kids", "low", "n", "number", "orders", "places"),
        *("rows", "size", "split", "swarm", "swarmed", "visits", "wholes"),
    )

    def __init__(self, n: int, number: int, low: int) -> None:
        self.n = n
        #: Of the choice point.
        self.number = number
        self.low = low
        self.size = 1
        while self.size * FAN < n:
            self.size *= FAN
        if self.size > 1:
            self.size = -(-n // FAN) if n <= FAN * FAN else self.size
        #: Whether branches are ranges.
        self.split = self.size > 1
        self.branches = -(-n // self.size)
        #: The row of the feature that every state has.
        self.common = Votes()
        self.rows: dict[State, Votes] = {}
        self.wholes: dict[State, Whole] = {}
        #: By how many choices the frame has made.
        self.places: list[Votes | None] = []
        self.inside: dict[KnownState, Inside] = {}
        self.around: dict[KnownState, Around] = {}
        #: Rows by where the choice was made that options are compared with, and how far away that frame is.
        self.orders: dict[int, list[Votes | None]] = {}
        self.kids: dict[int, Site] = {}
        self.visits: list[int] = [0] * self.branches
        self.swarm: list[float] = ZEROS[:]
        self.swarmed = -1


class Features:
    """Finds what votes in a step: a row for each feature of its state."""

    __slots__ = ("_grains", "_splits", "rows")

    def __init__(self) -> None:
        #: How many rows were made.
        self.rows = 0
        # How many options of a point are one range, by the point's number; and how often that changed.
        self._grains: dict[int, int] = {}
        self._splits = 0

    def site(self, n: int, number: int, low: int) -> Site:
        """A choice among n options at which nothing voted yet."""
        self.rows += 1  # The one that every state shares.
        return Site(n, number, low)

    def split(self, number: int, grain: int) -> None:
        """Let a choice from a large range also count as one of its part: `grain` options are one."""
        if self._grains.get(number, 1) != grain:
            self._grains[number] = grain
            self._splits += 1

    def gather(self, step: Step, site: Site, state: State) -> None:
        """Let the rows of a state vote."""
        step.voted = step.compared = 0
        step.vote(site.common)
        if isinstance(state, Place):
            place = state
            inside = self._inside(site, place.inside)
            self._gather_frames(step, site, place.outside, inside, place.made)
            self._relate(step, place.outside, inside)
        else:
            for feature in _of_key(state):
                step.vote(self._row(site, feature))
            step.whole = self._whole(site.wholes, state)
            step.vote(step.whole)

    def _gather_frames(
        self, step: Step, site: Site, outside: tuple[KnownState, ...], inside: Inside, made: int
    ) -> None:
        """The frame's own choices, its place in the frame, each frame around it, and the innermost two."""
        for row in inside.rows:
            step.vote(row)
        step.vote(self._place(site, min(made, _PLACES)))
        last: KnownState | None = None
        for last in outside:
            around = site.around.get(last)
            if around is None:
                around = site.around[last] = Around(*_latest(site, last))
                self.rows += 1
            step.vote(around)
        step.whole = self._whole(inside.wholes, last)
        step.vote(step.whole)

    def _relate(self, step: Step, outside: tuple[KnownState, ...], inside: Inside) -> None:
        """Let options be compared with the latest choices at their point, the innermost frames' first."""
        if inside.orders is not None:
            self._compare(step, inside.orders, inside.pivot, 0)
        for distance in range(1, min(len(outside) + 1, _FRAMES)):
            around: Around = step.votes[step.voted - 1 - distance]  # type: ignore[assignment]
            if around.orders is not None:
                self._compare(step, around.orders, around.pivot, distance)
                if step.compared == _RELATED:
                    break

    def _compare(self, step: Step, orders: list[Votes | None], pivot: int, distance: int) -> None:
        row = orders[distance]
        if row is None:
            row = orders[distance] = Votes()
            self.rows += 1
        step.compare(row, pivot)

    def _inside(self, site: Site, inner: KnownState) -> Inside:
        inside = site.inside.get(inner)
        if inside is None:
            inside = site.inside[inner] = Inside(*_latest(site, inner))
        if inside.splits != self._splits:
            inside.splits = self._splits
            inside.rows = [self._row(site, token) for token in self._of_choices(inner.parts[-1])]
        return inside

    def _place(self, site: Site, made: int) -> Votes:
        places = site.places
        while len(places) <= made:
            places.append(None)
        row = places[made]
        if row is None:
            row = places[made] = Votes()
            self.rows += 1
        return row

    def _row(self, site: Site, feature: State) -> Votes:
        row = site.rows.get(feature)
        if row is None:
            row = site.rows[feature] = Votes()
            self.rows += 1
        return row

    def _whole(self, wholes: dict[State, Whole], state: State) -> Whole:
        row = wholes.get(state)
        if row is None:
            row = wholes[state] = Whole()
            self.rows += 1
        return row

    def _of_choices(self, inside: Part) -> list[int]:
        """The last choices of a frame, and the parts they are of: each kind and age has a remainder by 8."""
        found: list[int] = []
        for age in range(1, min(len(inside), 3) + 1):
            token = inside[-age]
            found.append(token << 3 | age)
            grain = self._grains.get(token & 0xFFFF, 1)
            if grain > 1:
                part = (token >> 16) // grain << 16 | token & 0xFFFF
                found.append(part << 3 | age + 3)
        return found


def _latest(site: Site, frame: KnownState) -> tuple[list[Votes | None] | None, int]:
    """The latest choice of a frame at the point of a site: the rows that compare with it, and its branch."""
    made = frame.latest().get(site.number)
    if made is None:
        return None, 0
    place, index = made
    orders = site.orders.setdefault(place, [None] * _FRAMES)
    return orders, max(-1, min(FAN, (index - site.low) // site.size))


def _of_key(state: State) -> list[State]:
    """The features of a state that is not made of frames."""
    if isinstance(state, KnownState):
        *outside, inside = state.parts
        return [*enumerate(reversed(inside)), *outside]
    if isinstance(state, tuple):
        return [*enumerate(reversed(state))]
    return []
