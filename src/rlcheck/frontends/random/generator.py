"""GuidedRandom: a `random.Random` whose draws are choices of a guide (DeepRNG)."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, TypeAlias

from rlcheck.checks import check_integer
from rlcheck.choice import site_name
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.random.recording import Actions
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
        guide: A guide with a running episode, or the `choose` that a generator receives.
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
