"""Campaign: run episodes until the budget ends, and say what came of them."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError, GeneratorError, Overrun, Rejected
from rlcheck.generators import Generator
from rlcheck.guide import Guide
from rlcheck.protocols import Abstraction, Learner, Observer, Reward


def assume(condition: object) -> None:
    """End the episode as INVALID unless the condition holds."""
    if not condition:
        raise Rejected


@dataclass(slots=True)
class Failure:
    """An input on which the property failed: the first one of its kind."""

    error: Exception
    choices: tuple[int, ...]
    value: Any
    #: Where it was raised: the exception's type, file and line. Failures at one place are one failure.
    where: str
    #: How many inputs failed there.
    count: int = 1


@dataclass(slots=True)
class Summary:
    """What a campaign has done so far."""

    seed: int
    episodes: int = 0
    #: Inputs that passed the precondition; failing ones are among them.
    valid: int = 0
    #: Valid inputs with a characteristic that no earlier one had.
    unique_valid: int = 0
    #: Episodes cut off at `max_choices`; they are invalid.
    overruns: int = 0
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0
    #: Why the last run ended: "episodes", "seconds", "exhausted", "failure" or "interrupted".
    stopped: str = ""

    def __str__(self) -> str:
        rate = self.episodes / self.seconds if self.seconds else 0.0
        share = self.valid / self.episodes if self.episodes else 0.0
        text = (
            f"{self.episodes:,} inputs in {self.seconds:.1f} s ({rate:,.0f}/s): {self.valid:,} valid"
            f" ({share:.0%}), {self.unique_valid:,} unique valid; seed {self.seed}"
        )
        if self.overruns:
            text += f"; {self.overruns:,} overran max_choices"
        for failure in self.failures:
            text += (
                f"\n{failure.where} ({failure.count:,} inputs), replay with choices {list(failure.choices)}"
            )
        return text


class Campaign:
    """Runs a generator under a guide that learns which of its inputs are valid.

    Args:
        generator: A function of `choose` that makes an input.
        valid: The precondition, a function of the input; None when every input is valid.
        test: The property, a function of a valid input; raising anything makes the input a failure.
        learner: A name or an object; None for the best default.
        abstraction: A name or an object; None for the best default.
        reward: A name or a function of the finished episode; None for the best default.
        characteristic: What makes two inputs the same: a name, or a function of the input.
        seed: Same seed, same inputs. None draws one; it is in the summary.
        max_choices: Longer episodes are cut off and count as INVALID.
        observers: Called with each finished episode.
    """

    def __init__(
        self,
        generator: Generator[Any],
        *,
        valid: Callable[[Any], object] | None = None,
        test: Callable[[Any], object] | None = None,
        learner: str | Learner[Any] | None = None,
        abstraction: str | Abstraction | None = None,
        reward: str | Reward | None = None,
        characteristic: str | Callable[[Any], Hashable] | None = None,
        seed: int | None = None,
        max_choices: int = 10_000,
        observers: Iterable[Observer] = (),
    ) -> None:
        for name, function in (("generator", generator), ("valid", valid), ("test", test)):
            if not callable(function) and (function is not None or name == "generator"):
                raise ConfigurationError(f"{name}={function!r} must be a function.")
        if seed is None:
            seed = SystemRandom().getrandbits(32)
        self.generator = generator
        self.valid = valid
        self.test = test
        self.guide = Guide(
            learner,
            abstraction,
            seed,
            reward=reward,
            characteristic=characteristic,
            max_choices=max_choices,
            observers=observers,
        )
        self.summary = Summary(seed)
        self._failures: dict[str, Failure] = {}

    def run(
        self,
        episodes: int | None = None,
        seconds: float | None = None,
        *,
        stop_on_failure: bool = False,
    ) -> Summary:
        """Run until a budget is spent, 10,000 episodes when none is given.

        Running again goes on where the last run ended; the summary is of all runs. Ctrl-C ends a run
        early and keeps what it has done.
        """
        _check_budget("episodes", episodes)
        _check_budget("seconds", seconds)
        if episodes is None and seconds is None:
            episodes = 10_000
        started = time.perf_counter()
        earlier = self.summary.seconds
        try:
            self.summary.stopped = self._run(episodes, seconds, stop_on_failure=stop_on_failure)
        except KeyboardInterrupt:
            self.guide.abandon()
            self.summary.stopped = "interrupted"
        finally:
            self.summary.seconds = earlier + time.perf_counter() - started
        return self.summary

    def _run(self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool) -> str:
        budget = math.inf if episodes is None else episodes
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        done = 0
        while done < budget:
            if deadline is not math.inf and time.perf_counter() >= deadline:
                return "seconds"
            episode = self.episode()
            done += 1
            if stop_on_failure and episode.outcome is Outcome.FAILED:
                return "failure"
            if not episode.choices and not episode.overrun:
                return "exhausted"  # It asked nothing, so there is nothing else it could make.
        return "episodes"

    def episode(self) -> Episode:
        """Run one episode."""
        guide = self.guide
        episode = guide.start()
        outcome = Outcome.INVALID
        error: Exception | None = None
        try:
            value = episode.value = self.generator(guide.choose)
            if self.valid is None or self.valid(value):
                outcome = Outcome.VALID
        except (Rejected, Overrun):
            pass
        except Exception as raised:
            guide.abandon()
            raise _generator_error(raised, episode) from raised
        if outcome is Outcome.VALID and self.test is not None:
            try:
                self.test(episode.value)
            except (Rejected, Overrun):
                outcome = Outcome.INVALID
            except Exception as raised:
                outcome = Outcome.FAILED
                error = raised
        guide.finish(outcome)
        self._count(episode, error)
        return episode

    def _count(self, episode: Episode, error: Exception | None) -> None:
        summary = self.summary
        summary.episodes += 1
        if episode.outcome is not Outcome.INVALID:
            summary.valid += 1
            if episode.unique:
                summary.unique_valid += 1
        elif episode.overrun:
            summary.overruns += 1
        if error is not None:
            where = place_of(error)
            known = self._failures.get(where)
            if known is not None:
                known.count += 1
            else:
                failure = Failure(error, tuple(episode.choices), episode.value, where)
                self._failures[where] = failure
                summary.failures.append(failure)


def place_of(error: BaseException) -> str:
    """The type of an exception, and the file and line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def _generator_error(raised: Exception, episode: Episode) -> GeneratorError:
    return GeneratorError(
        f"the generator or `valid` raised {type(raised).__name__}: {raised}\n"
        f"Only a test may fail. Catch the exception there, or call rlcheck.assume(False) to reject the"
        f" input. Replay it with: rlcheck.replay(generator, {episode.choices})",
        episode.choices,
    )


def _check_budget(name: str, value: float | None) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value > 0):
        raise ConfigurationError(f"{name}={value!r} must be above 0, or None.")
