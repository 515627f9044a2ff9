"""CallTree: where the generator is, and what it chose on the way there; needs no annotation.

A state has one part per frame on the stack, outermost first: the last choices made in that frame, and
the place it called the next frame from. Choices of frames that have returned are gone, so a subtree does
not depend on its finished sibling: on a tree generator this is RLCheck's hand-written "Tree L/R".
"""

from __future__ import annotations

from types import FrameType

from rlcheck.abstractions._window import check_window
from rlcheck.choice import ChoicePoint, ChoicePoints
from rlcheck.states import KnownState, States


class CallTree:
    """The frames of the generator and their choices.

    Args:
        window: How many frames a state holds (w), counted from the innermost.
        recent: How many choices of each frame it holds, counted from the latest.
    """

    def __init__(self, *, window: int = 2, recent: int = 3) -> None:
        self.window = check_window("window", window)
        self.recent = check_window("recent", recent)
        self._states = States()
        self._calls = ChoicePoints()
        # The running frames, and the state in each. Frames are held while the episode runs, so that none is
        # mistaken for a later one at its address.
        self._frames: list[FrameType] = []
        self._inside: list[KnownState] = []

    def beside(self) -> CallTree:
        """The same for another episode at the same time: what is interned is shared."""
        other = type(self)(window=self.window, recent=self.recent)
        other._states, other._calls = self._states, self._calls
        return other

    def start(self, frame: FrameType) -> None:
        """Take `frame` as the bottom of the stack."""
        self._push(frame)

    def state(self, frame: FrameType) -> KnownState:
        """What was chosen on the way to `frame`."""
        if frame is not self._frames[-1]:
            self._move_to(frame)
        return self._inside[-1]

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost frame."""
        token = index << 16 | point.number
        before = self._inside[-1]
        after = before.next.get(token)
        if after is None:
            *outside, inside = before.parts
            inside = (*inside, token)[-self.recent :]
            after = before.next[token] = self._states.of((*outside, inside))
        self._inside[-1] = after

    def finish(self) -> None:
        """Let go of the frames."""
        self._frames.clear()
        self._inside.clear()

    def _move_to(self, frame: FrameType) -> None:
        """Unwind to the nearest frame that is still running, then enter the new ones.

        Each frame is entered once and left once, so the cost per choice does not grow with the depth.
        """
        caller = frame.f_back
        for depth in range(len(self._frames) - 1, -1, -1):
            known = self._frames[depth]
            if known is caller or known is frame:
                self._unwind(depth)
                if known is caller:
                    self._push(frame)
                return
        self._enter_through_helpers(frame)

    def _enter_through_helpers(self, frame: FrameType) -> None:
        """Enter a frame that was called by frames which made no choice."""
        depths = {known: depth for depth, known in enumerate(self._frames)}
        entered = []
        outer: FrameType | None = frame
        while outer is not None and outer not in depths:
            entered.append(outer)
            outer = outer.f_back
        self._unwind(-1 if outer is None else depths[outer])
        while entered:
            self._push(entered.pop())

    def _unwind(self, depth: int) -> None:
        while len(self._frames) > depth + 1:
            self._frames.pop()
            self._inside.pop()

    def _push(self, frame: FrameType) -> None:
        if self._frames:
            self._inside.append(self._called())
        else:
            self._inside.append(self._states.of(((),)))
        self._frames.append(frame)

    def _called(self) -> KnownState:
        """The state of the innermost frame, as the one that it is calling sees it."""
        token = ~self._calls.at(self._frames[-1]).number
        before = self._inside[-1]
        after = before.next.get(token)
        if after is None:
            *outside, inside = before.parts
            parts = (*outside, (*inside, token), ())[-self.window :]
            after = before.next[token] = self._states.of(parts)
        return after


class Frames(CallTree):
    """The same, with the frames kept apart.

    A state is (enclosing frames, innermost frame, how many choices were made in that): for learners that let
    every frame vote. States of whole stacks are too many to intern, frames are few.
    """

    def __init__(self, *, window: int = 8, recent: int = 3) -> None:
        super().__init__(window=window, recent=recent)
        self._empty = self._states.of(((),))
        # Of each running frame: what happened in the frames outside it, and how many choices it made.
        self._outside: list[tuple[KnownState, ...]] = []
        self._made: list[int] = []

    def state(  # type: ignore[override]
        self, frame: FrameType
    ) -> tuple[tuple[KnownState, ...], KnownState, int]:
        """What was chosen on the way to `frame`."""
        if frame is not self._frames[-1]:
            self._move_to(frame)
        return (self._outside[-1], self._inside[-1], self._made[-1])

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost frame."""
        CallTree.record(self, point, index)
        self._made[-1] += 1

    def finish(self) -> None:
        """Let go of the frames."""
        CallTree.finish(self)
        self._outside.clear()
        self._made.clear()

    def _unwind(self, depth: int) -> None:
        while len(self._frames) > depth + 1:
            self._frames.pop()
            self._inside.pop()
            self._outside.pop()
            self._made.pop()

    def _push(self, frame: FrameType) -> None:
        outside: tuple[KnownState, ...] = ()
        if self._frames:
            outside = self._outside[-1]
            if len(outside) == self.window:
                outside = outside[1:]
            outside = outside + (self._called(),)  # noqa: RUF005 - unpacking is slower when compiled
        self._frames.append(frame)
        self._inside.append(self._empty)
        self._outside.append(outside)
        self._made.append(0)
