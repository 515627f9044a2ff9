"""guided_random: guides the `random` module inside a `with` block, for code that takes no generator."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any

from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError, Signal
from rlcheck.failure import outcome_of
from rlcheck.frontends.random.generator import Ask, GuidedRandom, ask_of, check_levels, guide_of
from rlcheck.frontends.random.recording import Actions, read_actions, write_actions
from rlcheck.generators import Choose
from rlcheck.guide import Guide


class guided_random:  # noqa: N801 - a context manager, named as a function is
    """Guides the `random` module inside a `with` block, for code that does not take a generator.

    The block guides the module's functions and its default instance, and always restores them. Unless an
    episode of the guide is already running, the block is one: VALID when it ends, INVALID when an
    assumption does not hold or it draws too much, FAILED when it raises.

    Args:
        guide: A guide, or the `choose` that a generator receives; None for a new guide.
        learner: A name or an object, for a new guide.
        abstraction: A name or an object, for a new guide.
        seed: Same seed, same draws, for a new guide.
        levels: As for `GuidedRandom`.
        numpy: Whether to guide NumPy's default generators, too; needs the extra `numpy`.
        record: A file for the draws of the block.
        replay: A file that `record` wrote; the block makes its draws again, without a learner.
    """

    def __init__(
        self,
        guide: Guide | Choose | None = None,
        *,
        learner: Any = None,
        abstraction: Any = "call-stack",
        seed: int | None = None,
        levels: int | None = None,
        numpy: bool = False,
        record: str | os.PathLike[str] | None = None,
        replay: str | os.PathLike[str] | None = None,
    ) -> None:
        if guide is not None and (replay is not None or learner is not None or seed is not None):
            raise ConfigurationError(
                "a guide was given: leave out learner, seed and replay, which make a new one."
            )
        source: Guide | Choose
        if replay is not None:
            source = read_actions(replay)
        else:
            source = Guide(learner, abstraction, seed) if guide is None else guide
        self._guide = guide_of(source)
        self._ask = ask_of(source)
        self._replayed = source if isinstance(source, Actions) else None
        self._levels = check_levels(levels)
        self._record = record
        self._taken: list[tuple[int, int]] = []
        if record is not None:
            self._ask = _recording(self._ask, self._taken)
        self._restore: Callable[[], None] | None = None
        self._begun = False
        self._numpy = None
        if numpy:
            from rlcheck.frontends.random.numpy_bits import GuidedNumpy

            self._numpy = GuidedNumpy(self._ask)

    def __enter__(self) -> GuidedRandom:
        if isinstance(random._inst, GuidedRandom):
            raise ConfigurationError("the random module is already guided. Leave that block first.")
        if self._guide is not None and not self._guide.running:
            self._guide.start(sys._getframe(1))
            self._begun = True
        self._taken.clear()
        self._restore = _patch(self._ask, self._levels)
        if self._numpy is not None:
            self._numpy.on()
        return random._inst  # type: ignore[return-value]

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> bool:
        late = self._numpy.off() if self._numpy is not None else None
        if self._restore is not None:
            self._restore()
        outcome = _outcome_of(raised or late)
        if self._record is not None:
            write_actions(self._record, self._taken, outcome=outcome.value if outcome else "abandoned")
        if self._begun and self._guide is not None:
            self._begun = False
            if outcome is None:
                self._guide.abandon()
            else:
                self._guide.finish(outcome)
            return isinstance(raised, Signal)
        if raised is None:
            if late is not None:
                raise late
            if self._replayed is not None:
                self._replayed.check_finished()
        return False


def _recording(ask: Ask, taken: list[tuple[int, int]]) -> Ask:
    def draw(n: int, frame: FrameType, weights: Sequence[float] | None) -> int:
        index = ask(n, frame, weights)
        taken.append((n, index))
        return index

    return draw


def _patch(ask: Ask, levels: int) -> Callable[[], None]:
    """Guide the default instance of the random module; returns a function that undoes it.

    The instance remains the same object, so that functions imported by name before are guided, too.
    """
    instance: Any = random._inst
    before = dict(vars(instance))
    functions = {name: made for name, made in vars(random).items() if _bound_to(instance, made)}
    instance.__class__ = GuidedRandom
    instance._ask, instance._levels = ask, levels
    for name in functions:
        setattr(random, name, getattr(instance, name))

    def restore() -> None:
        for name, function in functions.items():
            setattr(random, name, function)
        instance.__class__ = random.Random
        vars(instance).clear()
        vars(instance).update(before)

    return restore


def _bound_to(instance: Any, made: Any) -> bool:
    return getattr(made, "__self__", None) is instance


def _outcome_of(raised: BaseException | None) -> Outcome | None:
    """How a block ended; None when the exception is not about the program, such as Ctrl-C."""
    try:
        return Outcome.VALID if raised is None else outcome_of(raised)
    except BaseException:
        return None
