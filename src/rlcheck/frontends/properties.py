"""`given` and `settings`: properties that run under plain pytest, or when they are called."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from rlcheck import registry
from rlcheck.campaign import Campaign
from rlcheck.checks import check_budget, check_function
from rlcheck.coverage import Modules
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError, MissingExtra, NoValidInput, Signal
from rlcheck.failure import Failure, describe, outcome_of, place_of, shown
from rlcheck.generators import Choose, Generator
from rlcheck.marks import Settings, mark, marks_of
from rlcheck.protocols import Abstraction, Learner, Observer, Reward
from rlcheck.replaying import Replay
from rlcheck.summary import Summary

_observers: ContextVar[Sequence[Observer]] = ContextVar("observers of rlcheck properties", default=())


def settings(
    *,
    episodes: int | None = None,
    seconds: float | None = None,
    learner: str | Learner[Any] | None = None,
    abstraction: str | Abstraction | None = None,
    reward: str | Reward | None = None,
    characteristic: str | Callable[[Any], Hashable] | None = None,
    seed: int | None = None,
    max_choices: int = 10_000,
    coverage: Modules | None = None,
    replay: Sequence[int] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Set how a property is run; goes above or below `given`.

    The budget is that of `Campaign.run`, 1,000 episodes by default. Most other arguments are those of
    `Campaign`. `replay` runs the property on one recorded input instead.
    """
    check_budget(episodes, seconds)
    registry.check_name("learner", learner)
    registry.check_name("abstraction", abstraction)
    registry.check_name("reward", reward)
    if isinstance(characteristic, str):
        registry.check_name("characteristic", characteristic)
    if episodes is None and seconds is None:
        episodes = 1_000
    campaign = {
        "learner": learner,
        "abstraction": abstraction,
        "reward": reward,
        "characteristic": characteristic,
        "seed": seed,
        "max_choices": max_choices,
        "coverage": coverage,
    }
    chosen = Settings(episodes, seconds, replay, campaign)

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        mark(test, settings=chosen)
        return test

    return decorate


def given(
    *unnamed: object, **generators: Generator[Any]
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a test run on many inputs, each argument made by a generator.

    The test rejects an input with `rlcheck.assume`. pytest fills parameters without a generator with
    fixtures. When the test fails, the input is shrunk, and the failure says how to replay it.
    """
    if unnamed or not generators:
        raise ConfigurationError("given() takes generators by name, as in given(key=integers(0, 10)).")
    for name, generator in generators.items():
        check_function(name, generator)

    def make(choose: Choose) -> dict[str, Any]:
        return {name: generator(choose) for name, generator in generators.items()}

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        import inspect  # Slow to load, and needed only here.

        check_function("test", test)
        signature = inspect.signature(test)
        for name in generators:
            if name not in signature.parameters:
                raise ConfigurationError(
                    f"given({name}=...) names no parameter of {test.__name__}{signature}."
                )

        @functools.wraps(test)
        def run(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            chosen = marks_of(run).settings or Settings()
            filled = bool(args or kwargs)
            _Property(test.__name__, make, functools.partial(test, *args, **kwargs), filled).run(chosen)

        # pytest reads the signature to find fixtures: it must not see the arguments that we fill.
        kept = [p for name, p in signature.parameters.items() if name not in generators]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        del run.__wrapped__
        unfilled = tuple(parameter.name for parameter in kept if parameter.default is parameter.empty)
        mark(run, property=_Property(test.__name__, make, test, unfilled=unfilled))
        return run

    return decorate


@contextmanager
def observed(observers: Sequence[Observer]) -> Iterator[None]:
    """Call these observers with each episode of the properties that run in a block."""
    outer = _observers.set(observers)
    try:
        yield
    finally:
        _observers.reset(outer)


class _Property(NamedTuple):
    name: str
    make: Callable[[Choose], dict[str, Any]]
    test: Callable[..., Any]
    #: Whether pytest has filled some of the parameters.
    filled: bool = False
    unfilled: Sequence[str] = ()

    def run(self, chosen: Settings) -> None:
        """Run a campaign, and raise what the property raises."""
        __tracebackhide__ = True
        if chosen.replay is not None:
            return self.replay(chosen.replay)

        def test(inputs: dict[str, Any]) -> None:
            self.test(**inputs)

        test.__wrapped__ = self.test  # type: ignore[attr-defined]  # Coverage looks for its module.
        campaign = Campaign(self.make, test=test, observers=_observers.get(), **chosen.campaign)
        summary = campaign.run(chosen.episodes, chosen.seconds, stop_on_failure=True)
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt
        if summary.failures:
            self._report(summary.failures[0], summary)
        if not summary.valid:
            raise NoValidInput(
                f"{self.name} saw no valid input: of {summary.episodes:,} inputs, {summary.overruns:,} made"
                f" more than max_choices choices and assume() rejected the others (seed {summary.seed})."
                " Allow more inputs with @rlcheck.settings(episodes=...), unless there are no more, or make"
                " the generator less likely to break the assumption. What rejected most inputs:\n"
                f"{summary.misses()}"
            )
        return None

    def replay(self, choices: Sequence[int]) -> None:
        """Run the property on one recorded input."""
        __tracebackhide__ = True
        answers = Replay(choices)
        try:
            inputs = self.make(answers)
            answers.check_finished()
            self.test(**inputs)
        except Signal as signal:
            raise NoValidInput(f"{self.name} rejects the input of {list(choices)} with assume().") from signal

    def _report(self, failure: Failure, summary: Summary) -> None:
        """Raise what the property raises on the shrunk input, with a note that describes the failure."""
        __tracebackhide__ = True
        choices, hint = self._shrink(failure)
        heading = f"rlcheck: input {summary.episodes:,} of seed {summary.seed} failed; {hint}"
        try:
            self.replay(choices)
        except NoValidInput:
            pass
        except BaseException as error:
            error.add_note(describe(self._described(error, choices), heading))
            raise
        assert failure.error is not None
        failure.error.add_note(
            f"rlcheck: {self.name} failed once and then passed on the same input: it depends on more than"
            f" its arguments (seed {summary.seed}). Try again with: {self._reproduce(failure.choices)}"
        )
        raise failure.error

    def _shrink(self, failure: Failure) -> tuple[Sequence[int], str]:
        """The choices of a smaller input that fails at the same place, and what was done."""

        def fails(inputs: dict[str, Any]) -> bool:
            try:
                self.test(**inputs)
            except BaseException as error:
                return outcome_of(error) is Outcome.FAILED and place_of(error) == failure.place
            return False

        try:
            from rlcheck.frontends.hypothesis.strategies import shrink
        except MissingExtra as missing:
            return failure.choices, f"not shrunk: {missing}"
        choices = shrink(self.make, fails, failure.choices)
        return choices, f"{len(failure.choices)} choices shrunk to {len(choices)}"

    def _described(self, error: BaseException, choices: Sequence[int]) -> Failure:
        """The failure, with one line for each argument."""
        inputs = self.make(Replay(choices))
        failure = Failure.of(error, choices, inputs, snippet=self._reproduce(choices))
        return failure.replace(input="\n".join(f"{name} = {shown(value)}" for name, value in inputs.items()))

    def _reproduce(self, choices: Sequence[int]) -> str:
        if self.filled:
            return f"@rlcheck.settings(replay={list(choices)}) above {self.name}"
        return f"rlcheck.replay({self.name}, {list(choices)})"
