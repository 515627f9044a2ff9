"""States that abstractions make: interned, so that following one choice is one look-up.

A state is its `parts`, outermost first. Each state remembers those that follow it, so a generator on a known
path builds no tuples.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from rlcheck import _gc

#: What happened in one frame: tokens of choices (not negative) and of calls (negative).
Part: TypeAlias = tuple[int, ...]

#: Marks the first choice of a frame that made more than one, and has ended.
FINISHED = 1 << 48

#: Above this many states the links between them are dropped and grow again.
_MOST = 200_000


class KnownState:
    """A state, its number and hash, and the states that follow it, by what led there."""

    __slots__ = ("_hash", "_latest", "next", "number", "parts")

    def __init__(self, parts: tuple[Part, ...], number: int) -> None:
        self.parts = parts
        self.number = number
        self.next: dict[Hashable, KnownState] = {}
        self._latest: dict[int, tuple[int, int]] | None = None
        self._hash = hash(parts)

    def latest(self) -> dict[int, tuple[int, int]]:
        """The last choice of the first part at each point, by the point's number: its place and its index.

        The place is how long ago it was, and from where the frame called another one since. A choice of the
        frame itself comes before those of frames that it called and that have ended.
        """
        found = self._latest
        if found is None:
            found = self._latest = {}
            part = self.parts[0]
            call = 1 - part[-1] if part and part[-1] < 0 else 0
            for finished in (False, True):
                age = 0
                for token in reversed(part):
                    if token >= 0 and (token >= FINISHED) == finished:
                        found.setdefault(token & 0xFFFF, (call << 4 | age, token >> 16 & 0xFFFFFFFF))
                    age += finished or token < FINISHED
        return found

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, KnownState) and self.parts == other.parts)

    def __reduce__(self) -> tuple[type[KnownState], tuple[tuple[Part, ...], int]]:
        # Without what follows it: that is most of the states there are.
        return KnownState, (self.parts, -1)

    def __repr__(self) -> str:
        return f"KnownState({self.parts})"


class OpenSpan:
    """A span that has begun: one call of a generator function, or one span of a front end.

    Each is an object of its own, so a learner sees by identity which spans have begun and ended since the
    last choice. `label` says where it was called from.
    """

    __slots__ = ("depth", "label", "outer")

    def __init__(self, label: int, outer: OpenSpan | None) -> None:
        self.label = label
        self.outer = outer
        self.depth: int = 0 if outer is None else outer.depth + 1
        _gc.untrack(self)


class Place:
    """Where a choice is made: the enclosing frames, the innermost one, and how many choices it has made.

    Two places are equal when these three are. `span` is the innermost open span.
    """

    __slots__ = ("inside", "made", "outside", "span")

    def __init__(
        self, outside: tuple[KnownState, ...], inside: KnownState, made: int, span: OpenSpan
    ) -> None:
        self.outside = outside
        self.inside = inside
        self.made = made
        self.span = span
        _gc.untrack(self)

    def __hash__(self) -> int:
        return hash((self.outside, self.inside, self.made))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Place)
            and self.inside == other.inside
            and self.made == other.made
            and self.outside == other.outside
        )

    def __reduce__(self) -> tuple[type[Place], tuple[tuple[KnownState, ...], KnownState, int, OpenSpan]]:
        return Place, (self.outside, self.inside, self.made, OpenSpan(0, None))

    def __repr__(self) -> str:
        return f"Place({self.outside}, {self.inside}, {self.made})"


class States:
    """Interns states by their parts."""

    __slots__ = ("_known", "_made")

    def __init__(self) -> None:
        self._known: dict[tuple[Part, ...], KnownState] = {}
        self._made = 0

    def of(self, parts: tuple[Part, ...]) -> KnownState:
        """The one state with these parts."""
        state = self._known.get(parts)
        if state is None:
            if len(self._known) >= _MOST:
                for known in self._known.values():
                    known.next.clear()
                self._known.clear()
            state = self._known[parts] = KnownState(parts, self._made)
            self._made += 1
        return state
