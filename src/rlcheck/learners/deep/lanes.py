"""Lanes: one or several concurrent episodes that a deep learner answers at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any

from rlcheck import registry
from rlcheck.abilities import LearnerBase, as_learner
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.learners._exploration import any_option
from rlcheck.learners.deep.codes import Codes
from rlcheck.protocols import Learner, State

#: More options than this are split into this many equal buckets; any option of a bucket is taken.
MOST_OPTIONS = 256


class Lane:
    """A running episode: its questions and answers so far.

    Args:
        learner: The learner that answers it.
        place: Its number among the lanes.
    """

    __slots__ = (
        *("learner", "led", "n", "outputs", "place", "points"),
        *("rewards", "scores", "sizes", "states", "wanted"),
    )

    def __init__(self, learner: Lanes, place: int) -> None:
        self.learner = learner
        self.place = place
        self.drop()

    def drop(self) -> None:
        """Forget the running episode."""
        #: The index that the pending choice must take; -1 leaves it to the learner.
        self.wanted = -1
        #: How many options the pending choice has.
        self.n = 0
        #: The point, the state and the number of outputs of each choice, as the learner's codes.
        self.points: list[int] = []
        self.states: list[bytes] = []
        self.sizes: list[int] = []
        #: Which output of the network each answered choice took, and its log-probability.
        self.outputs: list[int] = []
        self.scores: list[float] = []
        #: Whether one of its choices was made for the learner.
        self.led = False
        #: Rewards, each with the number of choices before it.
        self.rewards: list[tuple[int, float]] = []

    def ask(self, point: ChoicePoint, state: State, n: int) -> None:
        """Record a choice that waits for an answer."""
        codes = self.learner.codes
        self.points.append(codes.point(point))
        self.states.append(codes.features(state))
        self.sizes.append(n if n < MOST_OPTIONS else MOST_OPTIONS)
        self.n = n

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that was made for the learner."""
        self.ask(point, state, n)
        self.wanted = index
        self.led = True
        self.learner.answer([self])

    def reward(self, value: float) -> None:
        """Record a reward for the choices made so far."""
        self.rewards.append((len(self.outputs), value))

    def update(self, episode: Episode) -> None:
        """Let the learner learn from the episode."""
        if episode.progress:
            self.reward(episode.progress)
        self.reward(episode.reward)
        if self.outputs:
            self.learner.learn(self, episode)
        self.drop()


class Lanes(LearnerBase, ABC):
    """A learner that answers many episodes at once; another learner may play the first ones.

    Args:
        codes: Numbers for choice points, choices and states.
        lanes: How many episodes side by side.
        bootstrap: The learner that plays the first episodes; None for none.
        bootstrap_episodes: How many it plays.
    """

    imitates = True

    def __init__(
        self,
        codes: Codes,
        *,
        lanes: int,
        bootstrap: str | Learner[Any] | None,
        bootstrap_episodes: int,
        seed: int | None,
    ) -> None:
        check_integer("lanes", lanes)
        self.codes = codes
        self.rng = Random(seed)
        #: How many more episodes the teacher plays.
        self.taught = 0
        self._teacher = LearnerBase()
        if bootstrap is not None:
            self._teacher = teacher = as_learner(registry.make("learner", bootstrap))
            self.taught = bootstrap_episodes
            #: A guide with a seed reseeds it too.
            self.members = [teacher]
            self.coverage, self.abstraction = teacher.coverage, teacher.abstraction
        self._wanted = lanes
        self._made: list[Lane] = [Lane(self, place) for place in range(lanes)]

    @property
    def lanes(self) -> int:  # type: ignore[override]
        """How many episodes run side by side: one while the teacher plays."""
        return 1 if self.taught else self._wanted

    def lane(self, place: int) -> Lane:
        """One of them."""
        return self._made[place]

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Answer a single episode."""
        lane = self._made[0]
        if self.taught:
            index = self._teacher.select(point, state, n)
            lane.observe(point, state, n, index)
            return index
        lane.ask(point, state, n)
        return self.answer([lane])[0]

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that was made for the learner."""
        if self.taught:
            self._teacher.observe(point, state, n, index)
        self._made[0].observe(point, state, n, index)

    def reward(self, value: float) -> None:
        """Record a reward."""
        if self.taught:
            self._teacher.reward(value)
        self._made[0].reward(value)

    def update(self, episode: Episode) -> None:
        """Learn from the episode that just ended."""
        self._made[0].update(episode)
        if self.taught:
            self._teacher.update(episode)
            self.taught -= 1

    def drop(self) -> None:
        """Forget the running episode."""
        self._made[0].drop()
        if self.taught:
            self._teacher.drop()

    def answer(self, lanes: Sequence[Lane]) -> list[int]:
        """Return the indices that the lanes wait for."""
        forced = [lane.wanted for lane in lanes]
        sizes = [lane.sizes[-1] for lane in lanes]
        wanted = [output_of(index, lane.n) for index, lane in zip(forced, lanes, strict=True)]
        outputs = self.outputs(lanes, sizes, wanted)
        made = []
        for lane, output, index in zip(lanes, outputs, forced, strict=True):
            lane.outputs.append(output)
            lane.wanted = -1
            if index >= 0:
                made.append(index)
            else:
                made.append(output if lane.n <= MOST_OPTIONS else any_in(self.rng, output, lane.n))
        return made

    @abstractmethod
    def outputs(self, lanes: Sequence[Lane], sizes: list[int], wanted: list[int]) -> list[int]:
        """Return the output of the network that each lane takes: the wanted one unless it is negative."""

    @abstractmethod
    def learn(self, lane: Lane, episode: Episode) -> None:
        """Learn from a lane whose episode has ended."""


def output_of(index: int, n: int) -> int:
    """Return the output for an option of n; -1 for none."""
    return index if n <= MOST_OPTIONS or index < 0 else index * MOST_OPTIONS // n


def any_in(rng: Random, output: int, n: int) -> int:
    """Return a random one of the options of an output."""
    low = -(-output * n // MOST_OPTIONS)
    high = -(-(output + 1) * n // MOST_OPTIONS)
    return low + any_option(rng, high - low)
