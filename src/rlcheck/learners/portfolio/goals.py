"""Goals: what a turn of a member yields, as a number for each goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlcheck.abilities import CharacteristicBase
from rlcheck.characteristics import characteristic_of
from rlcheck.episode import Episode, Outcome


class Goals:
    """Counts what the episodes of a turn yield.

    There are three goals: what episodes are worth, which by default is whether they are unique valid inputs;
    and, in turns whose branches are noted, inputs with a branch that no input, or no valid one, took before,
    and valid inputs with a new trace.

    Args:
        gains: What an episode yields for each goal, in place of these three.
    """

    __slots__ = ("_covered", "_found", "_gains", "_high", "_low", "_noted", "_trace", "_traces")

    def __init__(self, gains: Callable[[Episode], Sequence[float]] | None) -> None:
        self._gains = gains
        # What the running turn yields, by goal, and whether branches were noted in it.
        self._found: list[float] = []
        self._noted = False
        # The range of what episodes have been worth.
        self._low = self._high = 0.0
        # The branches that valid inputs took, and the traces of those that were noted.
        self._covered: set[int] = set()
        self._traces: set[int] = set()
        self._trace: CharacteristicBase = characteristic_of("trace")
        self.begin()

    def begin(self) -> None:
        """Begin a turn."""
        self._found = [] if self._gains is not None else [0.0, 0.0, 0.0]
        self._noted = False

    def add(self, episode: Episode) -> None:
        """Count an episode."""
        if self._gains is not None:
            self._add(self._gains(episode))
            return
        self._found[0] += self._worth(episode)
        if episode.counts is not None:
            self._cover(episode, episode.counts)

    def gained(self) -> list[float]:
        """Return what the running turn yields; nothing of branches when none were noted."""
        return self._found if self._gains is not None or self._noted else self._found[:1]

    def _worth(self, episode: Episode) -> float:
        """Return what an episode is worth beside others, from 0 to 1; where all are equal, if it is new."""
        worth = episode.earned + episode.reward
        if worth < self._low:
            self._low = worth
        elif worth > self._high:
            self._high = worth
        span = self._high - self._low
        return (worth - self._low) / span if span else float(episode.unique)

    def _cover(self, episode: Episode, counts: dict[int, int]) -> None:
        known = len(self._covered)
        if episode.outcome is not Outcome.INVALID:
            self._covered.update(counts)
            traces = len(self._traces)
            self._traces.add(self._trace(episode))
            self._found[2] += len(self._traces) > traces
        self._noted = True
        self._found[1] += episode.new_branches > 0 or len(self._covered) > known

    def _add(self, gains: Sequence[float]) -> None:
        for goal, gain in enumerate(gains):
            if goal == len(self._found):
                self._found.append(0.0)
            self._found[goal] += gain
