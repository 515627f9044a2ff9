"""Rewards: what a finished episode is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rlcheck import registry
from rlcheck.abilities import RewardBase, as_reward, most_demanding
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import Reward

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.


class Novelty(RewardBase):
    """RLCheck's equation (1): a new valid input is worth `unique`, a known one `valid`, others `invalid`."""

    def __init__(self, *, unique: float = 20.0, valid: float = 0.0, invalid: float = -1.0) -> None:
        self.unique = unique
        self.valid = valid
        self.invalid = invalid

    def __call__(self, episode: Episode) -> float:
        """Return what an episode is worth."""
        if episode.unique:
            return self.unique
        return self.invalid if episode.outcome is _INVALID else self.valid


class Validity(RewardBase):
    """A valid input is worth `valid`, any other `invalid`; whether it is new makes no difference."""

    def __init__(self, *, valid: float = 1.0, invalid: float = 0.0) -> None:
        self.valid = valid
        self.invalid = invalid

    def __call__(self, episode: Episode) -> float:
        """Return what an episode is worth."""
        return self.invalid if episode.outcome is _INVALID else self.valid


class Failure(RewardBase):
    """An input that fails is worth `failed`, any other 0: what DeepRNG adds at the end of an episode."""

    def __init__(self, *, failed: float = 1.0) -> None:
        self.failed = failed

    def __call__(self, episode: Episode) -> float:
        """Return what an episode is worth."""
        return self.failed if episode.outcome is Outcome.FAILED else 0.0


class Coverage(RewardBase):
    """RLCheck with grey-box information, section 5.3 of its paper.

    A valid input is worth `unique` when no valid one before took the same set of branches; a branch that no
    input took before is worth no more than a new combination of known ones. Any other valid input is worth
    `valid`, and an invalid one `invalid`.
    """

    coverage = "counts"

    def __init__(self, *, unique: float = 20.0, valid: float = 0.0, invalid: float = -1.0) -> None:
        self.unique = unique
        self.valid = valid
        self.invalid = invalid
        self._seen: set[int] = set()

    def __call__(self, episode: Episode) -> float:
        """Return what an episode is worth."""
        if episode.outcome is _INVALID:
            return self.invalid
        branches = hash(tuple(episode.counts or ()))
        if branches in self._seen:
            return self.valid
        self._seen.add(branches)
        return self.unique


class NewBranches(RewardBase):
    """Each branch that no input took before is worth `each`, paid before the next choice.

    What the last choice led to, and what `valid` and `test` add, is paid at the end. Whether the input is
    valid makes no difference.
    """

    coverage = "path"
    steps = True

    def __init__(self, *, each: float = 1.0) -> None:
        self.each = each

    def step(self, new: int) -> float:
        """Return what new branches since the last choice are worth."""
        return self.each * new

    def __call__(self, episode: Episode) -> float:
        """Return what new branches since the last choice are worth."""
        return self.each * episode.new_branches


class Combine(RewardBase):
    """The sum of several rewards, each times its weight, including those paid before each choice.

    Args:
        weights: The weight of each reward, by its name or by the function itself; None for DeepRNG's: each
            new branch is worth 1 at once, and a failure 1 at the end.
    """

    def __init__(self, weights: Mapping[str | Reward, float] | None = None) -> None:
        given = {"new-branches": 1.0, "failure": 1.0} if weights is None else weights
        for part, weight in given.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
                raise ConfigurationError(f"the weight {weight!r} of {part!r} must be a finite number.")
        self._parts = [(as_reward(registry.make("reward", part)), weight) for part, weight in given.items()]
        self.coverage = most_demanding(*(part.coverage for part, _ in self._parts))
        self.steps = any(part.steps for part, _ in self._parts)

    def step(self, new: int) -> float:
        """Return what new branches since the last choice are worth."""
        return sum(weight * part.step(new) for part, weight in self._parts)

    def __call__(self, episode: Episode) -> float:
        """Return what an episode is worth."""
        return sum(weight * part(episode) for part, weight in self._parts)
