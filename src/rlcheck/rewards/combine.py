"""Combine: a weighted sum of rewards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from rlcheck import registry
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import Reward


class Combine:
    """The sum of several rewards, each times its weight; those that come before each choice too.

    Args:
        weights: The weight of each reward, by its name or by the function itself; None for DeepRNG's: each
            new branch is worth 1 at once, and a failure 1 at the end.
    """

    #: What of the branches the most demanding part looks at; on the class, that of the default weights.
    coverage: str | None = "path"

    def __init__(self, weights: Mapping[str | Reward, float] | None = None) -> None:
        given = {"new-branches": 1.0, "failure": 1.0} if weights is None else weights
        for part, weight in given.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
                raise ConfigurationError(f"the weight {weight!r} of {part!r} must be a finite number.")
        self._parts: list[tuple[Reward, float]] = [
            (registry.make("reward", part), weight) for part, weight in given.items()
        ]
        parts = {f"part {number}": part for number, (part, _) in enumerate(self._parts)}
        self.coverage = registry.coverage_needed(**parts)
        steps = [(part.step, weight) for part, weight in self._parts if hasattr(part, "step")]
        if steps:
            self.step: Callable[[int], float] = lambda new: sum(weight * step(new) for step, weight in steps)

    def __call__(self, episode: Episode) -> float:
        """The worth of an episode."""
        return sum(weight * part(episode) for part, weight in self._parts)
