"""`given` and `settings`: properties that run under plain pytest, or by being called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlcheck.campaign import Campaign, Failure, Summary, place_of
from rlcheck.errors import ConfigurationError, MissingExtra, NoValidInput, Signal
from rlcheck.generators import Choose, Generator
from rlcheck.protocols import Abstraction, Learner
from rlcheck.replaying import Replay

_SETTINGS = "_rlcheck_settings"


@dataclass(frozen=True, slots=True)
class _Settings:
    episodes: int | None = 1_000
    seconds: float | None = None
    learner: str | Learner[Any] | None = None
    abstraction: str | Abstraction | None = None
    seed: int | None = None
    max_choices: int = 10_000


def settings(
    *,
    episodes: int | None = 1_000,
    seconds: float | None = None,
    learner: str | Learner[Any] | None = None,
    abstraction: str | Abstraction | None = None,
    seed: int | None = None,
    max_choices: int = 10_000,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Set how a property is run; goes above or below `given`. The arguments are those of `Campaign`."""
    chosen = _Settings(episodes, seconds, learner, abstraction, seed, max_choices)

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        setattr(test, _SETTINGS, chosen)
        return test

    return decorate


def given(**generators: Generator[Any]) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a test run on many inputs, each argument made by a generator.

    The test rejects an input with `rlcheck.assume`. Parameters without a generator stay: pytest fills them
    with fixtures. When the test fails, the input is shrunk and the failure says how to replay it.
    """
    if not generators:
        raise ConfigurationError("given() needs at least one generator, as in given(key=integers(0, 10)).")
    for name, generator in generators.items():
        if not callable(generator):
            raise ConfigurationError(f"{name}={generator!r} must be a generator: a function of choose.")

    def make(choose: Choose) -> dict[str, Any]:
        return {name: generator(choose) for name, generator in generators.items()}

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        signature = inspect.signature(test)
        for name in generators:
            if name not in signature.parameters:
                raise ConfigurationError(
                    f"given({name}=...) names no parameter of {test.__name__}{signature}."
                )

        @functools.wraps(test)
        def run(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            chosen = getattr(run, _SETTINGS, _Settings())
            _Property(test.__name__, make, functools.partial(test, *args, **kwargs)).run(chosen)

        # pytest reads the signature to find fixtures: it must not see the arguments that we fill.
        kept = [p for name, p in signature.parameters.items() if name not in generators]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        del run.__wrapped__
        run.replay = lambda choices: _Property(test.__name__, make, test).replay(choices)  # type: ignore[attr-defined]
        return run

    return decorate


@dataclass(slots=True)
class _Property:
    name: str
    make: Callable[[Choose], dict[str, Any]]
    test: Callable[..., Any]

    def run(self, chosen: _Settings) -> None:
        """Run a campaign, and raise what the property raised."""
        __tracebackhide__ = True
        campaign = Campaign(
            self.make,
            test=lambda inputs: self.test(**inputs),
            learner=chosen.learner,
            abstraction=chosen.abstraction,
            seed=chosen.seed,
            max_choices=chosen.max_choices,
        )
        summary = campaign.run(chosen.episodes, chosen.seconds, stop_on_failure=True)
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt
        if summary.failures:
            self._report(summary.failures[0], summary)
        if not summary.valid:
            raise NoValidInput(
                f"{self.name} saw no valid input: each of the {summary.episodes:,} inputs was rejected by"
                f" assume() (seed {summary.seed}). Give it more with @rlcheck.settings(episodes=...), or make"
                " the generator less likely to break the assumption."
            )

    def replay(self, choices: Sequence[int]) -> None:
        """Run the property on one recorded input."""
        answers = Replay(choices)
        inputs = self.make(answers)
        answers.check_finished()
        try:
            self.test(**inputs)
        except Signal as signal:
            raise NoValidInput(f"{self.name} rejects the input of {list(choices)} by assume().") from signal

    def _report(self, failure: Failure, summary: Summary) -> None:
        __tracebackhide__ = True
        choices, hint = self._shrink(failure)
        try:
            self.replay(choices)
        except NoValidInput:
            pass
        except Exception as error:
            for line in self._describe(choices, hint, summary):
                error.add_note(line)
            raise
        failure.error.add_note(
            f"rlcheck: {self.name} failed once and then passed on the same input: it depends on more than"
            f" its arguments. Try again with: rlcheck.replay({self.name}, {list(failure.choices)})"
        )
        raise failure.error

    def _shrink(self, failure: Failure) -> tuple[Sequence[int], str]:
        def fails(inputs: dict[str, Any]) -> bool:
            try:
                self.test(**inputs)
            except Exception as error:
                return place_of(error) == failure.where
            return False

        try:
            from rlcheck.frontends.strategies import shrink
        except MissingExtra as missing:
            return failure.choices, f"not shrunk: {missing}"
        choices = shrink(self.make, fails, failure.choices)
        return choices, f"shrunk from {len(failure.choices)} choices to {len(choices)}"

    def _describe(self, choices: Sequence[int], hint: str, summary: Summary) -> list[str]:
        inputs = self.make(Replay(choices))
        return [
            f"rlcheck: failing input after {summary.episodes:,} episodes, {hint}:",
            *(f"    {name} = {value!r}" for name, value in inputs.items()),
            f"Reproduce with: rlcheck.replay({self.name}, {list(choices)})",
        ]
