"""How the counts of a campaign grow, noted by an observer: stopping for it would let lanes run empty."""

from __future__ import annotations

from rlcheck import Episode, Outcome


class Curve:
    """Inputs, valid ones and unique valid ones, at equal steps of a run.

    Args:
        inputs: How many inputs the run has.
        points: How many points the curve has; one for each input when there are fewer.
    """

    def __init__(self, inputs: int, points: int) -> None:
        self.points: list[tuple[int, int, int]] = []
        self._due = {inputs * point // points for point in range(1, points + 1)}
        self._inputs = self._valid = self._unique = 0

    def __call__(self, episode: Episode) -> None:
        """Take note of an episode."""
        self._inputs += 1
        self._valid += episode.outcome is not Outcome.INVALID
        self._unique += episode.unique
        if self._inputs in self._due:
            self.points.append((self._inputs, self._valid, self._unique))
