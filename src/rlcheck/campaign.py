"""Campaign: run episodes until the budget ends, and say what came of them."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextvars import ContextVar
from copy import copy
from random import Random, SystemRandom
from types import ModuleType
from typing import Any

from rlcheck import registry
from rlcheck.budget import Budget, check_budget
from rlcheck.coverage import Coverage, Modules, modules_of
from rlcheck.covering import COLD, Covering, coverage_for
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError, GeneratorError, Rejected, RlcheckError, Signal
from rlcheck.generators import Generator
from rlcheck.guide import Guide
from rlcheck.policy import check_choices, load_policy, save_policy
from rlcheck.protocols import Abstraction, Learner, Observer, Reward
from rlcheck.replaying import Replay

#: How many inputs a policy holds.
_SAMPLED = 1_000

# Flags of the code of generator functions, coroutines and asynchronous generators, as in `inspect`.
_RUNS_LATER = 0x20 | 0x80 | 0x200


_running: ContextVar[Campaign | None] = ContextVar("the running rlcheck campaign", default=None)


def assume(condition: object) -> None:
    """End the episode as INVALID unless the condition holds.

    Of inputs that are rejected, those that hold more assumptions are nearer to valid ones.
    """
    if not condition:
        raise Rejected
    campaign = _running.get()
    if campaign is not None:
        campaign.assumptions += 1


def target(value: float, label: str = "") -> None:
    """Say how near an input is to a valid one: the more, the nearer. It guides while inputs are not valid.

    Outside a campaign it does nothing, so that a recorded input can be replayed.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ConfigurationError(f"target({value!r}, label={label!r}): the value must be a number.")
    campaign = _running.get()
    if campaign is not None:
        campaign.targets[label] = value


class Failure:
    """An input on which the property failed: the first one of its kind."""

    __slots__ = ("choices", "count", "error", "value", "where")

    def __init__(self, error: BaseException, choices: tuple[int, ...], value: Any, where: str) -> None:
        self.error = error
        self.choices = choices
        self.value = value
        #: Where it was raised: the exception's type, file and line. Failures at one place are one failure.
        self.where = where
        #: How many inputs failed there.
        self.count = 1

    def __repr__(self) -> str:
        return f"<Failure {self.where}, {self.count:,} times, first by choices {list(self.choices)}>"


class Summary:
    """What a campaign has done so far."""

    __slots__ = (
        *("coverage", "episodes", "failures", "note", "overruns"),
        *("seconds", "seed", "stopped", "unique_valid", "valid"),
    )

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.episodes = 0
        #: Inputs that passed the precondition; failing ones are among them.
        self.valid = 0
        #: Valid inputs with a characteristic that no earlier one had.
        self.unique_valid = 0
        #: Episodes cut off at `max_choices`; they are invalid.
        self.overruns = 0
        self.failures: list[Failure] = []
        self.seconds = 0.0
        #: Why the last run ended: "episodes", "seconds", "exhausted", "failure", "asked" or
        #: "interrupted".
        self.stopped = ""
        #: Which branches were covered, if the campaign was asked to look.
        self.coverage: Coverage | None = None
        #: What the campaign did by itself.
        self.note = ""

    def __repr__(self) -> str:
        return f"<Summary {self}>"

    def __str__(self) -> str:
        rate = self.episodes / self.seconds if self.seconds else 0.0
        share = self.valid / self.episodes if self.episodes else 0.0
        text = (
            f"{self.episodes:,} inputs in {self.seconds:.1f} s ({rate:,.0f}/s): {self.valid:,} valid"
            f" ({share:.0%}), {self.unique_valid:,} unique valid; seed {self.seed}"
        )
        if self.overruns:
            text += f"; {self.overruns:,} overran max_choices"
        if self.coverage is not None:
            text += f"; {self.coverage}"
        if self.note:
            text += f"; {self.note}"
        for failure in self.failures:
            text += (
                f"\n{failure.where} ({failure.count:,} inputs), replay with choices {list(failure.choices)}"
            )
        return text


class Campaign:
    """Runs a generator under a guide that learns which of its inputs are valid.

    Args:
        generator: A function of `choose` that makes an input.
        valid: The precondition, a function of the input; None when every input is valid. A float below 1
            says how near to valid an input is that is not.
        test: The property, a function of a valid input; raising anything makes the input a failure.
        learner: A name or an object; None for the best default.
        abstraction: A name or an object; None for the best default.
        reward: A name or a function of the finished episode; None for the best default.
        characteristic: What makes two inputs the same: a name, or a function of the input.
        seed: Same seed, same inputs. None draws one; it is in the summary.
        examples: Choice sequences to begin with, as far as they fit: learners imitate them.
        policy: A file that `save` wrote: its inputs are among the examples.
        max_choices: Longer episodes are cut off and count as INVALID.
        observers: Called with each finished episode.
        coverage: Modules, or their names, whose branches are noted, or a Coverage. None for those of `valid`
            and `test` when the learner, the reward or the characteristic looks at branches, or nothing is
            valid; () for none.
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
        examples: Iterable[Sequence[int]] = (),
        policy: str | os.PathLike[str] | None = None,
        max_choices: int = 10_000,
        observers: Iterable[Observer] = (),
        coverage: Modules | Coverage | None = None,
    ) -> None:
        for name, function in (("generator", generator), ("valid", valid), ("test", test)):
            if function is not None or name == "generator":
                check_function(name, function)
        if seed is None:
            seed = SystemRandom().getrandbits(32)
        self.generator = generator
        self.valid = valid
        self.test = test
        learner = registry.make("learner", learner)
        taken, note = coverage_for(learner, reward, characteristic, given=coverage, subject=(valid, test))
        self.guide = Guide(
            learner,
            abstraction,
            seed,
            reward=reward,
            characteristic=characteristic,
            max_choices=max_choices,
            observers=observers,
            coverage=taken,
        )
        self.summary = Summary(seed)
        self.summary.coverage = taken
        self.summary.note = note
        unasked = coverage is None and taken is None
        self._covering = Covering(self.guide, modules_of(valid or test or generator) if unasked else [])
        self._failures: dict[str, Failure] = {}
        #: Of the running episode: how many assumptions held, and the latest targets.
        self.assumptions = 0
        self.targets: dict[str, float] = {}
        self._examples = deque(check_choices(example) for example in examples)
        if policy is not None:
            self._examples.extend(load_policy(policy))
        self._budget: Budget | None = None
        # Unique valid inputs as choices, to save: a sample in which each is as likely as any other.
        self._sample: list[tuple[int, ...]] = []
        self._sampler = Random(seed)

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
        check_budget(episodes, seconds)
        if episodes is None and seconds is None:
            episodes = 10_000
        started = time.perf_counter()
        earlier = self.summary.seconds
        try:
            with self._covering:
                self.summary.stopped = self._run(episodes, seconds, stop_on_failure=stop_on_failure)
        except KeyboardInterrupt:
            self.summary.stopped = "interrupted"
        finally:
            self.summary.seconds = earlier + time.perf_counter() - started
        return self.summary

    def stop(self) -> None:
        """End the run when the running episode has ended; an observer may ask for it."""
        if self._budget is not None:
            self._budget.stopped = "asked"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keep what was learned, as choice sequences that a later campaign can begin with."""
        save_policy(path, self._sample)

    def _run(self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool) -> str:
        learner: Any = self.guide.learner
        budget = self._budget = Budget(episodes, seconds, stop_on_failure=stop_on_failure, learner=learner)
        lockstep = self._lockstep()
        while not budget.stopped:
            if lockstep is not None and self._side_by_side:
                lanes = max(1, min(learner.lanes, budget.left))  # One of them finds that nothing is left.
                lockstep.run(learner, lanes, lambda seat: self._beside(seat)._work(self, budget))
            elif budget.begin():
                budget.end(self._episode())
        return budget.stopped

    def _lockstep(self) -> ModuleType | None:
        """What runs episodes side by side, if the learner can answer them so."""
        if not hasattr(self.guide.learner, "lanes"):
            return None
        try:
            from rlcheck import lockstep
        except ModuleNotFoundError as error:
            self.summary.note = f"one episode at a time: {registry.missing_extra('lock-step', error)}"
            return None
        return lockstep

    @property
    def _side_by_side(self) -> bool:
        """Whether episodes may run side by side now: not where each choice looks at branches."""
        guide = self.guide
        many = getattr(guide.learner, "lanes", 1) > 1
        return many and hasattr(guide.abstraction, "beside") and not guide.steps

    def _beside(self, learner: Learner[Any]) -> Campaign:
        """This campaign for one of several episodes at a time: what is counted is shared."""
        other = copy(self)
        other.guide = self.guide.beside(learner, self.guide.abstraction.beside())  # type: ignore[attr-defined]
        other.targets = {}
        return other

    def _work(self, whole: Campaign, budget: Budget) -> None:
        """Run one episode after the other, beside others of the whole campaign."""
        while whole._side_by_side and budget.begin():
            # It may be turned on and off in the course of a campaign. No choice is made while it counts.
            self.guide.coverage = whole.guide.coverage
            budget.end(self._episode())
            if self.guide.graded:
                whole.guide.graded = True

    def episode(self) -> Episode:
        """Run one episode."""
        with self._covering:
            return self._episode()

    def _episode(self) -> Episode:
        if self._examples:
            imitate = getattr(self.guide.learner, "imitate", None)
            example = self._examples.popleft()
            if imitate is not None:
                imitate(example)
        episode = self.guide.start()
        error: BaseException | None = None
        outer = _running.set(self)
        self.assumptions = 0
        self.targets.clear()
        try:
            outcome = self._make(episode)
            if outcome is Outcome.VALID and self.test is not None:
                try:
                    self.test(episode.value)
                except BaseException as raised:
                    outcome, error = verdict(raised), raised
            if outcome is Outcome.INVALID:
                self._progress()
            self.guide.finish(outcome)
        except BaseException:
            self.guide.abandon()
            raise
        finally:
            _running.reset(outer)
        self._count(episode, error)
        return episode

    def _progress(self) -> None:
        """Reward an invalid input for how near it came."""
        near = [0.5 + 0.5 * value / (1.0 + abs(value)) for value in self.targets.values()]
        held = self.assumptions / (1.0 + self.assumptions)
        if near:
            self.guide.reward((sum(near) + held) / (len(near) + (held > 0.0)))
        elif held:
            self.guide.learner.reward(held)  # Nobody graded the input: new branches may count too.

    def _make(self, episode: Episode) -> Outcome:
        """Run the generator and the precondition."""
        try:
            value = episode.value = self.generator(self.guide.choose)
            if self.guide.coverage is not None and self.guide.noting and not self.guide.steps:
                self.guide.coverage.start()  # What the generator does is not the subject's.
            validity = True if self.valid is None else self.valid(value)
            if isinstance(validity, float) and not validity >= 1.0:
                if validity > 0.0:
                    self.guide.reward(validity)  # Not valid, but on the way.
            elif validity:
                self.guide.made(value)
                return Outcome.VALID
        except Signal:
            pass
        except RlcheckError as raised:
            raised.add_note(f"It was raised after the choices {episode.choices}.")
            raise
        except Exception as raised:
            raise _generator_error(raised, episode) from raised
        return Outcome.INVALID

    def _count(self, episode: Episode, error: BaseException | None) -> None:
        summary = self.summary
        summary.episodes += 1
        if episode.outcome is not Outcome.INVALID:
            summary.valid += 1
            if self._covering.unasked:
                self._covering.cool_down()
            if episode.unique:
                summary.unique_valid += 1
                self._keep(episode)
        elif episode.overrun:
            summary.overruns += 1
        if summary.episodes == COLD and not summary.valid:
            summary.note = self._covering.warm_up() or summary.note
        if error is not None and episode.outcome is Outcome.FAILED:
            where = place_of(error)
            known = self._failures.get(where)
            if known is not None:
                known.count += 1
            else:
                # The test may have changed the input it was given: show it as it was made.
                value = self.generator(Replay(episode.choices))
                failure = self._failures[where] = Failure(error, tuple(episode.choices), value, where)
                summary.failures.append(failure)

    def _keep(self, episode: Episode) -> None:
        if len(self._sample) < _SAMPLED:
            self._sample.append(tuple(episode.choices))
        elif (place := self._sampler.randrange(self.summary.unique_valid)) < _SAMPLED:
            self._sample[place] = tuple(episode.choices)


def verdict(error: BaseException) -> Outcome:
    """What an exception from a property means; raises it again when it is not about the input."""
    if isinstance(error, Signal):
        return Outcome.INVALID
    name = type(error).__name__
    # Known by name, so that neither is imported: pytest.fail and pytest.raises raise a BaseException.
    if name == "SkipTest" or not (isinstance(error, Exception) or name == "Failed"):
        raise error
    return Outcome.FAILED


def check_function(name: str, function: object) -> None:
    """Raise unless it is a function that runs when it is called."""
    if not callable(function):
        raise ConfigurationError(f"{name}={function!r} must be a function.")
    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & _RUNS_LATER:
        raise ConfigurationError(
            f"{name}={function!r} is a function with `yield` or `async`: calling it runs nothing."
            " Give a plain function."
        )


def place_of(error: BaseException) -> str:
    """The type of an exception, and the file and line that raised it."""
    last = error.__traceback__
    if last is None:
        return type(error).__name__
    while last.tb_next is not None:
        last = last.tb_next
    return f"{type(error).__name__} at {last.tb_frame.f_code.co_filename}:{last.tb_lineno}"


def _generator_error(raised: Exception, episode: Episode) -> GeneratorError:
    return GeneratorError(
        f"the generator or `valid` raised {type(raised).__name__}: {raised}\n"
        f"Only a test may fail: reject the input with rlcheck.assume(False), or return False from `valid`."
        f" Replay it with: rlcheck.replay(generator, {episode.choices})",
        episode.choices,
    )
