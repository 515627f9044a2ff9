"""Abilities: optional methods and attributes of learners, abstractions, rewards and characteristics.

Each kind has a base class whose methods do nothing. Subclass it and override what your variant can do. This
module adapts objects that have only the required methods; no other module checks what an object has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from types import FrameType
from typing import Any

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import Counts


class LearnerBase:
    """A learner that takes the first option and learns nothing. Override `select`, and what else you need.

    The attributes below are defaults. A learner sets its own as class attributes, as instance attributes
    where they change while it runs, or as properties.
    """

    #: The source of randomness; a learner that draws creates its own. A guide with a seed reseeds it, and
    #: those of its members.
    rng = Random(0)
    members: Sequence[LearnerBase] = ()
    #: The abstraction that suits it best, as a name or an object; None for the default.
    abstraction: Any = None
    #: What it reads of an episode's branches: "counts", "path" or None.
    coverage: str | None = None
    #: False while it does not need branches, even though `coverage` names them.
    looking = True
    #: True at the start of an episode that needs neither points nor states: the guide then skips both.
    blind = False
    #: True once it has made every possible input.
    exhausted = False
    #: True if it learns from examples, that is, if it overrides `observe`.
    imitates = False
    #: True if it edits rejected inputs by their signs: the guide then starts collecting signs earlier.
    climbs = False
    #: True if it gains from seeing every choice of other learners through `observe`.
    observes = False
    #: True if it gains from receiving the finished episodes of other learners through `update`.
    watches = False
    #: How much more a choice costs than a random one, in units of the time it takes to record a branch.
    price = 0.0
    #: How many states it knows.
    states = 0
    #: How many episodes it wants to run side by side; above 1, it has the methods of `protocols.Lockstep`.
    lanes = 1

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """Pick one of `n` options; return its index."""
        return 0

    def select_weighted(self, point: ChoicePoint, state: Any, n: int, weights: Sequence[float]) -> int:
        """Pick one of `n` options whose weights say how likely each is before anything is learned."""
        return self.select(point, state, n)

    def observe(self, point: ChoicePoint, state: Any, n: int, index: int) -> None:
        """Record a choice that was made for you in this episode, and learn from it as if it were yours."""

    def reward(self, value: float) -> None:
        """Take a reward for the choices made so far in this episode."""

    def update(self, episode: Episode) -> None:
        """Learn from a finished episode."""

    def drop(self) -> None:
        """Forget the running episode: it was abandoned."""

    def discard(self, since: int) -> None:
        """Forget the choices from number `since` on: they were rejected and are about to be made again."""

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Do not make this input, because another worker did. `sizes` has each choice's number of options."""

    def counts(self) -> Counts:
        """Return the counts of its table, for other workers."""
        return {}

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Add the counts of other workers; `named` returns the choice point with a name."""


class AbstractionBase:
    """An abstraction that gives every choice the same state."""

    def start(self, frame: FrameType) -> None:
        """Begin an episode driven from `frame`."""

    def state(self, frame: FrameType) -> Any:
        """Return the state of a choice asked for in `frame`."""
        return ()

    def record(self, point: ChoicePoint, index: int) -> None:
        """Note the choice made in the state last returned."""

    def reward(self, value: float) -> None:
        """Note a reward given during the episode."""

    def finish(self) -> None:
        """Release what belongs to the episode."""

    def fork(self) -> AbstractionBase | None:
        """Return another abstraction for a concurrent episode; equal histories must give equal states.

        None means that episodes run one at a time.
        """
        return None


class RewardBase:
    """A reward of 0 for every episode."""

    #: What it reads of an episode's branches: "counts", "path" or None.
    coverage: str | None = None
    #: Whether `step` pays for new branches before each choice.
    steps = False

    def __call__(self, episode: Episode) -> float:
        """Return what a finished episode is worth."""
        return 0.0

    def step(self, new: int) -> float:
        """Return what `new` branches since the last choice are worth."""
        return 0.0


class CharacteristicBase:
    """A characteristic that is the same for all inputs."""

    #: What it reads of an episode's branches, if anything; it is then computed after the test.
    coverage: str | None = None

    def __call__(self, episode: Episode) -> int:
        """Return a digest of what distinguishes the input from others."""
        return 0


class _AdaptedLearner(LearnerBase):
    """An object with the three verbs of a learner, and perhaps with `rng` and `abstraction`."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner
        self.rng = getattr(learner, "rng", self.rng)
        self.abstraction = getattr(learner, "abstraction", None)

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """Let the object select."""
        return self.learner.select(point, state, n)  # type: ignore[no-any-return]

    def reward(self, value: float) -> None:
        """Pass a reward on."""
        self.learner.reward(value)

    def update(self, episode: Episode) -> None:
        """Pass the finished episode on."""
        self.learner.update(episode)

    def drop(self) -> None:
        """Give the object an invalid episode, so that it starts afresh."""
        ended = Episode()
        ended.outcome = Outcome.INVALID
        self.learner.update(ended)


class _AdaptedAbstraction(AbstractionBase):
    """An object with the four methods of an abstraction."""

    def __init__(self, abstraction: Any) -> None:
        self.abstraction = abstraction

    def start(self, frame: FrameType) -> None:
        """Pass it on."""
        self.abstraction.start(frame)

    def state(self, frame: FrameType) -> Any:
        """Ask the object."""
        return self.abstraction.state(frame)

    def record(self, point: ChoicePoint, index: int) -> None:
        """Pass it on."""
        self.abstraction.record(point, index)

    def finish(self) -> None:
        """Pass it on."""
        self.abstraction.finish()


class _AdaptedReward(RewardBase):
    """A plain function of an episode."""

    def __init__(self, function: Callable[[Episode], float]) -> None:
        self._function = function

    def __call__(self, episode: Episode) -> float:
        """Call the function."""
        return self._function(episode)


def as_learner(learner: Any) -> LearnerBase:
    """Return a learner that has every ability; the ones that the object lacks do nothing."""
    if isinstance(learner, LearnerBase):
        return learner
    _check_methods("learner", learner, ("select", "reward", "update"))
    return _AdaptedLearner(learner)


def as_abstraction(abstraction: Any) -> AbstractionBase:
    """Return an abstraction that has every ability; the ones that the object lacks do nothing."""
    if isinstance(abstraction, AbstractionBase):
        return abstraction
    _check_methods("abstraction", abstraction, ("start", "state", "record", "finish"))
    return _AdaptedAbstraction(abstraction)


def as_reward(reward: Any) -> RewardBase:
    """Return a reward that has every ability; the ones that the object lacks do nothing."""
    if isinstance(reward, RewardBase):
        return reward
    if not callable(reward):
        raise ConfigurationError(f"reward={reward!r} must be a name or a function of an episode.")
    return _AdaptedReward(reward)


def seed_learner(learner: LearnerBase, seed: int) -> None:
    """Seed a learner and its members."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ConfigurationError(f"seed={seed!r} must be an integer or None.")
    learner.rng.seed(seed)
    for member in learner.members:
        seed_learner(member, learner.rng.getrandbits(32))


def most_demanding(*needs: str | None) -> str | None:
    """Return what satisfies all needs for branches: "path", "counts", or None if there are none."""
    return next((what for what in ("path", "counts") if what in needs), None)


def _check_methods(kind: str, thing: Any, methods: tuple[str, ...]) -> None:
    for method in methods:
        if not callable(getattr(thing, method, None)):
            raise ConfigurationError(
                f"{kind}={thing!r} has no method {method}(). Give a name"
                f" or an object with {', '.join(m + '()' for m in methods)}."
            )
