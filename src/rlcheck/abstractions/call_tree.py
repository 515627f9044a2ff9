"""CallTree: where the generator is, and what it chose on the way there; needs no annotation.

A state has one part per frame on the stack, outermost first: the last choices made in that frame, and
the place it called the next frame from. Choices of frames that have returned are gone, so a subtree does
not depend on its finished sibling: on a tree generator this is RLCheck's hand-written "Tree L/R".
"""

from __future__ import annotations

from types import FrameType

from rlcheck.abilities import AbstractionBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint, ChoicePoints
from rlcheck.states import KnownState, OpenSpan, Place, States


class Level:
    """A running frame: its state, the states of the frames outside it, and the number of its choices."""

    __slots__ = ("frame", "inside", "made", "outside", "span")

    def __init__(self, inside: KnownState) -> None:
        self.frame: FrameType | None = None
        self.inside = inside
        self.outside: tuple[KnownState, ...] = ()
        self.made = 0
        self.span: OpenSpan | None = None


class CallTree(AbstractionBase):
    """The frames of the generator and their choices.

    Args:
        window: How many frames a state holds (w), counted from the innermost.
        recent: How many choices of each frame it holds, counted from the latest.
    """

    def __init__(self, *, window: int = 2, recent: int = 3) -> None:
        self.window = check_integer("window", window)
        self.recent = check_integer("recent", recent)
        self._states = States()
        self._calls = ChoicePoints()
        self._empty = self._states.of(((),))
        # The running frames: the first `_depth` levels, and the innermost. Levels are reused. They hold their
        # frames, so that no later frame gets the same address.
        self._levels: list[Level] = []
        self._depth = 0
        self._top = Level(self._empty)

    def fork(self) -> CallTree:
        """Return another abstraction for a concurrent episode; they share interned states."""
        other = type(self)(window=self.window, recent=self.recent)
        other._states, other._calls, other._empty = self._states, self._calls, self._empty
        return other

    def start(self, frame: FrameType) -> None:
        """Take `frame` as the bottom of the stack."""
        self._push(frame)

    def state(self, frame: FrameType) -> KnownState:
        """Return what was chosen on the way to `frame`."""
        if frame is not self._top.frame:
            self._move_to(frame)
        return self._top.inside

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost frame."""
        token = index << 16 | point.number
        before = self._top.inside
        after = before.next.get(token)
        if after is None:
            *outside, inside = before.parts
            inside = (*inside, token)[-self.recent :]
            after = before.next[token] = self._states.of((*outside, inside))
        self._top.inside = after

    def finish(self) -> None:
        """Release the frames."""
        self._unwind(-1)

    def _move_to(self, frame: FrameType) -> None:
        """Unwind to the nearest frame that is still running, then enter the new ones.

        Each frame is entered once and left once, so the cost per choice does not grow with the depth.
        """
        caller = frame.f_back
        for depth in range(self._depth - 1, -1, -1):
            level = self._levels[depth]
            known = level.frame
            if known is caller or known is frame:
                self._unwind(depth)
                if known is caller:
                    self._push(frame)
                return
        self._enter_through_helpers(frame)

    def _enter_through_helpers(self, frame: FrameType) -> None:
        """Enter a frame that was called by frames which made no choice."""
        depths = {}
        for depth in range(self._depth):
            level = self._levels[depth]
            depths[level.frame] = depth
        entered = []
        outer: FrameType | None = frame
        while outer is not None and outer not in depths:
            entered.append(outer)
            outer = outer.f_back
        self._unwind(-1 if outer is None else depths[outer])
        while entered:
            self._push(entered.pop())

    def _unwind(self, depth: int) -> None:
        """Leave the frames beyond this one."""
        while self._depth > depth + 1:
            self._top.frame = None
            self._depth -= 1
            if self._depth:
                self._top = self._levels[self._depth - 1]

    def _push(self, frame: FrameType) -> None:
        self._enter(frame, self._called() if self._depth else self._empty)

    def _enter(self, frame: FrameType, inside: KnownState) -> None:
        if self._depth == len(self._levels):
            self._levels.append(Level(inside))
        self._top = self._levels[self._depth]
        self._top.frame = frame
        self._top.inside = inside
        self._depth += 1

    def _called(self) -> KnownState:
        """Return the state of the innermost frame, as the frame that it calls sees it."""
        call = self._calls.at(self._top.frame)  # type: ignore[arg-type]
        before = self._top.inside
        after = before.next.get(call)  # The point is the key: making an integer would cost more.
        if after is None:
            *outside, inside = before.parts
            parts = (*outside, (*inside, ~call.number), ())[-self.window :]
            after = before.next[call] = self._states.of(parts)
        return after


class Frames(CallTree):
    """Like `CallTree`, but with the frames kept apart.

    A state is a place: the enclosing frames, the innermost one, how many choices that one made, and its span.
    It is for learners that let every frame vote. There are too many whole stacks to intern, but few frames.
    """

    def __init__(self, *, window: int = 8, recent: int = 3) -> None:
        super().__init__(window=window, recent=recent)

    def state(self, frame: FrameType) -> Place:  # type: ignore[override]
        """Return what was chosen on the way to `frame`."""
        if frame is not self._top.frame:
            self._move_to(frame)
        top = self._top
        return Place(top.outside, top.inside, top.made, top.span)  # type: ignore[arg-type]

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost frame."""
        CallTree.record(self, point, index)
        self._top.made += 1

    def _push(self, frame: FrameType) -> None:
        outside: tuple[KnownState, ...] = ()
        span: OpenSpan | None = None
        label = 0
        if self._depth:
            outside = self._top.outside
            span = self._top.span
            if len(outside) == self.window:
                outside = outside[1:]
            called = self._called()
            outside = outside + (called,)  # noqa: RUF005 - unpacking is slower when compiled
            label = ~called.parts[0][-1] if called.parts[0] else 0
        self._enter(frame, self._empty)
        self._top.outside = outside
        self._top.made = 0
        self._top.span = OpenSpan(label, span)
