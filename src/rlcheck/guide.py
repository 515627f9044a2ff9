"""Guide: answers one generator's choices with one learner. Start reading here.

A front end calls `start`, runs user code that calls `choose`, and closes with `finish`.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Any, TypeVar

from rlcheck import registry
from rlcheck.abilities import (
    AbstractionBase,
    LearnerBase,
    as_abstraction,
    as_learner,
    as_reward,
    most_demanding,
    seed_learner,
)
from rlcheck.characteristics import characteristic_of
from rlcheck.checks import check_integer
from rlcheck.choice import (
    ChoicePoint,
    ChoicePoints,
    as_sequence,
    check_index,
    check_weights,
    count,
    no_options,
    unhashable,
)
from rlcheck.coverage import Coverage
from rlcheck.coverage.session import CoverageSession
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError, GuideError, Overrun
from rlcheck.generators import ONE_CHOICE
from rlcheck.protocols import Abstraction, Learner, Observer, Reward, State

T = TypeVar("T")

_ANYWHERE = ChoicePoint("anywhere", 0)
_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.


class Guide:
    """Answers choices, records them, and teaches the learner how they turned out.

    Args:
        learner: A name, or an object with `select`, `reward` and `update`.
        abstraction: Makes the states of choices that do not bring their own.
        seed: Same seed, same choices. It reseeds a learner given as an object.
        reward: What a finished episode is worth.
        characteristic: What makes two inputs the same: a name, or a function of the input.
        max_choices: Longer episodes are cut off and count as INVALID.
        observers: Called with each finished episode.
        coverage: Records the branches that each episode takes while it is on. The caller turns it on and off.
    """

    def __init__(
        self,
        learner: str | Learner[Any] | None = None,
        abstraction: str | Abstraction | None = None,
        seed: int | None = None,
        *,
        reward: str | Reward | None = None,
        characteristic: str | Callable[[Any], Hashable] | None = None,
        max_choices: int = 10_000,
        observers: Iterable[Observer] = (),
        coverage: Coverage | None = None,
    ) -> None:
        #: The learner as it was given.
        self.learner: Any = registry.make("learner", learner)
        self.abilities: LearnerBase = as_learner(self.learner)
        if abstraction is None:
            abstraction = self.abilities.abstraction
        self.abstraction: AbstractionBase = as_abstraction(registry.make("abstraction", abstraction))
        self._max_choices = check_integer("max_choices", max_choices)
        if seed is not None:
            seed_learner(self.abilities, seed)
        self.observers = list(observers)
        for observer in self.observers:
            if not callable(observer):
                raise ConfigurationError(f"observers={self.observers!r} must be functions of an episode.")
        self.points = ChoicePoints()
        self._reward = as_reward(registry.make("reward", reward))
        self._characteristic = characteristic_of(characteristic)
        needed = most_demanding(self._reward.coverage, self._characteristic.coverage)
        #: Turns coverage on and off, and knows whether the user grades invalid inputs.
        self.session = CoverageSession(coverage, needed=needed)
        #: Whether the branches of the running episode are recorded.
        self.noting = False
        #: Whether new branches are rewarded before each choice.
        self.steps = self._reward.steps
        self._seen: set[int] = set()
        self._episode: Episode | None = None
        #: The choices of the running episode so far, or of the last one, and how many options each had.
        self.choices: list[int] = []
        self._sizes: list[int] = []
        # How many choices the running episode may make; 0 when none is running.
        self._room = 0
        # Whether this episode needs neither points nor states.
        self._blind = False
        # Choice sequences to begin episodes with, and what is left of the one for this episode.
        self._examples: deque[Iterator[int]] = deque()
        self._lead: Iterator[int] | None = None
        # The frame that started the episode, until the abstraction needs it: for a choice without a state.
        self._root: FrameType | None = None

    @property
    def coverage(self) -> Coverage | None:
        """The coverage that records the branches of episodes, if any."""
        return self.session.coverage

    @property
    def running(self) -> bool:
        """Whether an episode is running."""
        return self._episode is not None

    def fork(self, learner: LearnerBase, abstraction: AbstractionBase) -> Guide:
        """Return a guide for concurrent episodes; it shares points, coverage and the inputs seen."""
        other = Guide(learner, abstraction, max_choices=self._max_choices, observers=self.observers)
        other.points = self.points
        other.session = self.session
        other._reward, other.steps = self._reward, self.steps
        other._characteristic, other._seen = self._characteristic, self._seen
        other._examples = self._examples
        return other

    def start(self, frame: FrameType | None = None) -> Episode:
        """Begin an episode, driven from `frame`: the caller's when none is given."""
        if self._episode is not None:
            raise GuideError("start() was called twice. Close the running episode with finish().")
        self._episode = episode = Episode()
        self.choices, self._sizes = episode.choices, episode.sizes
        self._room = self._max_choices
        self._lead = self._examples.popleft() if self._examples else None
        self._blind = self.abilities.blind and self._lead is None
        if not self._blind:
            self._root = sys._getframe(1) if frame is None else frame
        if self.session.coverage is not None:
            self.noting = self.session.begin(looking=self.abilities.looking, cold=not self._seen)
        return episode

    def choose(
        self,
        options: Sequence[T] | type[T],
        *,
        at: Hashable | None = None,
        state: State | None = None,
        weights: Sequence[float] | None = None,
        take: int | None = None,
    ) -> T:
        """Pick one of the options.

        Args:
            options: A sequence, a range or an Enum class.
            at: The name of the choice point; the call site when not given.
            state: What the choice may depend on; the guide's abstraction when not given. A choice with
                a state of its own is not part of the automatic state of later ones.
            weights: How likely each option is before anything is learned; equally when not given.
            take: The index to take, if it is already decided; the learner still learns from it.
        """
        # The hot path: every choice pays for every line here.
        if len(self.choices) >= self._room:
            self._no_room()
        try:
            n = len(options)  # type: ignore[arg-type]
        except (TypeError, OverflowError):
            n = count(options)
        if n == 0:
            raise no_options(options, at)
        if isinstance(options, dict):
            as_sequence(options)
        if self._blind:
            index = self._decide(_ANYWHERE, (), n, weights, take)
        elif state is None:
            frame = sys._getframe(1)
            if at is None:
                point = self.points.at(frame)
            else:
                point = self._point(at)
                if frame.f_code is ONE_CHOICE:
                    frame = frame.f_back  # type: ignore[assignment]
            if not point.met:
                point.meet(options)
            index = self._decide_in(frame, point, n, weights, take)
        else:
            point = self.points.at(sys._getframe(1)) if at is None else self._point(at)
            try:
                index = self._decide(point, state, n, weights, take)
            except TypeError as error:
                raise unhashable("state", state, error) from error
        if self.noting:
            self.session.options.append(options)
        try:
            return options[index]  # type: ignore[index]
        except (TypeError, KeyError):
            return as_sequence(options)[index]  # type: ignore[no-any-return]

    def draw(self, n: int, frame: FrameType, weights: Sequence[float] | None = None) -> int:
        """Pick the index of one of `n` options, as if `frame` had asked.

        For front ends between a generator and its guide: their own frames do not belong to a state.
        """
        if len(self.choices) >= self._room:
            self._no_room()
        if self._blind:
            return self._decide(_ANYWHERE, (), n, weights, None)
        return self._decide_in(frame, self.points.at(frame), n, weights, None)

    def imitate(self, choices: Iterable[int]) -> None:
        """Begin a later episode with these choices, as far as they fit."""
        self._examples.append(iter(choices))

    def discard(self, since: int) -> None:
        """Say that the choices from number `since` on were rejected, and are about to be made again."""
        self._running("discard()")
        self.abilities.discard(since)

    def made(self, value: Any) -> None:
        """Say what the generator made, before a test gets to change it.

        Without this call, the choices stand for the input.
        """
        episode = self._running("made()")
        episode.value = value
        if self._characteristic.coverage is None:  # Branches are only known after the test.
            episode.digest = self._characteristic(episode)

    def near(self, progress: float) -> None:
        """Say how near to a valid input this episode came, from 0 to 1, should it be invalid."""
        episode = self._running("near()")
        episode.progress += progress
        self.session.graded = True

    def reward(self, value: float) -> None:
        """Reward the choices made so far in this episode."""
        episode = self._running("reward()")
        self.session.graded = True
        self._pay(episode, value)

    def finish(self, outcome: Outcome) -> Episode:
        """Close the episode: decide whether its input is new, learn from it, tell the observers."""
        episode = self._running("finish()")
        if not isinstance(outcome, Outcome):
            raise GuideError(f"outcome={outcome!r} must be an rlcheck.Outcome: INVALID, VALID or FAILED.")
        episode.outcome = outcome
        if self.noting:
            self.noting = False
            self.session.end(episode, cold=not self._seen and not self.steps)
        if outcome is not _INVALID:
            if episode.digest is None:
                episode.digest = self._characteristic(episode)
            episode.unique = episode.digest not in self._seen
            self._seen.add(episode.digest)
        self._close()
        episode.reward = self._reward(episode)
        self.abilities.update(episode)
        for observer in self.observers:
            observer(episode)
        return episode

    def mark_seen(self, digests: Iterable[int]) -> None:
        """Count inputs with these characteristics as seen: another worker has made them."""
        self._seen.update(digests)

    def abandon(self) -> None:
        """Drop the running episode, if any, without learning from it or calling observers."""
        if self._episode is not None:
            self.noting = False
            self._close()
            self.abilities.drop()

    def _decide_in(
        self, frame: FrameType, point: ChoicePoint, n: int, weights: Sequence[float] | None, take: int | None
    ) -> int:
        """Answer a choice that was asked for in a frame, with the state from the abstraction."""
        if self._root is not None:
            self.abstraction.start(self._root)
            self._root = None
        index = self._decide(point, self.abstraction.state(frame), n, weights, take)
        self.abstraction.record(point, index)
        return index

    def _decide(
        self, point: ChoicePoint, state: Any, n: int, weights: Sequence[float] | None, take: int | None
    ) -> int:
        """Answer a choice, and record it."""
        if self.steps:
            self._advance()
        if take is None and self._lead is not None:
            take = self._example(n)
        if take is not None:
            index = check_index(take, n)
            self.abilities.observe(point, state, n, index)
        elif weights is None:
            index = self.abilities.select(point, state, n)
        else:
            check_weights(weights, n)
            index = self.abilities.select_weighted(point, state, n, weights)
        self.choices.append(index)
        self._sizes.append(n)
        return index

    def _example(self, n: int) -> int | None:
        """Return the next choice to imitate. None means that it does not fit, which ends the example."""
        assert self._lead is not None
        index = next(self._lead, -1)
        if 0 <= index < n:
            return index
        self._lead = None
        return None

    def _advance(self) -> None:
        """Reward the learner for new branches before it selects."""
        value = self._reward.step(self.session.advance())
        if value:
            self._pay(self._running("choose()"), value)

    def _pay(self, episode: Episode, value: float) -> None:
        episode.earned += value
        self.abilities.reward(value)
        self.abstraction.reward(value)

    def _running(self, verb: str) -> Episode:
        if self._episode is None:
            raise GuideError(f"{verb} was called outside an episode. Call guide.start() first.")
        return self._episode

    def _point(self, at: Hashable) -> ChoicePoint:
        try:
            return self.points.named(at)
        except TypeError as error:
            raise unhashable("at", at, error) from error

    def _close(self) -> None:
        self._episode = None
        self._room = 0
        if self._root is not None:
            self._root = None
        elif not self._blind:
            self.abstraction.finish()

    def _no_room(self) -> None:
        self._running("choose()").overrun = True
        raise Overrun(f"the episode made more than max_choices={self._max_choices} choices")
