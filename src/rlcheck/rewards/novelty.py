"""Novelty: RLCheck's diversity reward, equation (1)."""

from __future__ import annotations

from rlcheck.episode import Episode, Outcome


class Novelty:
    """A new valid input is worth `unique`, a known one `valid`, any other `invalid`."""

    def __init__(self, *, unique: float = 20.0, valid: float = 0.0, invalid: float = -1.0) -> None:
        self.unique = unique
        self.valid = valid
        self.invalid = invalid

    def __call__(self, episode: Episode) -> float:
        """The worth of an episode."""
        if episode.unique:
            return self.unique
        return self.invalid if episode.outcome is Outcome.INVALID else self.valid
