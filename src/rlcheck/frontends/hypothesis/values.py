"""Numbers and strings as choices: how each kind of value is made from small choices."""

from __future__ import annotations

import math
import struct
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlcheck.frontends.hypothesis.draws import Draws

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

#: About how many options stand for values between samples. They are few: equal values are worth more.
_NEARBY = 8

#: Integers that are among the samples wherever they fit: they are easy to read, and likely to be equal.
_SMALL_ONES = range(-3, 16)

#: The first characters of an alphabet are common; the rest is drawn every fifth time.
_COMMON = 256

#: A test case cannot hold a longer string.
_LONGEST = 8 * 1024

#: Gives this many samples of the default distribution under some constraints.
Sample = Callable[[int], list[Any]]


def integer(
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
    small = [value for value in _SMALL_ONES if low <= value <= high]
    return _near(draws, "integer", low, high, [*sample(_SAMPLES), *small], known(), want)


def number(
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


def tricky(draws: Draws, key: tuple[Any, ...], constraints: dict[str, Any], want: Any) -> Any:
    """Occasionally a string or bytes known to be tricky; None otherwise."""
    kind = key[0]
    known = draws.known(key, kind, constraints)
    if not known or not draws.flip(_KNOWN, f"known {kind}?", want=None if want is None else want in known):
        return None
    place = None if want is None else known.index(want)
    return known[draws.ask(len(known), f"known {kind}", want=place)]


def elements(draws: Draws, n: int, min_size: int, max_size: int, want: list[int] | None) -> list[int]:
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


def weighted(draws: Draws, weights: dict[int, float], want: int | None) -> int | None:
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
    """One of the samples, a tricky one, or an integer between two samples."""
    samples = sorted(set(samples))
    many = len(samples)
    # The options are in the order of the values, so one choice says how two values compare: samples come in
    # groups, and an option for the values between them follows each group.
    step = -(-many // _NEARBY)
    groups = -(-many // step)
    rare = _TRICKY if tricky else 0
    option = draws.ask(many + groups + rare, at, want=_option(samples, step, tricky, want))
    if option >= many + groups:
        index = tricky.index(want) if want in tricky else None
        return tricky[draws.ask(len(tricky), f"{at} known", want=index)]
    group = min(option // (step + 1), groups - 1)
    first = group * step
    size = min(step, many - first)
    place = option - group * (step + 1)
    if place < size:
        return samples[first + place]
    place = first + draws.ask(
        size, f"{at} near", want=None if want is None else min(bisect_left(samples, want), many - 1) - first
    )
    # No two places share a value, so that a value is seldom made twice.
    least = samples[place - 1] + 1 if place else low
    most = samples[place] - 1 if place < many - 1 else high
    if least > most:
        return samples[place]
    wanted = None if want is None else min(max(want, least), most) - least
    return least + draws.ask(most - least + 1, f"{at} nearby", want=wanted, quiet=True)


def _option(samples: list[int], step: int, tricky: list[int], want: int | None) -> int | None:
    """Return the option of a value that is known: a sample, a tricky one, or one between two samples."""
    if want is None:
        return None
    many = len(samples)
    place = min(bisect_left(samples, want), many - 1)
    if samples[place] == want:
        return place + place // step
    if want in tricky:
        return many + -(-many // step)
    group = place // step
    return group * (step + 1) + min(step, many - group * step)


def _element(draws: Draws, n: int, want: int | None) -> int:
    if n <= _COMMON:
        return draws.ask(n, "element", want=want)
    if draws.flip(0.2, "rare?", want=None if want is None else want >= _COMMON):
        return _COMMON + draws.ask(n - _COMMON, "rare", want=None if want is None else want - _COMMON)
    return draws.ask(_COMMON, "element", want=want)
