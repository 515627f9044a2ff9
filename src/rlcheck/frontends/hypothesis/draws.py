"""Draws of numbers and strings as choices of a guide.

A draw from a large space becomes a choice among samples of the default distribution, then either the sample
itself or a value near it; or it is one of the values known to be tricky. Before anything is learned, values
are about as likely as with Hypothesis, and every value remains possible. `want` is the value to draw, if
it is already known.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from rlcheck.frontends.hypothesis import values

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
            weighted = values.weighted(self, weights, want)
            if weighted is not None:
                return weighted if want is None else want
        key = ("integer", min_value, max_value, shrink_towards)
        made = values.integer(
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
        made = values.number(
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
        tricky = values.tricky(self, ("string", intervals, min_size, max_size), constraints, want)
        if tricky is not None:
            return str(tricky)
        index = intervals.index_from_char_in_shrink_order
        wanted = None if want is None else [index(char) for char in want]
        made = values.elements(self, len(intervals), min_size, max_size, wanted)
        return "".join(map(intervals.char_in_shrink_order, made)) if want is None else want

    def draw_bytes(self, min_size: int = 0, max_size: int = 10**10) -> bytes:
        """A choice for each byte."""
        constraints = {"min_size": min_size, "max_size": max_size}
        want = self.replayed(bytes, constraints)
        tricky = values.tricky(self, ("bytes", min_size, max_size), constraints, want)
        if tricky is not None:
            return bytes(tricky)
        made = values.elements(self, 256, min_size, max_size, None if want is None else list(want))
        return bytes(made) if want is None else want
