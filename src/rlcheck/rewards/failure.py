"""Failure: did the input fail the property? What DeepRNG adds at the end of an episode."""

from __future__ import annotations

from rlcheck.episode import Episode, Outcome


class Failure:
    """An input that fails is worth `failed`, any other 0."""

    def __init__(self, *, failed: float = 1.0) -> None:
        self.failed = failed

    def __call__(self, episode: Episode) -> float:
        """The worth of an episode."""
        return self.failed if episode.outcome is Outcome.FAILED else 0.0
