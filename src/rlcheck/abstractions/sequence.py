"""Sequence: the last choices of the episode, whatever made them (RLCheck, section 4.3)."""

from __future__ import annotations

from types import FrameType

from rlcheck.abilities import AbstractionBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.states import KnownState, States


class Sequence(AbstractionBase):
    """A sliding window over the choices.

    Args:
        window: How many choices a state holds (w).
    """

    def __init__(self, *, window: int = 4) -> None:
        self.window = check_integer("window", window)
        self._states = States()
        self._state = self._states.of(((),))

    def fork(self) -> Sequence:
        """Return another abstraction for a concurrent episode; they share interned states."""
        other = type(self)(window=self.window)
        other._states = self._states
        return other

    def start(self, frame: FrameType) -> None:
        """Forget the last episode."""
        self._state = self._states.of(((),))

    def state(self, frame: FrameType) -> KnownState:
        """Return the last choices."""
        return self._state

    def record(self, point: ChoicePoint, index: int) -> None:
        """Slide the window."""
        token = index << 16 | point.number
        state = self._state.next.get(token)
        if state is None:
            choices = (*self._state.parts[0], token)[-self.window :]
            state = self._state.next[token] = self._states.of((choices,))
        self._state = state

    def finish(self) -> None:
        """Do nothing: there is nothing to release."""
