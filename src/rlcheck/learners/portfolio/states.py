"""MemberStates: the abstractions of several members; each turn uses one."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

from rlcheck import registry
from rlcheck.abilities import AbstractionBase, LearnerBase, as_abstraction
from rlcheck.choice import ChoicePoint


def abstraction_of(members: Sequence[LearnerBase]) -> Any:
    """Return the abstraction of all members that look at states, or one that combines several."""
    wanted = [member.abstraction for member in members if not is_always_blind(member)]
    if len(set(wanted)) == 1:
        return wanted[0]
    return MemberStates(members) if wanted else None


def is_always_blind(member: LearnerBase) -> bool:
    """Return whether a learner never looks at states, according to its class."""
    return type(member).blind is True


class MemberStates(AbstractionBase):
    """Gives the states of the member whose turn it is."""

    def __init__(self, members: Sequence[LearnerBase]) -> None:
        made: dict[Any, AbstractionBase] = {}
        self._each: list[AbstractionBase] = []
        for member in members:
            wanted = member.abstraction
            if wanted not in made:
                made[wanted] = as_abstraction(registry.make("abstraction", wanted))
            self._each.append(made[wanted])
        self._now = self._each[0]

    def turn(self, place: int) -> None:
        """Give the states of another member, from the next episode on."""
        self._now = self._each[place]

    def start(self, frame: FrameType) -> None:
        """Pass it on."""
        self._now.start(frame)

    def state(self, frame: FrameType) -> Any:
        """Ask the member's."""
        return self._now.state(frame)

    def record(self, point: ChoicePoint, index: int) -> None:
        """Pass it on."""
        self._now.record(point, index)

    def reward(self, value: float) -> None:
        """Pass it on."""
        self._now.reward(value)

    def finish(self) -> None:
        """Pass it on."""
        self._now.finish()
