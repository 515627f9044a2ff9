"""Lanes: several episodes side by side, or one, that a deep learner answers in one go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from rlcheck import registry
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._codes import Codes
from rlcheck.learners._exploration import any_option
from rlcheck.protocols import Learner, State

#: More options than this are answered by so many equal buckets of them, and any option of a bucket.
MOST_OPTIONS = 256


class Lane:
    """A running episode: what was asked so far, and what was answered.

    Args:
        learner: Whose it is.
        place: Its number among the lanes.
    """

    __slots__ = (
        *("lead", "learner", "led", "n", "outputs", "place"),
        *("points", "rewards", "scores", "sizes", "states"),
    )

    def __init__(self, learner: Lanes, place: int) -> None:
        self.learner = learner
        self.place = place
        #: What is left to imitate.
        self.lead: Iterator[int] | None = None
        self._begin()

    def _begin(self) -> None:
        #: How many options there are, and of each choice: its point, its state and its number of outputs, as
        #: numbers of the learner's.
        self.n = 0
        self.points: list[int] = []
        self.states: list[bytes] = []
        self.sizes: list[int] = []
        #: Of each answered choice: which output of the network was taken, and its log-probability.
        self.outputs: list[int] = []
        self.scores: list[float] = []
        #: Whether any of its choices was another's.
        self.led = False
        #: Rewards, each after so many choices.
        self.rewards: list[tuple[int, float]] = []

    def ask(self, point: ChoicePoint, state: State, n: int) -> None:
        """Take note of a choice to be answered."""
        codes = self.learner.codes
        self.points.append(codes.point(point))
        self.states.append(codes.features(state))
        self.sizes.append(n if n < MOST_OPTIONS else MOST_OPTIONS)
        self.n = n

    def forced(self) -> int:
        """The option to imitate; -1 when it does not fit, and then nothing more is imitated."""
        index = -1 if self.lead is None else next(self.lead, -1)
        if 0 <= index < self.n:
            self.led = True
            return index
        self.lead = None
        return -1

    def reward(self, value: float) -> None:
        """Take note of a reward for the choices made so far."""
        self.rewards.append((len(self.outputs), value))

    def update(self, outcome: Outcome) -> None:
        """Let the learner learn from the episode."""
        if self.outputs:
            self.learner.learn(self, outcome)
        self.drop()

    def imitate(self, choices: Iterable[int]) -> None:
        """Take these choices in the next episode, as far as they fit."""
        self.lead = iter(choices)

    def drop(self) -> None:
        """Forget the running episode."""
        self.lead = None
        self._begin()


class Lanes(ABC):
    """A learner that answers many episodes at once; the first ones may be another learner's.

    Args:
        codes: Numbers for choice points, choices and states.
        lanes: How many episodes side by side.
        bootstrap: Whose the first episodes are; None for nobody's.
        bootstrap_episodes: How many.
    """

    def __init__(
        self,
        codes: Codes,
        *,
        lanes: int,
        bootstrap: str | Learner[Any] | None,
        bootstrap_episodes: int,
        seed: int | None,
    ) -> None:
        if isinstance(lanes, bool) or not isinstance(lanes, int) or lanes < 1:
            raise ConfigurationError(f"lanes={lanes!r} must be an integer of at least 1.")
        self.codes = codes
        self.rng = Random(seed)
        teacher = None if bootstrap is None else registry.make("learner", bootstrap)
        #: Whose the first episodes are; a guide with a seed reseeds it too.
        self.members = [] if teacher is None else [teacher]
        #: What of the branches it looks at.
        self.coverage = getattr(teacher, "coverage", None)
        if teacher is not None:
            registry.check_methods("learner", teacher, ("select", "reward", "update"))
            if getattr(teacher, "abstraction", None) is not None:
                self.abstraction = teacher.abstraction
        #: How many episodes are still the teacher's.
        self.taught = 0 if teacher is None else bootstrap_episodes
        self._teacher: Any = teacher
        self._wanted = lanes
        self._made: list[Lane] = [Lane(self, place) for place in range(lanes)]

    @property
    def lanes(self) -> int:
        """How many episodes run side by side: one while a teacher has the say."""
        return 1 if self.taught else self._wanted

    def lane(self, place: int) -> Lane:
        """One of them."""
        return self._made[place]

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """The answer to one episode alone."""
        lane = self._made[0]
        lane.ask(point, state, n)
        if self.taught:
            index: int = self._teacher.select(point, state, n)
            lane.lead = iter((index,))
        return self.answer([lane])[0]

    def reward(self, value: float) -> None:
        """Take note of a reward."""
        if self.taught:
            self._teacher.reward(value)
        self._made[0].reward(value)

    def update(self, outcome: Outcome) -> None:
        """Learn from the episode that just ended."""
        self._made[0].update(outcome)
        if self.taught:
            self._teacher.update(outcome)
            self.taught -= 1

    def see(self, episode: Episode) -> None:
        """Show the episode to the teacher."""
        if self.taught and hasattr(self._teacher, "see"):
            self._teacher.see(episode)

    def imitate(self, choices: Iterable[int]) -> None:
        """Take these choices in the next episode, as far as they fit."""
        wanted = self._teacher if self.taught and hasattr(self._teacher, "imitate") else self._made[0]
        wanted.imitate(choices)

    def drop(self) -> None:
        """Forget the running episode."""
        self._made[0].drop()
        if self.taught:
            if hasattr(self._teacher, "drop"):
                self._teacher.drop()
            else:
                self._teacher.update(Outcome.INVALID)

    def answer(self, lanes: Sequence[Lane]) -> list[int]:
        """The indices that the lanes wait for."""
        forced = [-1 if lane.lead is None else lane.forced() for lane in lanes]
        sizes = [lane.sizes[-1] for lane in lanes]
        wanted = [output_of(index, lane.n) for index, lane in zip(forced, lanes, strict=True)]
        outputs = self.outputs(lanes, sizes, wanted)
        made = []
        for lane, output, index in zip(lanes, outputs, forced, strict=True):
            lane.outputs.append(output)
            if index >= 0:
                made.append(index)
            else:
                made.append(output if lane.n <= MOST_OPTIONS else any_in(self.rng, output, lane.n))
        return made

    @abstractmethod
    def outputs(self, lanes: Sequence[Lane], sizes: list[int], wanted: list[int]) -> list[int]:
        """Which output of the network each lane takes: the wanted one where it is not negative."""

    @abstractmethod
    def learn(self, lane: Lane, outcome: Outcome) -> None:
        """Learn from a lane whose episode ended."""


def output_of(index: int, n: int) -> int:
    """The output that stands for an option of n; -1 for none."""
    return index if n <= MOST_OPTIONS or index < 0 else index * MOST_OPTIONS // n


def any_in(rng: Random, output: int, n: int) -> int:
    """Any of the options that an output stands for."""
    low = -(-output * n // MOST_OPTIONS)
    high = -(-(output + 1) * n // MOST_OPTIONS)
    return low + any_option(rng, high - low)
