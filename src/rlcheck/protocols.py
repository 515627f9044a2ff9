"""What a learner, an abstraction, a reward, a characteristic and an observer must offer.

These are protocols: implement the methods, subclass nothing. What else each of them can do is in
`abilities`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import FrameType
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode

#: Any hashable; abstractions give a tuple of parts, outermost first.
State: TypeAlias = Hashable
S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Learner(Protocol[S_contra]):
    """Answers choices, and learns from their outcome."""

    def select(self, point: ChoicePoint, state: S_contra, n: int) -> int:
        """Pick one of `n` options; return its index."""
        ...

    def reward(self, value: float) -> None:
        """Take a reward for the choices made so far in this episode."""
        ...

    def update(self, episode: Episode) -> None:
        """Learn from a finished episode: its choices, outcome and reward, and whether it is unique."""
        ...


@runtime_checkable
class Lockstep(Protocol):
    """A learner that answers many episodes at once."""

    def lane(self, place: int) -> Any:
        """Return the learner of one episode; it has `ask` in place of `select`."""
        ...

    def answer(self, lanes: Sequence[Any]) -> list[int]:
        """Return the index that each of these lanes waits for."""
        ...


@runtime_checkable
class Abstraction(Protocol):
    """Turns what happened so far in an episode into a state."""

    def start(self, frame: FrameType) -> None:
        """Begin an episode driven from `frame`."""
        ...

    def state(self, frame: FrameType) -> State:
        """Return the state of a choice asked for in `frame`."""
        ...

    def record(self, point: ChoicePoint, index: int) -> None:
        """Note the choice made in the state last returned."""
        ...

    def finish(self) -> None:
        """Release what belongs to the episode."""
        ...


#: What a table has counted. The key is an option that was taken: the name of its point, the state, the number
#: of options and its index. The value is how often it was taken, and the sum of its rewards.
Counts: TypeAlias = dict[tuple[Hashable, State, int, int], tuple[int, float]]

#: What a finished episode is worth.
Reward: TypeAlias = Callable[[Episode], float]

#: What makes two inputs the same (the paper's xi), as a digest.
Characteristic: TypeAlias = Callable[[Episode], int]

#: Called with each finished episode. Observers never touch learners.
Observer: TypeAlias = Callable[[Episode], None]
