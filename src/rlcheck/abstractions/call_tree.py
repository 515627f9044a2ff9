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


class _Entry:
    """A running frame, the state in it, how many choices it made, and what happened in the frames outside."""

    __slots__ = ("frame", "made", "outside", "state")

    def __init__(self, frame: FrameType, state: KnownState, outside: tuple[int, ...]) -> None:
        self.frame = frame
        self.made = 0
        self.state = state
        self.outside = outside


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
        # Frames are held while the episode runs, so that none is mistaken for a later one at its address.
        self._stack: list[_Entry] = []

    def start(self, frame: FrameType) -> None:
        """Take `frame` as the bottom of the stack."""
        self._push(frame)

    def state(self, frame: FrameType) -> KnownState:
        """What was chosen on the way to `frame`."""
        top = self._stack[-1]
        if frame is not top.frame:
            self._move_to(frame)
            top = self._stack[-1]
        return top.state

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost frame."""
        top = self._stack[-1]
        top.made += 1
        token = index << 16 | point.number
        state = top.state.next.get(token)
        if state is None:
            *outside, inside = top.state.parts
            inside = (*inside, token)[-self.recent :]
            state = top.state.next[token] = self._states.of((*outside, inside))
        top.state = state

    def finish(self) -> None:
        """Let go of the frames."""
        self._stack.clear()

    def _move_to(self, frame: FrameType) -> None:
        """Unwind to the nearest frame that is still running, then enter the new ones.

        Each frame is entered once and left once, so the cost per choice does not grow with the depth.
        """
        stack = self._stack
        caller = frame.f_back
        for depth in range(len(stack) - 1, -1, -1):
            known = stack[depth].frame
            if known is caller or known is frame:
                self._unwind(depth)
                if known is caller:
                    self._push(frame)
                return
        self._enter_through_helpers(frame)

    def _enter_through_helpers(self, frame: FrameType) -> None:
        """Enter a frame that was called by frames which made no choice."""
        depths = {entry.frame: depth for depth, entry in enumerate(self._stack)}
        entered = []
        outer: FrameType | None = frame
        while outer is not None and outer not in depths:
            entered.append(outer)
            outer = outer.f_back
        self._unwind(-1 if outer is None else depths[outer])
        while entered:
            self._push(entered.pop())

    def _unwind(self, depth: int) -> None:
        stack = self._stack
        while len(stack) > depth + 1:
            stack.pop()

    def _push(self, frame: FrameType) -> None:
        if self._stack:
            caller = self._stack[-1]
            state = self._after_call(caller.state, ~self._calls.at(caller.frame).number)
        else:
            state = self._states.of(((),))
        self._stack.append(_Entry(frame, state, ()))

    def _after_call(self, state: KnownState, token: int) -> KnownState:
        after = state.next.get(token)
        if after is None:
            *outside, inside = state.parts
            parts = (*outside, (*inside, token), ())[-self.window :]
            after = state.next[token] = self._states.of(parts)
        return after


class Frames(CallTree):
    """The same, with the frames kept apart.

    A state is (numbers of the enclosing frames, innermost part, how many choices the innermost frame made).

    For learners that let every frame vote: states of whole stacks are too many to intern, parts are few.
    """

    def __init__(self, *, window: int = 8, recent: int = 3) -> None:
        super().__init__(window=window, recent=recent)

    def state(self, frame: FrameType) -> tuple[tuple[int, ...], KnownState, int]:  # type: ignore[override]
        """What was chosen on the way to `frame`."""
        top = self._stack[-1]
        if frame is not top.frame:
            self._move_to(frame)
            top = self._stack[-1]
        return (top.outside, top.state, top.made)

    def _push(self, frame: FrameType) -> None:
        empty = self._states.of(((),))
        outside: tuple[int, ...] = ()
        if self._stack:
            caller = self._stack[-1]
            called = self._after_call(caller.state, ~self._calls.at(caller.frame).number)
            outside = caller.outside + (called.number,)  # noqa: RUF005 - unpacking is slower when compiled
            if len(outside) > self.window:
                outside = outside[1:]
        self._stack.append(_Entry(frame, empty, outside))
