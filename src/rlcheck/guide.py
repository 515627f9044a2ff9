"""Guide: answers one generator's choices with one learner. Start reading here.

A front end calls `start`, runs user code that calls `choose`, and closes with `finish`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from math import inf
from types import FrameType
from typing import Any, TypeVar, overload

from rlcheck import registry
from rlcheck.characteristics import characteristic_of
from rlcheck.choice import ChoicePoint, ChoicePoints, as_sequence, count, no_options
from rlcheck.coverage import Coverage
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ChoiceError, ConfigurationError, GuideError, Overrun
from rlcheck.generators import ONE_CHOICE
from rlcheck.protocols import Abstraction, Learner, Observer, Reward, State

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

#: What an invalid input with new branches is worth while nothing is valid: the same for all of them, so that
#: a learner keeps them all, and not only the first, to which most branches are new.
_PROGRESS = 0.5

_ANYWHERE = ChoicePoint("anywhere", 0)
_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.


class Guide:
    """Answers choices, records them, and teaches the learner what came of them.

    Args:
        learner: A name, or an object with `select`, `reward` and `update`.
        abstraction: How states are made for choices that give none.
        reward: The worth of a finished episode.
        characteristic: What makes two inputs the same: a name, or a function of the input.
        seed: Same seed, same choices. It reseeds a learner given as an object.
        max_choices: Longer episodes are cut off and count as INVALID.
        observers: Called with each finished episode.
        coverage: Notes the branches that each episode takes, while it is on. Who made it turns it on and off.
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
        self.learner: Learner[Any] = registry.make("learner", learner)
        registry.check_methods("learner", self.learner, ("select", "reward", "update"))
        if abstraction is None:
            abstraction = getattr(self.learner, "abstraction", None)
        self.abstraction: Abstraction = registry.make("abstraction", abstraction)
        registry.check_methods("abstraction", self.abstraction, ("start", "state", "record", "finish"))
        if isinstance(max_choices, bool) or not isinstance(max_choices, int) or max_choices < 1:
            raise ConfigurationError(f"max_choices={max_choices!r} must be an integer of at least 1.")
        if seed is not None:
            seed_learner(self.learner, seed)
        self.observers = list(observers)
        for observer in self.observers:
            if not callable(observer):
                raise ConfigurationError(f"observers={self.observers!r} must be functions of an episode.")
        self.points = ChoicePoints()
        self._reward: Reward = registry.make("reward", reward)
        if not callable(self._reward):
            raise ConfigurationError(f"reward={reward!r} must be a name or a function of an episode.")
        self._characteristic = characteristic_of(characteristic)
        self.coverage = coverage
        self._check_coverage(reward, characteristic)
        # Branches are known after the test.
        self._is_late = getattr(self._characteristic, "coverage", None) is not None
        #: Whether the branches of the running episode are noted, where there is a coverage.
        self.noting = True
        self._max_choices = max_choices
        self._seen: set[int] = set()
        self._state_of = self.abstraction.state
        self._record = self.abstraction.record
        self._tell_reward: Callable[[float], None] | None = getattr(self.abstraction, "reward", None)
        self._meet_learner()
        #: Whether rewards said how near an episode came: then new branches do not.
        self.graded = False
        self._episode: Episode | None = None
        #: Those of the running episode so far, or of the last one.
        self.choices: list[int] = []
        #: Whether episodes keep how many options there were.
        self.sized = False
        self._sizes: list[int] | None = None
        # How many choices the running episode may make; 0 when none is running.
        self._room = 0
        # The frame that started the episode, until the abstraction has been told of it: an episode
        # whose choices all bring their state never needs one.
        self._root: FrameType | None = None

    def _check_coverage(self, reward: Any, characteristic: Any) -> None:
        needed = registry.coverage_needed(reward=self._reward, characteristic=self._characteristic)
        kept = self.coverage
        if needed is not None and (kept is None or (needed == "path" and not kept.ordered)):
            raise ConfigurationError(
                f"reward={reward!r} with characteristic={characteristic!r} looks at the {needed} of branches,"
                f" which coverage={kept!r} does not keep. Give a Campaign coverage=[modules], or a Guide"
                f" coverage=rlcheck.Coverage([modules], ordered={needed == 'path'})."
            )

    def _meet_learner(self) -> None:
        """Look up once what the learner has to offer."""
        learner = self.learner
        self._may_be_blind = hasattr(learner, "blind")
        self._blind = False
        self._select: Callable[[ChoicePoint, Any, int], int] = learner.select
        self._select_weighted: Callable[[ChoicePoint, State, int, Sequence[float]], int] | None = getattr(
            learner, "select_weighted", None
        )
        self._discard: Callable[[int], None] | None = getattr(learner, "discard", None)
        self._see: Callable[[Episode], None] | None = getattr(learner, "see", None)
        needed = registry.coverage_needed(reward=self._reward, characteristic=self._characteristic)
        # Whether episodes may do without branches that the learner does not look at.
        self._may_spare = needed is None and hasattr(learner, "looking")
        step = getattr(self._reward, "step", None)
        #: Whether new branches are rewarded before each choice.
        self.steps = step is not None
        if step is not None:
            self._step_first(step)

    def beside(self, learner: Learner[Any], abstraction: Abstraction) -> Guide:
        """A guide for other episodes at the same time: it shares the inputs seen and the choice points."""
        other = Guide(
            learner,
            abstraction,
            reward=self._reward,
            max_choices=self._max_choices,
            observers=self.observers,
            coverage=self.coverage,
        )
        other.points = self.points
        other._characteristic = self._characteristic
        other._is_late = self._is_late
        other._seen = self._seen
        return other

    @property
    def running(self) -> bool:
        """Whether an episode is running."""
        return self._episode is not None

    def start(self, frame: FrameType | None = None) -> Episode:
        """Begin an episode, driven from `frame`: the caller's when none is given."""
        if self._episode is not None:
            raise GuideError("start() was called twice. Close the running episode with finish().")
        self._episode = episode = Episode()
        self.choices = episode.choices
        if self.sized:
            self._sizes = episode.sizes = []
        self._room = self._max_choices
        if not self.steps:
            self._select = self.learner.select  # A learner of learners has another one for each episode.
        self._blind = self._may_be_blind and self.learner.blind  # type: ignore[attr-defined]
        if not self._blind:
            self._root = sys._getframe(1) if frame is None else frame
            # A learner of learners may have others of these, too.
            self._state_of = self.abstraction.state
            self._record = self.abstraction.record
        if self.coverage is not None:
            self._look(self.coverage)
        return episode

    @overload
    def choose(
        self,
        options: Sequence[T],
        *,
        at: Hashable | None = None,
        state: State | None = None,
        weights: Sequence[float] | None = None,
    ) -> T: ...
    @overload
    def choose(
        self,
        options: type[E],
        *,
        at: Hashable | None = None,
        state: State | None = None,
        weights: Sequence[float] | None = None,
    ) -> E: ...

    def choose(
        self,
        options: Any,
        *,
        at: Hashable | None = None,
        state: State | None = None,
        weights: Sequence[float] | None = None,
    ) -> Any:
        """One of the options.

        Args:
            options: A sequence, a range or an Enum class.
            at: The name of the choice point; the call site when not given.
            state: What the choice may depend on; the guide's abstraction when not given. A choice with
                a state of its own is not part of the automatic state of later ones.
            weights: How likely each option is before anything is learned; equally when not given.
        """
        # The hot path: every line here is paid at every choice, so no helper is called on the way.
        choices = self.choices
        if len(choices) >= self._room:
            self._no_room()
        try:
            n = len(options)
        except (TypeError, OverflowError):
            n = count(options)
        if n == 0:
            raise no_options(options, at)
        if isinstance(options, dict):
            as_sequence(options)
        select = self._select if weights is None else self._weighing(weights, n)
        if self._blind:
            index = select(_ANYWHERE, (), n)
        elif state is None:
            frame = sys._getframe(1)
            if self._root is not None:
                self._enter()
            if at is None:
                point = self.points.at(frame)
            else:
                point = self._point(at)
                if frame.f_code is ONE_CHOICE:
                    frame = frame.f_back  # type: ignore[assignment]
            state = self._state_of(frame)
            index = select(point, state, n)
            self._record(point, index)
        else:
            point = self.points.at(sys._getframe(1)) if at is None else self._point(at)
            try:
                index = select(point, state, n)
            except TypeError as error:
                raise _explain("state", state, error) from error
        choices.append(index)
        if self._sizes is not None:
            self._sizes.append(n)
        try:
            return options[index]
        except (TypeError, KeyError):
            return as_sequence(options)[index]

    def draw(self, n: int, frame: FrameType, weights: Sequence[float] | None = None) -> int:
        """The index of one of n options, as if `frame` had asked.

        For front ends that stand between a generator and its guide: their frames are no part of a state.
        """
        if len(self.choices) >= self._room:
            self._no_room()
        select = self._select if weights is None else self._weighing(weights, n)
        if self._blind:
            index = select(_ANYWHERE, (), n)
        else:
            if self._root is not None:
                self._enter()
            point = self.points.at(frame)
            index = select(point, self._state_of(frame), n)
            self._record(point, index)
        self.choices.append(index)
        if self._sizes is not None:
            self._sizes.append(n)
        return index

    def discard(self, since: int) -> None:
        """Say that the choices from number `since` on were rejected, and are about to be made again."""
        self._running("discard()")
        if self._discard is not None:
            self._discard(since)

    def made(self, value: Any) -> None:
        """Say what the generator made, before a test gets to change it.

        A guide that is not told takes the choices for the input.
        """
        episode = self._running("made()")
        episode.value = value
        if not self._is_late:
            episode.digest = self._characteristic(episode)

    def reward(self, value: float) -> None:
        """Reward the choices made so far in this episode."""
        self._running("reward()")
        self.graded = True
        self.learner.reward(value)
        if self._tell_reward is not None:
            self._tell_reward(value)

    def finish(self, outcome: Outcome) -> Episode:
        """Close the episode: decide whether its input is new, reward, learn, tell the observers."""
        episode = self._running("finish()")
        if not isinstance(outcome, Outcome):
            raise GuideError(f"outcome={outcome!r} must be an rlcheck.Outcome: INVALID, VALID or FAILED.")
        episode.outcome = outcome
        if self.coverage is not None and self.noting:
            self._cover(self.coverage, episode)
        if outcome is not _INVALID:
            if episode.digest is None:
                episode.digest = self._characteristic(episode)
            episode.unique = episode.digest not in self._seen
            self._seen.add(episode.digest)
        self._close()
        if self._see is not None:
            self._see(episode)
        self.learner.reward(self._reward(episode))
        self.learner.update(outcome)
        for observer in self.observers:
            observer(episode)
        return episode

    def hear(self, digests: Iterable[int]) -> None:
        """Take inputs with these characteristics for seen: another worker has made them."""
        self._seen.update(digests)

    def abandon(self) -> None:
        """Drop the running episode, if any: it is not rewarded, and no observer hears of it."""
        if self._episode is not None:
            self._close()
            drop = getattr(self.learner, "drop", None)
            if drop is None:
                self.learner.update(Outcome.INVALID)
            else:
                drop()

    def _look(self, coverage: Coverage) -> None:
        """Begin to note branches, unless nobody looks at those of this episode."""
        spared = self._may_spare and not coverage.whole and not self.learner.looking  # type: ignore[attr-defined]
        self.noting = not spared or not self._seen  # Before anything is valid, new branches are progress.
        if self.noting:
            coverage.resume()
            coverage.start()
        else:
            coverage.pause()

    def _cover(self, coverage: Coverage, episode: Episode) -> None:
        """Give the episode its branches; before anything is valid, new ones are progress."""
        valid = episode.outcome is not Outcome.INVALID
        episode.new_branches = coverage.stop(valid=valid)
        episode.counts = coverage.counts
        if coverage.ordered:
            episode.path = coverage.path
        if not (valid or self._seen or self.graded or self.steps) and coverage.is_new():
            self.learner.reward(_PROGRESS)

    def _step_first(self, step: Callable[[int], float]) -> None:
        """Reward the learner, before it selects, for the branches that are new."""
        learner = self.learner
        weighing = self._select_weighted

        def advance() -> None:
            value = 0.0 if self.coverage is None else step(self.coverage.advance())
            if value:
                learner.reward(value)
                if self._tell_reward is not None:
                    self._tell_reward(value)

        def select(point: ChoicePoint, state: Any, n: int) -> int:
            advance()
            return learner.select(point, state, n)

        def select_weighted(point: ChoicePoint, state: Any, n: int, weights: Sequence[float]) -> int:
            assert weighing is not None
            advance()
            return weighing(point, state, n, weights)

        self._select = select
        self._select_weighted = weighing and select_weighted

    def _running(self, verb: str) -> Episode:
        if self._episode is None:
            raise GuideError(f"{verb} was called outside an episode. Call guide.start() first.")
        return self._episode

    def _point(self, at: Hashable) -> ChoicePoint:
        try:
            return self.points.named(at)
        except TypeError as error:
            raise _explain("at", at, error) from error

    def _weighing(self, weights: Sequence[float], n: int) -> Callable[[ChoicePoint, State, int], int]:
        """What selects an option when some are likelier than others."""
        if len(weights) != n or not min(weights) >= 0.0 or not 0.0 < sum(weights) < inf:
            raise ChoiceError(
                f"weights={weights!r} must be {n} numbers, one per option, none below 0 and one above it."
            )
        select = self._select_weighted
        if select is None:
            return self._select
        return lambda point, state, n: select(point, state, n, weights)

    def _enter(self) -> None:
        assert self._root is not None
        self.abstraction.start(self._root)
        self._root = None

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


def seed_learner(learner: Learner[Any], seed: int) -> None:
    """Give a learner its randomness."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ConfigurationError(f"seed={seed!r} must be an integer or None.")
    rng = getattr(learner, "rng", None)
    if rng is not None:
        rng.seed(seed)
        for member in getattr(learner, "members", ()):
            seed_learner(member, rng.getrandbits(32))


def _explain(name: str, value: Any, error: TypeError) -> Exception:
    try:
        hash(value)
    except TypeError:
        return ChoiceError(
            f"{name}={value!r} is of type {type(value).__name__} and cannot be hashed, but it is a key of a"
            f" table. Give a tuple, a string or a number, for example {name}=tuple(...)."
        )
    return error
