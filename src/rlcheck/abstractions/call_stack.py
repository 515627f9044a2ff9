"""CallStack: the function and line of every running frame, optionally with a history; needs no annotation.

Reference: Tsai and Taylor, "DeepRNG", 2021: the call stack (CS), with histories of past states (S), actions
(A) and rewards (R).
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any
from zlib import crc32

from rlcheck.abstractions.call_tree import CallTree
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import State
from rlcheck.states import KnownState


class CallStack(CallTree):
    """The frames from the one that started the episode inwards; those of rlcheck itself are left out.

    Frames that are still running are not visited again, so the cost per choice does not grow with the depth.

    Args:
        frames: How many frames a state holds, counted from the innermost.
        history: What a state says about earlier choices: any of the letters S (their states), A (the indices
            of the options taken) and R (the rewards that followed).
        recent: How many earlier choices it includes.
    """

    def __init__(self, *, frames: int = 32, history: str = "", recent: int = 2) -> None:
        super().__init__(window=check_integer("frames", frames), recent=check_integer("recent", recent))
        if not isinstance(history, str) or not set(history) <= set("SAR"):
            raise ConfigurationError(
                f"history={history!r} must be made of the letters S, A and R, or be empty."
            )
        self.history = history
        self._of_states = "S" in history
        self._of_actions = "A" in history
        self._of_rewards = "R" in history
        self._past: tuple[Any, ...] = ()
        self._at: KnownState = self._states.of(((),))
        self._rewarded = 0.0
        self._codes: list[CodeType] = []

    def fork(self) -> CallStack:
        """Return another abstraction for a concurrent episode; they share interned states."""
        other = CallStack(frames=self.window, history=self.history, recent=self.recent)
        other._states, other._codes, other._empty = self._states, self._codes, self._empty
        return other

    def state(self, frame: FrameType) -> State:  # type: ignore[override]
        """Return the stack at `frame`, with the history in front."""
        if self._depth > 1 and frame is self._top.frame:
            level = self._levels[self._depth - 2]
            if frame.f_back is not level.frame:
                self._unwind(self._depth - 2)  # A suspended function that continues has another caller.
        if frame is not self._top.frame:
            self._move_to(frame)
        self._at = self._called()
        if self.history:
            self._tell()
            return (*self._past, self._at)
        return self._at

    def reward(self, value: float) -> None:
        """Record a reward for the latest choice."""
        self._rewarded += value

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the history."""
        if self.history:
            entry = [self._at] if self._of_states else []
            if self._of_actions:
                entry.append(index)  # type: ignore[arg-type]
            self._past = (*self._past, tuple(entry))[-self.recent :]

    def finish(self) -> None:
        """Release the frames and the history."""
        CallTree.finish(self)
        self._past = ()
        self._rewarded = 0.0

    def _tell(self) -> None:
        """Complete the latest entry of the history."""
        if self._of_rewards and self._past:
            self._past = (*self._past[:-1], (*self._past[-1], self._rewarded))
            self._rewarded = 0.0

    def _called(self) -> KnownState:
        """Return the stack up to the current line of the innermost frame."""
        frame: FrameType = self._top.frame  # type: ignore[assignment]
        code = frame.f_code
        # The address of the instruction: a code object holds its instructions, so no two share one.
        place = id(code) + frame.f_lasti
        before = self._top.inside
        after = before.next.get(place)
        if after is None:
            self._codes.append(code)  # Keeps its address from being reused.
            after = before.next[place] = self._beyond(before, frame)
        return after

    def _move_to(self, frame: FrameType) -> None:
        """Unwind to the innermost frame that is still running, then enter the new ones."""
        entered = []
        depth = -1
        outer: FrameType | None = frame
        while outer is not None:  # pragma: no branch - the frame that started the episode is still there.
            depth = self._depth_of(outer)
            if depth >= 0:
                break
            entered.append(outer)
            outer = outer.f_back
        self._unwind(depth)
        for place in range(len(entered) - 1, -1, -1):
            self._push(entered[place])

    def _depth_of(self, frame: FrameType) -> int:
        """Return the place of a frame among those that were running; -1 for a new one."""
        for depth in range(self._depth):
            level = self._levels[depth]
            if level.frame is frame:
                return depth
        return -1

    def _beyond(self, before: KnownState, frame: FrameType) -> KnownState:
        module = frame.f_globals.get("__name__", "?")
        if module == "rlcheck" or module.startswith("rlcheck."):
            return before
        # Not a number in the order of visits: agents in several processes have to see the same states.
        line = crc32(f"{module}.{frame.f_code.co_qualname}:{frame.f_lineno}".encode())
        return self._states.of((*before.parts, (line,))[-self.window :])
