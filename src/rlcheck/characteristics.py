"""What makes two inputs the same: the paper's xi, kept as 64-bit digests."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any

from rlcheck import registry
from rlcheck.abilities import CharacteristicBase
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError

_PLAIN = frozenset((bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset))


class Identity(CharacteristicBase):
    """Equal plain data is the same input; any other object is identified by the choices that made it."""

    def __call__(self, episode: Episode) -> int:
        """Return the digest of the input."""
        value = episode.value
        if type(value) in _PLAIN:
            try:
                return _digest(value)
            except ValueError:  # Plain outside, something else inside.
                pass
        return hash(tuple(episode.choices))


class Size(CharacteristicBase):
    """Inputs of the same length are the same; without a length, the number of choices counts."""

    def __call__(self, episode: Episode) -> int:
        """Return the length of the input."""
        try:
            return len(episode.value)
        except TypeError:
            return len(episode.choices)


class Trace(CharacteristicBase):
    """Inputs that take the same branches about as often are the same: counts are rounded to powers of two."""

    coverage = "counts"

    def __call__(self, episode: Episode) -> int:
        """Return the digest of the branches with their rounded counts."""
        counts = episode.counts or {}
        return _digest((list(counts), [count.bit_length() for count in counts.values()]))


class Branches(CharacteristicBase):
    """Inputs that take the same branches are the same: the paper's grey-box xi."""

    coverage = "counts"

    def __call__(self, episode: Episode) -> int:
        """Return the digest of the branches."""
        return _digest(list(episode.counts or ()))


class Path(CharacteristicBase):
    """Inputs that take the same branches in the same order are the same."""

    coverage = "path"

    def __call__(self, episode: Episode) -> int:
        """Return the digest of the branches in their order."""
        return _digest(episode.path)


class _OfValue(CharacteristicBase):
    """A user's function of the input."""

    def __init__(self, function: Callable[[Any], Hashable]) -> None:
        self._function = function

    def __call__(self, episode: Episode) -> int:
        """Return the digest of what the function returns."""
        key = self._function(episode.value)
        try:
            return _digest(key)
        except ValueError:
            pass
        try:
            return hash(key)
        except TypeError:
            raise ConfigurationError(
                f"characteristic={self._function!r} gave {key!r}, which cannot be hashed."
                " Give plain data or a tuple."
            ) from None


def characteristic_of(
    spec: str | Callable[[Any], Hashable] | CharacteristicBase | None,
) -> CharacteristicBase:
    """Return the characteristic for a name, None (identity) or a user's function of the input."""
    if isinstance(spec, CharacteristicBase):
        return spec
    if spec is None or isinstance(spec, str):
        return registry.make("characteristic", spec)  # type: ignore[no-any-return]
    if not callable(spec):
        raise ConfigurationError(
            f"characteristic={spec!r} must be a name"
            f" ({', '.join(registry.names('characteristic'))}) or a function of the input."
        )
    return _OfValue(spec)


def _digest(value: Any) -> int:
    # marshal is the fastest exact encoding of nested plain data, and refuses everything else. Version 0
    # is the one in which equal strings always give equal bytes, interned or not.
    return int.from_bytes(blake2b(marshal.dumps(value, 0), digest_size=8).digest())
