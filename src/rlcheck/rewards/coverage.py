"""Coverage: RLCheck with grey-box information, section 5.3 of its paper."""

from __future__ import annotations

from typing import ClassVar

from rlcheck.episode import Episode, Outcome


class Coverage:
    """A valid input is worth `unique` when no valid one before took the same set of branches.

    A branch that no input took before is worth no more than a new combination of known ones. Any other
    valid input is worth `valid`, and one that is not valid `invalid`.
    """

    coverage: ClassVar[str] = "counts"

    def __init__(self, *, unique: float = 20.0, valid: float = 0.0, invalid: float = -1.0) -> None:
        self.unique = unique
        self.valid = valid
        self.invalid = invalid
        self._seen: set[int] = set()

    def __call__(self, episode: Episode) -> float:
        """The worth of an episode."""
        if episode.outcome is Outcome.INVALID:
            return self.invalid
        branches = hash(tuple(episode.counts or ()))
        if branches in self._seen:
            return self.valid
        self._seen.add(branches)
        return self.unique
