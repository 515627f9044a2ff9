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
    """A choice of the running episode: the rows that voted, the branch that was taken, and its chance."""

    __slots__ = ("branch", "chance", "followed", "orders", "pivots", "votes")

    def __init__(self) -> None:
        self.votes: list[Votes] = []
        #: Rows with three weights, for branches before, at and after their pivot.
        self.orders: list[Votes] = []
        self.pivots: list[int] = _NOWHERE[:]
        self.branch = 0
        self.chance = 0.0
        #: Whether it was taken because an earlier episode took it.
        self.followed = False


class Site:
    """A choice among at most 16 branches: options, or ranges of `size` options."""

    __slots__ = (
        "branches",
        "common",
        "kids",
        "n",
        "orders",
        "rows",
        "size",
        "split",
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
        #: Rows by where the choice was made that options are compared with.
        self.orders: dict[int, Votes] = {}
        self.kids: dict[int, Site] = {}
        self.visits: list[int] = [0] * self.branches
        self.swarm: list[float] = ZEROS[:]
        self.swarmed = -1


class Features:
    """What of a state gets a row of votes."""

    __slots__ = ("_grains", "_known")

    def __init__(self) -> None:
        # How many options of a point are one range, by the point's number.
        self._grains: dict[int, int] = {}
        # The features that a frame's own choices give.
        self._known: dict[KnownState, list[State]] = {}

    def split(self, number: int, grain: int) -> None:
        """Let a choice from a large range also count as one of its part: `grain` options are one."""
        if self._grains.get(number, 1) != grain:
            self._grains[number] = grain
            self._known.clear()

    def forget(self) -> None:
        """Drop what is kept to be found again."""
        self._known.clear()

    def of(self, state: State) -> list[State]:
        """The features of a state: the first is that of every state, the last is the state as a whole.

        Those of frames are integers: the number of each enclosing frame, and below zero the others, of which
        each kind has its own remainder by 8.
        """
        if isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], KnownState):
            return self._of_frames(state[0], state[1], state[2])
        if isinstance(state, KnownState):
            *outside, inside = state.parts
            return [-1, *enumerate(reversed(inside)), *outside, (state,)]
        if isinstance(state, tuple):
            return [-1, *enumerate(reversed(state)), (state,)]
        return [-1, (state,)]

    def _of_frames(self, outside: tuple[KnownState, ...], inner: KnownState, made: int) -> list[State]:
        known = self._known.get(inner)
        if known is None:
            known = self._known[inner] = self._of_choices(inner.parts[-1])
        found = known[:]
        found.append(~(min(made, _PLACES) << 3))
        last = 0
        for frame in outside:
            last = frame.number
            found.append(last)
        found.append(~((inner.number << 32 | last) << 3 | 7))
        return found

    def _of_choices(self, inside: Part) -> list[State]:
        found: list[State] = [-1]
        for age in range(1, min(len(inside), 3) + 1):
            token = inside[-age]
            found.append(~(token << 3 | age))
            grain = self._grains.get(token & 0xFFFF, 1)
            if grain > 1:
                part = (token >> 16) // grain << 16 | token & 0xFFFF
                found.append(~(part << 3 | age + 3))
        return found


def related(state: State, number: int) -> list[int]:
    """The latest choice of each frame at the point of this number: where it was made, and its index."""
    found: list[int] = []
    if not (isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], KnownState)):
        return found
    outside: tuple[KnownState, ...] = state[0]
    frame: KnownState = state[1]
    depth = len(outside)
    for distance in range(min(depth + 1, _FRAMES)):
        if distance:
            frame = outside[depth - distance]
        latest = frame.latest()
        made = latest.get(number)
        if made is not None:
            found.append(made[0] << 4 | distance)
            found.append(made[1])
            if len(found) == 2 * _RELATED:
                break
    return found
