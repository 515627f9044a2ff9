"""Abilities: what learners, abstractions, rewards and characteristics can do beyond what they must.

Each kind has a base class whose methods do nothing. Subclass it and override what your variant can do. An
object that offers only the required methods is adapted once, here: no other module asks what an object has.
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
    """A learner that takes the first option and ignores what it is told; `select` is the method to write.

    The attributes below are defaults. A learner sets its own as class attributes, as instance attributes
    where they change while it runs, or as properties.
    """

    #: Where randomness comes from: a learner that draws makes its own. A guide with a seed reseeds it, and
    #: those of the members.
    rng = Random(0)
    members: Sequence[LearnerBase] = ()
    #: The name of the abstraction that suits it best, or the object; None for the usual one.
    abstraction: Any = None
    #: What it reads of an episode's branches: "counts", "path" or None.
    coverage: str | None = None
    #: False while it can do without branches, although `coverage` names them.
    looking = True
    #: True at the start of an episode that needs neither points nor states: the guide makes none.
    blind = False
    #: True once it has made every input there is.
    exhausted = False
    #: True when it learns from examples: `observe` does something.
    imitates = False
    #: True when it edits rejected inputs by their signs: these are then looked for soon.
    climbs = False
    #: True when it pays to show it every choice of other learners, by `observe`.
    observes = False
    #: True when it pays to give it the finished episodes of other learners, by `update`.
    watches = False
    #: What a choice costs beyond a random one, in branches that a coverage notes in that time.
    price = 0.0
    #: How many states it keeps something about.
    states = 0
    #: How many episodes it wants side by side; above 1 it has the methods of `protocols.Lockstep`.
    lanes = 1

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """Pick one of `n` options: an index below `n`."""
        return 0

    def select_weighted(self, point: ChoicePoint, state: Any, n: int, weights: Sequence[float]) -> int:
        """Do the same where options differ in how likely they are before anything is learned."""
        return self.select(point, state, n)

    def observe(self, point: ChoicePoint, state: Any, n: int, index: int) -> None:
        """Record a choice that somebody else made in this episode, and learn from it as your own."""

    def reward(self, value: float) -> None:
        """Take a reward for the choices made so far in this episode."""

    def update(self, episode: Episode) -> None:
        """Learn from a finished episode."""

    def drop(self) -> None:
        """Forget the running episode: it was abandoned."""

    def discard(self, since: int) -> None:
        """Forget the choices from number `since` on: they were rejected and are about to be made again."""

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Do not make this input: another worker did. `sizes` says how many options each choice had."""

    def counts(self) -> Counts:
        """Return what its table has counted, for other workers."""
        return {}

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Add what other workers have counted; `named` gives the point of a name."""


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
        """Let go of the episode."""

    def fork(self) -> AbstractionBase | None:
        """Return another one for an episode at the same time, which gives equal states for equal histories.

        None means that episodes run one at a time.
        """
        return None


class RewardBase:
    """A reward that finds every episode worthless."""

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
    """A characteristic that takes all inputs for the same."""

    #: What it reads of an episode's branches; then it is taken after the test.
    coverage: str | None = None

    def __call__(self, episode: Episode) -> int:
        """Return a digest of what tells the input from others."""
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
        """Tell the object of an invalid episode, so that it starts afresh."""
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
    """Return a learner with every ability, of which those it lacks do nothing."""
    if isinstance(learner, LearnerBase):
        return learner
    _check_methods("learner", learner, ("select", "reward", "update"))
    return _AdaptedLearner(learner)


def as_abstraction(abstraction: Any) -> AbstractionBase:
    """Return an abstraction with every ability, of which those it lacks do nothing."""
    if isinstance(abstraction, AbstractionBase):
        return abstraction
    _check_methods("abstraction", abstraction, ("start", "state", "record", "finish"))
    return _AdaptedAbstraction(abstraction)


def as_reward(reward: Any) -> RewardBase:
    """Return a reward with every ability, of which those it lacks do nothing."""
    if isinstance(reward, RewardBase):
        return reward
    if not callable(reward):
        raise ConfigurationError(f"reward={reward!r} must be a name or a function of an episode.")
    return _AdaptedReward(reward)


def seed_learner(learner: LearnerBase, seed: int) -> None:
    """Give a learner, and its members, their randomness."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ConfigurationError(f"seed={seed!r} must be an integer or None.")
    learner.rng.seed(seed)
    for member in learner.members:
        seed_learner(member, learner.rng.getrandbits(32))


def most_demanding(*needs: str | None) -> str | None:
    """Return what covers all needs of branches: "path", "counts", or None for none at all."""
    return next((what for what in ("path", "counts") if what in needs), None)


def _check_methods(kind: str, thing: Any, methods: tuple[str, ...]) -> None:
    for method in methods:
        if not callable(getattr(thing, method, None)):
            raise ConfigurationError(
                f"{kind}={thing!r} has no method {method}(). Give a name"
                f" or an object with {', '.join(m + '()' for m in methods)}."
            )
