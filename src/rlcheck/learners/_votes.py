"""Votes: rows of weights by feature, for choices among at most 16 branches."""

from __future__ import annotations

from rlcheck.protocols import State
from rlcheck.states import KnownState, Part

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
    """The weights of one feature, and how often each branch was taken with it."""

    __slots__ = ("counts", "weights")

    def __init__(self) -> None:
        self.weights: list[float] = ZEROS[:]
        self.counts: list[float] = _ONES[:]


class Step:
    """A choice of the running episode: the rows that voted, the branch that was taken, and its chance.

    Steps are used again in later episodes, and so are their lists: only so many rows are of this one.
    """

    __slots__ = ("branch", "chance", "compared", "followed", "orders", "pivots", "voted", "votes")

    def __init__(self) -> None:
        self.votes: list[Votes] = []
        self.voted = 0
        #: Rows with three weights, for branches before, at and after their pivot.
        self.orders: list[Votes] = []
        self.pivots: list[int] = _NOWHERE[:]
        self.compared = 0
        self.branch = 0
        self.chance = 0.0
        #: Whether it was taken because an earlier episode took it.
        self.followed = False

    def vote(self, row: Votes) -> None:
        """Let a row vote; the last one counts visits."""
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
    """A choice among at most 16 branches: options, or ranges of `size` options."""

    __slots__ = (
        "branches",
        "common",
        "kids",
        "n",
        "orders",
        "own",
        "rows",
        "size",
        "split",
        "splits",
        "swarm",
        "swarmed",
        "visits",
    )

    def __init__(self, n: int) -> None:
        self.n = n
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
        #: The rows that a frame's own choices give, until a point is split that was not.
        self.own: dict[KnownState, list[Votes]] = {}
        self.splits = 0
        #: Rows by where the choice was made that options are compared with.
        self.orders: dict[int, Votes] = {}
        self.kids: dict[int, Site] = {}
        self.visits: list[int] = [0] * self.branches
        self.swarm: list[float] = ZEROS[:]
        self.swarmed = -1


class Relations:
    """Earlier choices at the point of a choice: what its options are compared with."""

    __slots__ = ("count", "indices", "places")

    def __init__(self) -> None:
        self.count = 0
        #: Where each of them was made, and which option it took.
        self.places: list[int] = _NOWHERE[:]
        self.indices: list[int] = _NOWHERE[:]

    def find(self, state: State, number: int) -> None:
        """Take the latest choice of each frame at the point of this number."""
        self.count = 0
        if not (isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], KnownState)):
            return
        outside: tuple[KnownState, ...] = state[0]
        frame: KnownState = state[1]
        depth = len(outside)
        for distance in range(min(depth + 1, _FRAMES)):
            if distance:
                frame = outside[depth - distance]
            made = frame.latest().get(number)
            if made is not None:
                place = made[0]
                self.places[self.count] = place << 4 | distance
                self.indices[self.count] = made[1]
                self.count += 1
                if self.count == _RELATED:
                    break


class Features:
    """Finds what votes in a step: a row for each feature of its state."""

    __slots__ = ("_grains", "_splits", "rows")

    def __init__(self) -> None:
        #: How many rows were made.
        self.rows = 0
        # How many options of a point are one range, by the point's number; and how often that changed.
        self._grains: dict[int, int] = {}
        self._splits = 0

    def site(self, n: int) -> Site:
        """A choice among n options at which nothing voted yet."""
        self.rows += 1  # The one that every state shares.
        return Site(n)

    def split(self, number: int, grain: int) -> None:
        """Let a choice from a large range also count as one of its part: `grain` options are one."""
        if self._grains.get(number, 1) != grain:
            self._grains[number] = grain
            self._splits += 1

    def gather(self, step: Step, site: Site, state: State) -> None:
        """Let the rows of a state vote: the first is that of every state, the last the state as a whole."""
        step.voted = 0
        step.vote(site.common)
        if isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], KnownState):
            self._gather_frames(step, site, state[0], state[1], state[2])
        else:
            for feature in _of_key(state):
                step.vote(self._row(site, feature))

    def relate(self, step: Step, site: Site, relations: Relations, low: int) -> None:
        """Let the rows of earlier choices vote on a site whose options begin at `low`."""
        step.compared = 0
        for number in range(relations.count):
            place = relations.places[number]
            row = site.orders.get(place)
            if row is None:
                row = site.orders[place] = Votes()
                self.rows += 1
            pivot = relations.indices[number]
            if low or site.split:
                # Bounds first: compiled, a pivot is a machine integer, and options may be beyond those.
                pivot = max(-1, min(FAN, (relations.indices[number] - low) // site.size))
            step.compare(row, min(FAN, pivot))

    def _gather_frames(
        self, step: Step, site: Site, outside: tuple[KnownState, ...], inner: KnownState, made: int
    ) -> None:
        """The frame's own choices, its place in the frame, each frame around it, and the innermost two.

        Enclosing frames are features themselves; the others are integers below zero, and each kind of them
        has its own remainder by 8.
        """
        if site.splits != self._splits:
            site.splits = self._splits
            site.own.clear()
        own = site.own.get(inner)
        if own is None:
            own = site.own[inner] = [self._row(site, token) for token in self._of_choices(inner.parts[-1])]
        for row in own:
            step.vote(row)
        step.vote(self._row(site, ~(min(made, _PLACES) << 3)))
        last = 0
        for frame in outside:
            last = frame.number
            step.vote(self._row(site, frame))
        step.vote(self._row(site, ~((inner.number << 32 | last) << 3 | 7)))

    def _row(self, site: Site, feature: State) -> Votes:
        row = site.rows.get(feature)
        if row is None:
            row = site.rows[feature] = Votes()
            self.rows += 1
        return row

    def _of_choices(self, inside: Part) -> list[int]:
        found: list[int] = []
        for age in range(1, min(len(inside), 3) + 1):
            token = inside[-age]
            found.append(~(token << 3 | age))
            grain = self._grains.get(token & 0xFFFF, 1)
            if grain > 1:
                part = (token >> 16) // grain << 16 | token & 0xFFFF
                found.append(~(part << 3 | age + 3))
        return found


def _of_key(state: State) -> list[State]:
    """The features of a state that is not made of frames."""
    if isinstance(state, KnownState):
        *outside, inside = state.parts
        return [*enumerate(reversed(inside)), *outside, (state,)]
    if isinstance(state, tuple):
        return [*enumerate(reversed(state)), (state,)]
    return [(state,)]
