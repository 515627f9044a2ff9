"""What makes two inputs the same: the paper's xi, kept as 64-bit digests."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any, ClassVar

from rlcheck import registry
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import Characteristic

_PLAIN = frozenset((bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset))


def identity(episode: Episode) -> int:
    """The same plain data are the same input; for any other object, the choices that made it stand for it."""
    value = episode.value
    if type(value) in _PLAIN:
        try:
            return _digest(value)
        except ValueError:  # Plain outside, something else inside.
            pass
    return hash(tuple(episode.choices))


def size(episode: Episode) -> int:
    """The length of the input where it has one, the number of choices otherwise."""
    try:
        return len(episode.value)
    except TypeError:
        return len(episode.choices)


class Trace:
    """Inputs that take the same branches, each about as often, are the same: counts of one power of two."""

    coverage: ClassVar[str] = "counts"

    def __call__(self, episode: Episode) -> int:
        """The digest of the branches, each with the magnitude of its count."""
        counts = episode.counts or {}
        return _digest((list(counts), [count.bit_length() for count in counts.values()]))


class Branches:
    """Inputs that take the same branches are the same: the paper's grey-box xi."""

    coverage: ClassVar[str] = "counts"

    def __call__(self, episode: Episode) -> int:
        """The digest of the branches."""
        return _digest(list(episode.counts or ()))


class Path:
    """Inputs that take the same branches in the same order are the same."""

    coverage: ClassVar[str] = "path"

    def __call__(self, episode: Episode) -> int:
        """The digest of the branches in their order."""
        return _digest(episode.path)


def characteristic_of(spec: str | Callable[[Any], Hashable] | None) -> Characteristic:
    """A characteristic from a name, None (identity) or a user's function of the input."""
    if spec is None or isinstance(spec, str):
        return registry.make("characteristic", spec)  # type: ignore[no-any-return]
    if not callable(spec):
        raise ConfigurationError(
            f"characteristic={spec!r} must be a name"
            f" ({', '.join(registry.names('characteristic'))}) or a function of the input."
        )
    function = spec

    def of_value(episode: Episode) -> int:
        key = function(episode.value)
        try:
            return _digest(key)
        except ValueError:
            pass
        try:
            return hash(key)
        except TypeError:
            raise ConfigurationError(
                f"characteristic={function!r} gave {key!r}, which cannot be hashed."
                " Give plain data or a tuple."
            ) from None

    return of_value


def _digest(value: Any) -> int:
    # marshal is the fastest exact encoding of nested plain data, and refuses everything else. Version 0
    # is the one in which equal strings always give equal bytes, interned or not.
    return int.from_bytes(blake2b(marshal.dumps(value, 0), digest_size=8).digest())
