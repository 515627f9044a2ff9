"""What a learner, an abstraction, a reward, a characteristic and an observer have to offer.

These are protocols: implement the methods, subclass nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import FrameType
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome

#: Any hashable; abstractions give a tuple of parts, outermost first.
State: TypeAlias = Hashable
S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Learner(Protocol[S_contra]):
    """Answers choices, and learns from what came of them.

    Other attributes are optional. A learner with `rng`, a `random.Random`, is reseeded by a guide that has
    a seed. One that is `blind` when an episode starts does not look at points and states in it, so none are
    computed. `abstraction` names the one it works best with. One that is `exhausted` has made every input
    there is. One with a method `drop()` is told to forget an episode that was abandoned; others learn that
    it was INVALID. `price` says what a choice costs beyond a random one, as many branches as a coverage notes
    in that time: an `ApiTest` compares members of a portfolio for equal cost. One with a method
    `imitate(choices)` takes these in the next episode, as far as they fit; each is asked for when it is
    needed. One with a method `select_weighted(point, state, n, weights)` heeds how likely each option is by
    itself. One with a method `discard(since)` is told that the choices of the running episode from number
    `since` on were rejected, and are about to be made again.

    One with a method `see(episode)` is shown the finished episode before its last reward: its choices,
    whether it is unique, and its branches where coverage is on. `coverage`, "counts" or "path", says what of
    these branches it would look at: a campaign then turns coverage on where it can. While `looking` is False
    it can do without, and none are noted that nobody else asked for. Those in its `members` are reseeded with
    it. `select` is looked up anew for each episode. One with a method
    `avoid(choices, sizes)` is told between episodes what other workers have made, and how many options there
    were: it need not be made again. One with a table of sums has methods `counts()`, what it has counted, and
    `merge(counts, named)`, which adds what other workers have; `named` gives the point of a name.

    One with `lanes` above 1 wants so many episodes side by side: `lane(place)` gives what it keeps of one of
    them, with `ask(point, state, n)` in place of `select` and the other methods of a learner, and
    `answer(lanes)` gives the indices that these wait for.
    """

    def select(self, point: ChoicePoint, state: S_contra, n: int) -> int:
        """The index, below `n`, of the option to take."""
        ...

    def reward(self, value: float) -> None:
        """Take note of a reward for the choices made so far in this episode."""
        ...

    def update(self, outcome: Outcome) -> None:
        """Learn from the episode that just ended; its last reward has been given."""
        ...


@runtime_checkable
class Abstraction(Protocol):
    """Turns what happened so far in an episode into a state.

    One with a method `beside()` gives another one for an episode at the same time, with equal states for
    equal histories; without it, episodes run one at a time.
    One with a method `reward(value)` is told of rewards that arrive before the episode ends.
    """

    def start(self, frame: FrameType) -> None:
        """Begin an episode driven from `frame`."""
        ...

    def state(self, frame: FrameType) -> State:
        """The state of a choice asked for in `frame`."""
        ...

    def record(self, point: ChoicePoint, index: int) -> None:
        """Take note of the choice that was made in the state last asked for."""
        ...

    def finish(self) -> None:
        """Let go of the episode."""
        ...


#: What a table has counted: of each option that was taken, by the name of its point, the state, the number of
#: options and its index, how often it was, and the sum of its rewards.
Counts: TypeAlias = dict[tuple[Hashable, State, int, int], tuple[int, float]]

#: The worth of a finished episode. One with an attribute `coverage`, "counts" or "path", looks at that of
#: its episode. One with a method `step(new)` is asked before each choice what so many new branches are worth.
Reward: TypeAlias = Callable[[Episode], float]

#: What makes two inputs the same (the paper's xi), as a digest. One with an attribute `coverage`, "counts" or
#: "path", looks at that of its episode, and is taken after the test.
Characteristic: TypeAlias = Callable[[Episode], int]

#: Called with each finished episode. Observers never touch learners.
Observer: TypeAlias = Callable[[Episode], None]
