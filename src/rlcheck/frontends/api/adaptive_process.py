"""AdaptiveProcess: suggests what a random tester would draw from a random number generator, and learns."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import Enum
from math import inf
from types import TracebackType
from typing import Any, TypeVar, overload

from rlcheck.checks import check_choices, check_seed
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError, GuideError, Signal
from rlcheck.failure import outcome_of
from rlcheck.guide import Guide
from rlcheck.protocols import Learner
from rlcheck.replaying import Replay

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class AdaptiveProcess:
    """Suggests what to do in a context, and learns from rewards.

    An episode begins with the first suggestion and ends with `end_episode`; a `with` block is one, too.

    Args:
        learner: A name or an object.
        seed: Same seed and same rewards, same suggestions. None draws one.
        replay: The choices of a recorded episode; every episode makes them again, without a learner.
        max_choices: `suggest` raises a signal in longer episodes.
    """

    def __init__(
        self,
        learner: str | Learner[Any] = "sarsa-lambda",
        seed: int | None = None,
        *,
        replay: Sequence[int] | None = None,
        max_choices: int = 10_000,
    ) -> None:
        self.seed = check_seed(seed)
        self.guide = Guide(learner, seed=self.seed, reward=_nothing, max_choices=max_choices)
        #: How many episodes have ended.
        self.episodes = 0
        #: The running episode, or the last one; its `choices` replay it.
        self.episode: Episode | None = None
        self._replay = None if replay is None else check_choices(replay)
        self._answers: Replay | None = None
        self._running = False

    @overload
    def suggest(self, context: Hashable, options: Sequence[T], at: Hashable | None = None) -> T: ...
    @overload
    def suggest(self, context: Hashable, options: type[E], at: Hashable | None = None) -> E: ...

    def suggest(self, context: Hashable, options: Any, at: Hashable | None = None) -> Any:
        """Suggest one of the options.

        Args:
            context: What the suggestion may depend on: any hashable description of the subject.
            options: A sequence, a range or an Enum class.
            at: The name of the decision, if one context has more than one.
        """
        if not self._running:
            self._start()
        if self._answers is not None:
            return self._answers(options, at=at)
        return self.guide.choose(options, at=_HERE if at is None else at, state=context)

    def reward(self, value: float) -> None:
        """Reward the suggestions of this episode so far; the latest ones count most."""
        if not self._running:
            raise GuideError("reward() was called outside an episode. Call suggest() first.")
        if not -inf < value < inf:
            raise ConfigurationError(f"reward={value!r} must be a finite number.")
        self.guide.reward(value)

    def made(self, value: object) -> None:
        """Set the `value` of the episode that learners receive."""
        if self._running and self._answers is None:
            self.guide.made(value)

    def end_episode(self, outcome: Outcome = Outcome.VALID) -> Episode:
        """End the episode and return it; the next suggestion begins another one."""
        if not self._running:
            self._start()  # A test may end before its first suggestion.
        self._running = False
        answers, self._answers = self._answers, None
        if answers is not None:
            self.guide.abandon()
            answers.check_finished()
        else:
            self.guide.finish(outcome)
        self.episodes += 1
        assert self.episode is not None
        return self.episode

    def __enter__(self) -> AdaptiveProcess:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """End the episode: FAILED after an exception, INVALID after a false assumption, which ends here."""
        if not self._running:
            return False
        if error is None:
            self.end_episode()
            return False
        try:
            outcome = outcome_of(error)
        except BaseException:
            self.abandon()
            raise
        self.end_episode(outcome)
        return isinstance(error, Signal)

    def abandon(self) -> None:
        """Drop the running episode, if any, without learning from it."""
        self._running = False
        self._answers = None
        self.guide.abandon()

    def _start(self) -> None:
        self.episode = self.guide.start()
        self._running = True
        if self._replay is not None:
            self._answers = Replay(self._replay)


#: The choice point of suggestions without a name.
_HERE = "suggestion"


def _nothing(episode: Episode) -> float:
    """Nothing: the test gives the rewards during the episode."""
    return 0.0
