"""Execution: runs one episode of a generator, its precondition and its property, under a guide."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from rlcheck.abilities import AbstractionBase, LearnerBase
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError, GeneratorError, Rejected, RlcheckError, Signal
from rlcheck.failure import message_of, outcome_of_property
from rlcheck.generators import Generator
from rlcheck.guide import Guide
from rlcheck.reasons import Rejection, Senses, rejection_of
from rlcheck.shapes import Shapes

_running: ContextVar[Execution | None] = ContextVar("the running rlcheck execution", default=None)


def assume(condition: object) -> None:
    """End the episode as INVALID unless the condition holds.

    The more assumptions a rejected input satisfies, the nearer it is to a valid one.
    """
    if not condition:
        frame = sys._getframe(1)
        raise Rejected(f"assume() at {frame.f_globals.get('__name__', '?')}:{frame.f_lineno}")
    execution = _running.get()
    if execution is not None:
        execution.held += 1


def target(value: float, label: str = "") -> None:
    """Say how near an input is to a valid one: higher is nearer. It guides the search among invalid inputs.

    Outside a campaign it does nothing, so recorded inputs can be replayed.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ConfigurationError(f"target({value!r}, label={label!r}): the value must be a number.")
    execution = _running.get()
    if execution is not None:
        execution.targets[label] = value


def event(label: str, value: object = "") -> None:
    """Label an input, optionally with a value; reports show how the values are distributed.

    Labels do not affect learning. Outside a campaign it does nothing, so recorded inputs can be replayed.
    """
    if not isinstance(label, str):
        raise ConfigurationError(f"event({label!r}): the label must be a string.")
    execution = _running.get()
    if execution is not None:
        execution.labels[label] = value if isinstance(value, str | int | float) else str(value)


class Execution:
    """A generator with its precondition and its property, under a guide.

    Args:
        guide: Answers the generator's choices.
        generator: A function of `choose` that makes an input.
        valid: The precondition, if there is one.
        test: The property, if there is one.
        shapes: Computes the shape of a valid input.
    """

    def __init__(
        self,
        guide: Guide,
        generator: Generator[Any],
        valid: Callable[[Any], object] | None,
        test: Callable[[Any], object] | None,
        shapes: Shapes,
    ) -> None:
        self.guide = guide
        self.generator = generator
        self.valid = valid
        self.test = test
        self.shapes = shapes
        self._senses = Senses()
        #: How many assumptions held in the running episode, and its latest targets.
        self.held = 0
        self.targets: dict[str, float] = {}
        self.labels: dict[str, str | float] = {}

    def fork(self, learner: LearnerBase, abstraction: AbstractionBase) -> Execution:
        """Return another execution for concurrent episodes."""
        guide = self.guide.fork(learner, abstraction)
        return Execution(guide, self.generator, self.valid, self.test, self.shapes)

    def run(self) -> tuple[Episode, BaseException | None]:
        """Run one episode; return it with what the property raised."""
        guide = self.guide
        outer = _running.set(self)
        self.held = 0
        self.targets.clear()
        self.labels.clear()
        error: BaseException | None = None
        try:
            episode = guide.start()
            outcome = self._make(episode)
            if outcome is Outcome.VALID and self.test is not None:
                try:
                    self._call(self.test, episode.value)
                except BaseException as raised:
                    outcome, error = outcome_of_property(raised), raised
                    if isinstance(raised, Signal):
                        episode.reject(Rejection([str(raised)]))
            if outcome is Outcome.INVALID and (self.held or self.targets):
                self._grade(episode)
            if self.labels or self.targets:
                episode.labels = {**self.labels, **named_targets(self.targets)}
            guide.finish(outcome)
        except BaseException:
            guide.abandon()
            raise
        finally:
            _running.reset(outer)
        return episode, error

    def _grade(self, episode: Episode) -> None:
        """Say how near an invalid input came, by its targets and the assumptions that held."""
        near = [0.5 + 0.5 * value / (1.0 + abs(value)) for value in self.targets.values()]
        held = self.held / (1.0 + self.held)
        if near:
            self.guide.near((sum(near) + held) / (len(near) + (held > 0.0)))
        else:
            episode.progress += held  # The user did not grade the input, so new branches may count too.

    def _make(self, episode: Episode) -> Outcome:
        """Run the generator and the precondition."""
        guide = self.guide
        try:
            value = episode.value = self.generator(guide.choose)
            if guide.noting and not guide.steps:
                guide.session.restart()  # Branches of the generator are not those of the subject.
            if self.valid is None or self._is_valid(episode, self._call(self.valid, value)):
                guide.made(value)
                episode.shape = self.shapes.of(value)  # Now: a test may change the input.
                return Outcome.VALID
        except Signal as signal:
            episode.reject(Rejection([str(signal)]))
        except RlcheckError as raised:
            raised.add_note(f"It was raised after the choices {episode.choices}.")
            raise
        except Exception as raised:
            raise _generator_error(raised, episode) from raised
        return Outcome.INVALID

    def _call(self, function: Callable[[Any], object], value: Any) -> object:
        """Call the precondition or the property; while nothing is valid, find out which modules it calls."""
        scout = self.guide.session.scout
        if scout is None:
            return function(value)
        with scout:
            return function(value)

    def _is_valid(self, episode: Episode, validity: object) -> bool:
        """Return whether the precondition says that the input is valid, and learn why it is not."""
        if validity is True or validity is False:
            return validity
        if isinstance(validity, float):
            if 0.0 < validity < 1.0:
                self.guide.near(validity)
            return validity >= 1.0
        rejection = rejection_of(validity)
        self._senses.note(validity, rejection)
        if rejection is not None:
            episode.reject(rejection)
        return rejection is None and bool(validity)


def named_targets(targets: Mapping[str, float]) -> dict[str, str | float]:
    """Targets as labels."""
    return {f"target {label}".rstrip(): value for label, value in targets.items()}


def _generator_error(raised: Exception, episode: Episode) -> GeneratorError:
    return GeneratorError(
        f"the generator or `valid` raised {message_of(raised)}\n"
        f"Only a test may fail: reject the input with rlcheck.assume(False), or return False from `valid`."
        f" Replay it with: rlcheck.replay(generator, {episode.choices})",
        episode.choices,
    )
