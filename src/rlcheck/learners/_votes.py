"""Votes: rows of weights by feature, for choices among at most 16 branches."""

from __future__ import annotations

from rlcheck.protocols import State
from rlcheck.states import KnownState

_FAN = 16
#: Choices of a frame are told apart by their place up to here, so that long loops make few rows.
_PLACES = 64


class Votes:
    """The weights of one feature, and how often each branch was taken with it."""

    __slots__ = ("counts", "weights")

    def __init__(self, n: int) -> None:
        self.weights: list[float] = [0.0] * n
        self.counts: list[float] = [1.0] * n


class Site:
    """A choice among at most 16 branches: options, or ranges of `size` options."""

    __slots__ = ("branches", "kids", "n", "rows", "size", "swarm", "swarmed", "visits")

    def __init__(self, n: int) -> None:
        self.n = n
        self.size = 1
        while self.size * _FAN < n:
            self.size *= _FAN
        if self.size > 1:
            self.size = -(-n // _FAN) if n <= _FAN * _FAN else self.size
        self.branches = -(-n // self.size)
        self.rows: dict[State, Votes] = {}
        self.kids: dict[int, Site] = {}
        self.visits: list[int] = [0] * self.branches
        self.swarm: list[float] = []
        self.swarmed = -1


def features(state: State, grains: dict[int, int]) -> list[State]:
    """The features of a state: the first is that of every state, the last is the state as a whole.

    Those of frames are integers. Negative ones are places in the innermost frame; of the others, each kind
    has its own remainder by 8. A choice from a large range
    also counts as one of its range, whose size is in `grains` by the number of the choice point.
    """
    if isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], KnownState):
        return _of_frames(state[0], state[1], state[2], grains)
    if isinstance(state, KnownState):
        *outside, inside = state.parts
        return [-1, *enumerate(reversed(inside)), *outside, (state,)]
    if isinstance(state, tuple):
        return [-1, *enumerate(reversed(state)), (state,)]
    return [-1, (state,)]


def _of_frames(outside: tuple[int, ...], inner: KnownState, made: int, grains: dict[int, int]) -> list[State]:
    found: list[State] = [-1, -2 - min(made, _PLACES)]
    inside = inner.parts[-1]
    for age in range(1, min(len(inside), 3) + 1):
        token = inside[-age]
        found.append(token << 3 | age)
        grain = grains.get(token & 0xFFFF, 1)
        if grain > 1:
            found.append(((token >> 16) // grain << 16 | token & 0xFFFF) << 3 | age + 3)
    for number in outside:
        found.append(number << 3)  # noqa: PERF401 - a loop is faster when compiled
    last = outside[-1] if outside else 0
    found.append((inner.number << 32 | last) << 3 | 7)
    return found
