"""Draws of numbers and strings as choices of a guide.

A draw from a large space becomes a choice among samples of the default distribution, then either the sample
itself or a value near it; or it is one of the values known to be tricky. Before anything is learned, values
are about as likely as with Hypothesis, and every value remains possible. `want` is the value to draw, if
it is already known.
"""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

#: Ranges up to this size are chosen from directly.
_SMALL = 512

#: How many samples of a larger space are options.
_SAMPLES = 64

#: The default distribution of an unbounded integer ends here too.
_FAR = 2**128

#: How often a string is one that is known to be tricky.
_KNOWN = 0.05

#: How many options, in addition to the samples, stand for tricky numbers.
_TRICKY = 2

#: The first characters of an alphabet are common; the rest is drawn every fifth time.
_COMMON = 256

#: A test case cannot hold a longer string.
_LONGEST = 8 * 1024


#: How likely each option is; equally when None.
Weights: TypeAlias = Sequence[float] | None

#: The option to take, if it is known.
Want: TypeAlias = int | None


class Draws(ABC):
    """The five draws of a Hypothesis provider."""

    @abstractmethod
    def ask(self, n: int, at: str, *, weights: Weights = None, want: Want = None, quiet: bool = False) -> int:
        """Ask for one of n options; later choices do not depend on a quiet one."""

    @abstractmethod
    def enter(self, label: Hashable) -> None:
        """Begin a frame."""

    @abstractmethod
    def leave(self) -> None:
        """End a frame."""

    @abstractmethod
    def random(self) -> float:
        """A number between 0 and 1 that is not learned."""

    @abstractmethod
    def replayed(self, kind: type, constraints: dict[str, Any]) -> Any:
        """The value to draw, if it is already known; None otherwise."""

    @abstractmethod
    def permitted(self, value: Any, constraints: Any) -> bool:
        """Whether a value satisfies the constraints."""

    @abstractmethod
    def sample(self, key: Hashable, kind: str, n: int, constraints: dict[str, Any]) -> list[Any]:
        """N draws from the default distribution, the same ones for each key."""

    @abstractmethod
    def known(self, key: Hashable, kind: str, constraints: dict[str, Any]) -> list[Any]:
        """Values that are known to be tricky."""

    def flip(self, p: float, at: str, *, want: bool | None = None) -> bool:
        """True with probability p before anything is learned; a quiet choice."""
        return bool(self.ask(2, at, weights=(1.0 - p, p), want=want, quiet=True))

    def draw_boolean(self, p: float = 0.5) -> bool:
        """A choice of two. A nearly certain one is not learned: Hypothesis uses those to end things."""
        want = self.replayed(bool, {"p": p})
        if p <= 0.0 or p >= 1.0:
            return p >= 1.0
        if p < 0.01 or p > 0.99:
            return self.random() < p if want is None else want
        if p == 0.5:
            return bool(self.ask(2, "boolean", want=want))
        return self.flip(p, "coin", want=want)

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        """One choice for a small range, up to three for a large one."""
        constraints: dict[str, Any] = {
            "min_value": min_value,
            "max_value": max_value,
            "weights": weights,
            "shrink_towards": shrink_towards,
        }
        want = self.replayed(int, constraints)
        if weights is not None:
            weighted = _weighted(self, weights, want)
            if weighted is not None:
                return weighted if want is None else want
        key = ("integer", min_value, max_value, shrink_towards)
        made = _integer(
            self,
            min_value,
            max_value,
            lambda n: self.sample(key, "integer", n, constraints),
            lambda: self.known(("known", *key), "integer", constraints),
            want,
        )
        return made if want is None else want

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """One of the default backend's floats, or one near it."""
        constraints = {
            "min_value": min_value,
            "max_value": max_value,
            "allow_nan": allow_nan,
            "smallest_nonzero_magnitude": smallest_nonzero_magnitude,
        }
        want = self.replayed(float, constraints)
        key = ("float", min_value, max_value, allow_nan, smallest_nonzero_magnitude)
        made = _number(
            self,
            min_value,
            max_value,
            lambda n: self.sample(key, "float", n, constraints),
            self.known(("known", *key), "float", constraints),
            lambda value: self.permitted(value, constraints),
            want,
        )
        return made if want is None else want

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 10**10) -> str:
        """A choice for each character."""
        constraints = {"intervals": intervals, "min_size": min_size, "max_size": max_size}
        want = self.replayed(str, constraints)
        if len(intervals) == 0:
            return ""
        tricky = _tricky(self, ("string", intervals, min_size, max_size), constraints, want)
        if tricky is not None:
            return str(tricky)
        index = intervals.index_from_char_in_shrink_order
        wanted = None if want is None else [index(char) for char in want]
        made = _elements(self, len(intervals), min_size, max_size, wanted)
        return "".join(map(intervals.char_in_shrink_order, made)) if want is None else want

    def draw_bytes(self, min_size: int = 0, max_size: int = 10**10) -> bytes:
        """A choice for each byte."""
        constraints = {"min_size": min_size, "max_size": max_size}
        want = self.replayed(bytes, constraints)
        tricky = _tricky(self, ("bytes", min_size, max_size), constraints, want)
        if tricky is not None:
            return bytes(tricky)
        made = _elements(self, 256, min_size, max_size, None if want is None else list(want))
        return bytes(made) if want is None else want


#: Gives this many samples of the default distribution under some constraints.
Sample = Callable[[int], list[Any]]


def _integer(
    draws: Draws,
    low: int | None,
    high: int | None,
    sample: Sample,
    known: Callable[[], list[int]],
    want: int | None,
) -> int:
    """An integer between two bounds."""
    if low is not None and high is not None and high - low < _SMALL:
        return low + draws.ask(high - low + 1, "integer", want=None if want is None else want - low)
    if low is None:
        low = -_FAR if high is None else -max(_FAR, 2 * abs(high))
    if high is None:
        high = max(_FAR, 2 * abs(low))
    return _near(draws, "integer", low, high, sample(_SAMPLES), known(), want)


def _number(
    draws: Draws,
    low: float,
    high: float,
    sample: Sample,
    known: list[float],
    permitted: Callable[[float], bool],
    want: float | None,
) -> float:
    """A float between two bounds, or NaN."""
    edges = [0.0, -0.0, -math.inf, math.inf, math.nan, low, high]
    samples = [rank(value) for value in [*sample(_SAMPLES), *filter(permitted, edges)]]
    least, most = min(rank(low), min(samples)), max(rank(high), max(samples))
    wanted = None if want is None else rank(want)
    near = _near(draws, "float", least, most, samples, [rank(value) for value in known], wanted)
    value = unrank(near)
    if permitted(value):
        return value
    return unrank(min(samples, key=lambda other: abs(other - near)))


def _tricky(draws: Draws, key: tuple[Any, ...], constraints: dict[str, Any], want: Any) -> Any:
    """Occasionally a string or bytes known to be tricky; None otherwise."""
    kind = key[0]
    known = draws.known(key, kind, constraints)
    if not known or not draws.flip(_KNOWN, f"known {kind}?", want=None if want is None else want in known):
        return None
    place = None if want is None else known.index(want)
    return known[draws.ask(len(known), f"known {kind}", want=place)]


def _elements(draws: Draws, n: int, min_size: int, max_size: int, want: list[int] | None) -> list[int]:
    """The indices of a string's characters in an alphabet of n."""
    expected = min(max(min_size, 5), 0.5 * (max_size - min_size))
    another = expected / (1.0 + expected)
    made: list[int] = []
    draws.enter("string")
    while len(made) < min(max_size, _LONGEST):
        wanted = None if want is None or len(made) >= len(want) else want[len(made)]
        more = None if want is None else wanted is not None
        if len(made) >= min_size and not draws.flip(another, "another", want=more):
            break
        made.append(_element(draws, n, wanted))
    draws.leave()
    return made


def _weighted(draws: Draws, weights: dict[int, float], want: int | None) -> int | None:
    """A key of the weights, or None for a draw that ignores them."""
    keys = list(weights)
    rest = max(0.0, 1.0 - sum(weights.values()))
    wanted = None if want is None else keys.index(want) if want in weights else len(keys)
    index = draws.ask(len(keys) + 1, "key", weights=[*weights.values(), rest], want=wanted)
    return keys[index] if index < len(keys) else None


def rank(value: float) -> int:
    """The place of a float in the order of all floats; -0.0 comes before 0.0, NaN after infinity."""
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF) - 1


def unrank(place: int) -> float:
    """The float at a place."""
    bits = place if place >= 0 else (-place - 1) | 1 << 63
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    return float(value)


def _near(
    draws: Draws, at: str, low: int, high: int, samples: list[int], tricky: list[int], want: int | None
) -> int:
    """One of the samples, an integer between it and the one below, or a tricky one."""
    samples = sorted(set(samples))
    last = len(samples) - 1
    known = want in tricky
    place = None if want is None else last + 1 if known else min(bisect_left(samples, want), last)
    place = draws.ask(len(samples) + _TRICKY if tricky else len(samples), at, want=place)
    if place > last:
        index = tricky.index(want) if known and want is not None else None
        return tricky[draws.ask(len(tricky), f"{at} known", want=index)]
    # No two places share a value, so that a value is not made twice.
    least = samples[place - 1] + 1 if place else low
    most = samples[place] - 1 if place < last else high
    exact = None if want is None else want == samples[place]
    if least > most or draws.flip(0.5, f"{at} itself?", want=exact):
        return samples[place]
    wanted = None if want is None else min(max(want, least), most) - least
    return least + draws.ask(most - least + 1, f"{at} nearby", want=wanted, quiet=True)


def _element(draws: Draws, n: int, want: int | None) -> int:
    if n <= _COMMON:
        return draws.ask(n, "element", want=want)
    if draws.flip(0.2, "rare?", want=None if want is None else want >= _COMMON):
        return _COMMON + draws.ask(n - _COMMON, "rare", want=None if want is None else want - _COMMON)
    return draws.ask(_COMMON, "element", want=want)
