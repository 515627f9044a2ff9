"""Campaign: runs episodes until the budget is used up, and summarises them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import ModuleType
from typing import Any

from rlcheck import registry
from rlcheck.abilities import LearnerBase, as_learner, as_reward, most_demanding
from rlcheck.budget import Budget
from rlcheck.characteristics import characteristic_of
from rlcheck.checks import check_budget, check_choices, check_function, check_seed
from rlcheck.coverage import Coverage, Modules, modules_of
from rlcheck.coverage.session import COLD, COLD_CLIMBING, coverage_for
from rlcheck.episode import Episode, Outcome
from rlcheck.execution import Execution
from rlcheck.failure import Failure, place_of, replay_call
from rlcheck.generators import Generator
from rlcheck.guide import Guide
from rlcheck.policy import Sample, load_policy
from rlcheck.protocols import Abstraction, Learner, Lockstep, Observer, Reward
from rlcheck.replaying import Replay
from rlcheck.shapes import Shapes
from rlcheck.summary import Summary


class Campaign:
    """Runs a generator under a guide that learns which of its inputs are valid.

    Args:
        generator: A function of `choose` that makes an input.
        valid: The precondition, a function of the input; None when every input is valid. A float below 1
            says how near to valid an invalid input is; a string, an exception or a list of them says what
            is wrong with it.
        test: The property, a function of a valid input; raising anything makes the input a failure.
        learner: A name or an object; None for the best default.
        abstraction: A name or an object; None for the best default.
        reward: A name or a function of the finished episode; None for the best default.
        characteristic: What makes two inputs the same: a name, or a function of the input.
        shape: What structure an input has, for `summary.shapes`: a function of the input. None erases its
            leaf values and keeps the rest.
        seed: Same seed, same inputs. None draws one; it is in the summary.
        examples: Choice sequences to begin with, as far as they fit: learners imitate them.
        policy: A file that `save` wrote: its inputs are among the examples.
        max_choices: Longer episodes are cut off and count as INVALID.
        observers: Called with each finished episode.
        coverage: Modules, or their names, whose branches are noted, or a Coverage. None for those of `valid`
            and `test` when the learner, the reward or the characteristic reads branches, or nothing is
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
        shape: Callable[[Any], Hashable] | None = None,
        seed: int | None = None,
        examples: Iterable[Sequence[int]] = (),
        policy: str | os.PathLike[str] | None = None,
        max_choices: int = 10_000,
        observers: Iterable[Observer] = (),
        coverage: Modules | Coverage | None = None,
    ) -> None:
        check_function("generator", generator)
        for name, function in (("valid", valid), ("test", test), ("shape", shape)):
            if function is not None:
                check_function(name, function)
        seed = check_seed(seed)
        learner = registry.make("learner", learner)
        worth = as_reward(registry.make("reward", reward))
        needed = most_demanding(worth.coverage, characteristic_of(characteristic).coverage)
        wanted = most_demanding(needed, as_learner(learner).coverage)
        taken, note = coverage_for(wanted, needed, given=coverage, subject=(valid, test))
        self.guide = Guide(
            learner,
            abstraction,
            seed,
            reward=worth,
            characteristic=characteristic,
            max_choices=max_choices,
            observers=observers,
            coverage=taken,
        )
        self._shapes = Shapes(shape)
        self.summary = Summary(seed, self._shapes)
        self.summary.coverage = taken
        self.summary.note = note
        self._execution = Execution(self.guide, generator, valid, test, self._shapes)
        unasked = coverage is None and taken is None
        # What to look at when nothing is valid.
        self._rejecting = modules_of(valid or test or generator) if unasked else []
        self._failures: dict[str, Failure] = {}
        for example in examples:
            self.guide.imitate(check_choices(example))
        for example in [] if policy is None else load_policy(policy):
            self.guide.imitate(example)
        self._budget: Budget | None = None
        self._sample = Sample(seed)

    @property
    def generator(self) -> Generator[Any]:
        """What makes inputs."""
        return self._execution.generator

    def run(
        self,
        episodes: int | None = None,
        seconds: float | None = None,
        *,
        stop_on_failure: bool = False,
    ) -> Summary:
        """Run until a budget is used up, 10,000 episodes if none is given.

        Running again continues where the last run ended; the summary covers all runs. Ctrl-C ends a run
        early and keeps its results.
        """
        check_budget(episodes, seconds)
        if episodes is None and seconds is None:
            episodes = 10_000
        started = time.perf_counter()
        earlier = self.summary.seconds
        try:
            with self.guide.session:
                self.summary.stopped = self._run(episodes, seconds, stop_on_failure=stop_on_failure)
        except KeyboardInterrupt:
            self.summary.stopped = "interrupted"
        finally:
            self.summary.seconds = earlier + time.perf_counter() - started
        return self.summary

    def stop(self) -> None:
        """End the run after the current episode; observers may call this."""
        if self._budget is not None:
            self._budget.stopped = "asked"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save what was learned, as choice sequences that a later campaign can begin with."""
        self._sample.save(path)

    def episode(self) -> Episode:
        """Run one episode."""
        with self.guide.session:
            return self._episode(self._execution)

    def _run(self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool) -> str:
        learner = self.guide.abilities
        budget = self._budget = Budget(episodes, seconds, stop_on_failure=stop_on_failure, learner=learner)
        lockstep = self._lockstep() if isinstance(learner, Lockstep) else None
        while not budget.stopped:
            if lockstep is not None and self._runs_side_by_side():
                lanes = max(1, min(learner.lanes, budget.left))  # One of them finds that nothing is left.
                lockstep.run(learner, lanes, lambda slot: self._work(slot, budget))
            elif budget.begin():
                budget.end(self._episode(self._execution))
        return budget.stopped

    def _lockstep(self) -> ModuleType | None:
        """Return the function that runs episodes side by side, unless a package is missing."""
        try:
            from rlcheck import lockstep
        except ModuleNotFoundError as error:
            self.summary.note = f"one episode at a time: {registry.missing_extra('lock-step', error)}"
            return None
        return lockstep

    def _runs_side_by_side(self) -> bool:
        """Return whether episodes may run side by side now: not if each choice reads branches."""
        guide = self.guide
        return guide.abilities.lanes > 1 and not guide.steps and guide.abstraction.fork() is not None

    def _work(self, slot: LearnerBase, budget: Budget) -> None:
        """Run one episode after the other, while this campaign runs others."""
        abstraction = self.guide.abstraction.fork()
        assert abstraction is not None
        execution = self._execution.fork(slot, abstraction)
        while self.guide.abilities.lanes > 1 and budget.begin():
            budget.end(self._episode(execution))

    def _episode(self, execution: Execution) -> Episode:
        episode, error = execution.run()
        self._count(episode, error)
        return episode

    def _count(self, episode: Episode, error: BaseException | None) -> None:
        summary, session = self.summary, self.guide.session
        summary.episodes += 1
        if episode.outcome is not Outcome.INVALID:
            summary.valid += 1
            self._shapes.add(episode.shape)
            if not self.guide.abilities.climbs:
                session.rest()
            if episode.unique:
                summary.unique_valid += 1
                self._sample.keep(episode.choices)
        else:
            summary.overruns += episode.overrun
            summary.reasons.add(episode.reason, episode.choices)
        climbs = self.guide.abilities.climbs
        if climbs or not summary.valid:
            cold = COLD_CLIMBING if climbs else COLD
            note = session.wait(summary.episodes, self._rejecting, cold=cold)
            summary.note = summary.note if summary.valid else note or summary.note
        if error is not None and episode.outcome is Outcome.FAILED:
            self._fail(episode, error)

    def _fail(self, episode: Episode, error: BaseException) -> None:
        """Count a failure; all failures at one place are one."""
        place = place_of(error)
        known = self._failures.get(place)
        if known is not None:
            known.count += 1
            return
        # The test may have changed the input it was given: show it as it was made.
        value = self.generator(Replay(episode.choices))
        snippet = replay_call(_name_of(self.generator), episode.choices)
        failure = self._failures[place] = Failure.of(error, episode.choices, value, snippet=snippet)
        self.summary.failures.append(failure)


def _name_of(generator: Generator[Any]) -> str:
    """The name of a generator in messages; a lambda has none."""
    name: str = getattr(generator, "__name__", "")
    return name if name.isidentifier() else "generator"
