"""Goals: what a turn of a member yields, as a number for each goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlcheck.abilities import CharacteristicBase
from rlcheck.characteristics import characteristic_of
from rlcheck.episode import Episode, Outcome


class Goals:
    """Counts what the episodes of a turn yield.

    There are three goals. The first is the reward of episodes, by default whether they are unique valid
    inputs. The other two count in turns whose branches are recorded: inputs with a branch that no input, or
    no valid one, took before, and valid inputs with a new trace.

    Args:
        gains: What an episode yields for each goal, in place of these three.
    """

    __slots__ = ("_covered", "_found", "_gains", "_high", "_low", "_noted", "_trace", "_traces")

    def __init__(self, gains: Callable[[Episode], Sequence[float]] | None) -> None:
        self._gains = gains
        # The yields of the running turn, by goal, and whether its branches were recorded.
        self._found: list[float] = []
        self._noted = False
        # The range of the rewards so far.
        self._low = self._high = 0.0
        # The branches and the traces of valid inputs, as far as they were recorded.
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
        """Return the yields of the running turn, without those of branches if none were recorded."""
        return self._found if self._gains is not None or self._noted else self._found[:1]

    def _worth(self, episode: Episode) -> float:
        """Return the reward of an episode relative to others, from 0 to 1; or 1 if it is new."""
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
