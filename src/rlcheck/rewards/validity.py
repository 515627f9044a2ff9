"""Validity: is the input valid? New or not makes no difference."""

from __future__ import annotations

from rlcheck.episode import Episode, Outcome


class Validity:
    """A valid input is worth `valid`, any other `invalid`."""

    def __init__(self, *, valid: float = 1.0, invalid: float = 0.0) -> None:
        self.valid = valid
        self.invalid = invalid

    def __call__(self, episode: Episode) -> float:
        """The worth of an episode."""
        return self.invalid if episode.outcome is Outcome.INVALID else self.valid
