"""Shapes: how much inputs differ in structure, with their leaf values erased."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from hashlib import blake2b
from typing import Any

from rlcheck import contexts

#: How many shapes are counted separately, in about 20 MB; inputs of later ones are counted together.
_MOST = 200_000


class Shapes:
    """Counts valid inputs by their shape, in bounded memory.

    Args:
        shape: A function of an input; None erases its leaf values and keeps the rest.
    """

    def __init__(self, shape: Callable[[Any], Hashable] | None = None) -> None:
        self._shape = contexts.shape if shape is None else shape
        self._counts: dict[int, int] = {}
        self._total = 0
        # Inputs whose shape came too late to be kept.
        self._others = 0
        # The sum of count * log(count) over all shapes, kept up to date.
        self._spread = 0.0

    def __len__(self) -> int:
        """Return how many shapes there were."""
        return len(self._counts) + (self._others > 0)

    def of(self, value: Any) -> int:
        """Return the shape of an input as a digest, which is the same in every process."""
        shape = self._shape(value)
        if not isinstance(shape, str):
            shape = repr(shape)
        return int.from_bytes(blake2b(shape.encode(errors="backslashreplace"), digest_size=8).digest())

    def add(self, key: int, times: int = 1) -> None:
        """Count an input of a shape, or several."""
        self._total += times
        count = self._counts.get(key, 0)
        if not count and len(self._counts) >= _MOST:
            count = self._others
            self._others += times
        else:
            self._counts[key] = count + times
        self._spread += _weighed(count + times) - _weighed(count)

    @property
    def counts(self) -> Mapping[int, int]:
        """How many inputs there were of each shape."""
        return self._counts

    @property
    def effective(self) -> float:
        """The exponential of the entropy: how many shapes there would be if all were equally frequent."""
        if not self._total:
            return 0.0
        return math.exp(math.log(self._total) - self._spread / self._total)


def _weighed(count: int) -> float:
    return count * math.log(count) if count > 1 else 0.0
