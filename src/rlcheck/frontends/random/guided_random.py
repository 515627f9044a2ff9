"""A guided random number generator, for software that already has one (DeepRNG)."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, TypeAlias

from rlcheck.checks import check_integer
from rlcheck.choice import site_name
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError, Signal
from rlcheck.failure import outcome_of
from rlcheck.frontends.random.recording import Actions, read_actions, write_actions
from rlcheck.generators import Choose
from rlcheck.guide import Guide

#: Gives the index of one of n options to a caller in a frame; options may have weights.
Ask: TypeAlias = Callable[[int, FrameType, Sequence[float] | None], int]

_BITS = 53
_WORD = 32

# Frames with these globals only pass a draw on: the program that draws is outside them.
_LIBRARY = vars(random)
_OWN = globals()


class GuidedRandom(random.Random):
    """A `random.Random` whose draws are choices of a guide; pass it to a program in place of its own.

    With a uniform guide it has the statistics of `random.Random`. Seeding has no effect: the guide decides.

    Args:
        guide: A guide with a running episode, or the `choose` that a generator is handed.
        levels: None leaves large draws as they are: `diverse` splits them where it matters. A number limits
            each draw to that many evenly spaced values, as in the paper, which has 256.
    """

    _ask: Ask
    _levels: int

    def __new__(cls, *arguments: Any, **options: Any) -> GuidedRandom:
        """Ignore the arguments, which are not a seed."""
        return super().__new__(cls)

    def __init__(self, guide: Guide | Choose, *, levels: int | None = None) -> None:
        super().__init__()
        self._ask = ask_of(guide)
        self._levels = check_levels(levels)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Do nothing: the guide decides."""
        self.gauss_next = None

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""
        if self._levels:
            return self._draw(self._levels) / self._levels
        return self._draw(1 << _BITS) / (1 << _BITS)

    def getrandbits(self, k: int, /) -> int:
        """An integer of at most k bits, one choice for each 32 bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        made = 0
        for low in range(0, k, _WORD):
            made |= self._randbelow(1 << min(_WORD, k - low)) << low
        return made

    def randbytes(self, n: int) -> bytes:
        """N bytes, one choice for each."""
        return bytes([self._randbelow(256) for _ in range(n)])

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """A normal variate from its own draws: nothing is kept for the next one."""
        self.gauss_next = None
        return super().gauss(mu, sigma)

    def choices(
        self,
        population: Any,
        weights: Sequence[Any] | None = None,
        *,
        cum_weights: Sequence[Any] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """K elements, one choice for each; weights say how likely each is before anything is learned."""
        if weights is None and cum_weights is None and len(population):
            return [population[self._randbelow(len(population))] for _ in range(k)]
        if weights is not None and cum_weights is None and self._fit(weights, len(population)):
            return [population[self._draw(len(population), weights)] for _ in range(k)]
        return super().choices(population, weights, cum_weights=cum_weights, k=k)

    def _randbelow(self, n: int) -> int:
        if n == 0:
            return 0  # As in the standard library, where `choice` then complains about an empty sequence.
        if n.bit_length() > 64:
            return self._randbelow_with_getrandbits(n)  # type: ignore[attr-defined, no-any-return]
        if 0 < self._levels < n:
            return n * self._draw(self._levels) // self._levels
        return self._draw(n)

    def _draw(self, n: int, weights: Sequence[float] | None = None) -> int:
        frame: Any = sys._getframe(2)
        while frame.f_globals is _LIBRARY or frame.f_globals is _OWN:
            frame = frame.f_back
        return self._ask(n, frame, weights)

    def _fit(self, weights: Sequence[float], n: int) -> bool:
        """Whether a guide accepts these weights; if not, the standard method reports the error."""
        numbers = all(isinstance(weight, int | float) and 0.0 <= weight < float("inf") for weight in weights)
        return numbers and len(weights) == n and sum(weights) > 0.0


class guided_random:  # noqa: N801 - a context manager, named as a function is
    """Guides the `random` module inside a `with` block, for code that does not take a generator.

    The block guides the module's functions and its default instance, and always restores them. Unless an
    episode of the guide is already running, the block is one: VALID when it ends, INVALID when an
    assumption does not hold or it draws too much, FAILED when it raises.

    Args:
        guide: A guide, or the `choose` that a generator is handed; None for a new guide.
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


def guide_of(source: Guide | Choose) -> Guide | None:
    """The guide behind a `choose`; None for any other, such as a replay."""
    guide = getattr(source, "__self__", source)
    return guide if isinstance(guide, Guide) else None


def ask_of(source: Guide | Choose) -> Ask:
    """The function that answers draws."""
    guide = guide_of(source)
    if guide is not None:
        return guide.draw
    if isinstance(source, Actions):
        return source.draw
    if not callable(source):
        raise ConfigurationError(f"guide={source!r} must be an rlcheck.Guide, or the choose of a generator.")
    choose: Choose = source
    return lambda n, frame, weights: choose(range(n), at=site_name(frame))


def check_levels(levels: int | None) -> int:
    """The number of levels, 0 for none."""
    return 0 if levels is None else check_integer("levels", levels, least=2)


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


__all__ = ["GuidedRandom", "guided_random"]
