"""The best episodes of a learner, and one of them that is followed with a few changes."""

from __future__ import annotations

import math
from collections.abc import Callable

from rlcheck.learners import _exploration

_KEPT = 500

#: A change leads away from an episode; so far it is looked ahead for the way back.
_AHEAD = 6

#: And so many steps of another episode are looked at for one that goes on from there.
_SCAN = 100

#: How many episodes each way was taken by is forgotten when there are more ways.
_WAYS = 10_000


class Archive:
    """Episodes as (points, choices): valid ones, or as long as there are none, those nearest to it."""

    def __init__(self, random: Callable[[], float]) -> None:
        #: How near to valid those that are kept are.
        self.best = 0.0
        #: Whether the episode is where the one that is followed never was.
        self.lost = False
        self._random = random
        # With the hash of the points that each passed: its way. How many of the best went each way.
        self._kept: list[tuple[list[int], list[int], int]] = []
        self._ways: dict[int, int] = {}
        # The episode that is being followed, how far it was, and how likely each choice is changed.
        self._points: list[int] = []
        self._script: list[int] = []
        self._place = 0
        self._leave = 0.0

    @property
    def empty(self) -> bool:
        """Whether nothing was kept yet."""
        return not self._kept

    def keep(self, points: list[int], choices: list[int], valid: float) -> int:
        """Keep an episode, when none before was nearer to valid; how many of the best went its way before."""
        if not choices or valid < self.best:
            return 0
        if valid > self.best:
            self._kept.clear()
            self._ways.clear()
            self.best = valid
        way = hash(tuple(points))
        before = self._ways.get(way, 0)
        self._ways[way] = before + 1
        if len(self._ways) > _WAYS:
            self._ways.clear()
        if len(self._kept) < _KEPT:
            self._kept.append((points, choices, way))
        else:
            self._kept[_exploration.below(self._random, _KEPT)] = (points, choices, way)
        return before

    def open(self, brevity: float) -> None:
        """Begin to follow an episode: of four, the one that went a way which fewest of the best went.

        The longer it is, the more of them it counts for: length ** brevity.
        """
        self._points, self._script, way = self._any()
        fewest = self._ways.get(way, 0) * math.pow(len(self._script), brevity)
        for _ in range(3):
            points, script, way = self._any()
            fewer = self._ways.get(way, 0) * math.pow(len(script), brevity)
            if fewer < fewest:
                self._points, self._script, fewest = points, script, fewer
        self._place = 0
        self._leave = 1.5 / len(self._script)

    def follow(self, number: int, n: int) -> int:
        """What is chosen at the point of this number, or -1 to leave it to the learner."""
        place = self._place
        end = min(len(self._script), place + _AHEAD)
        while place < end:
            point = self._points[place]
            if point == number:
                break
            place += 1
        self.lost = place >= end
        roll = self._random()
        if self.lost:
            return self._graft(number, n) if roll < 0.5 else -1
        self._place = place + 1
        index = self._script[place]
        return -1 if index >= n or roll < self._leave else index

    def _graft(self, number: int, n: int) -> int:
        """What one of the best episodes chose at this point, to be followed from there on, or -1."""
        points, script, _ = self._any()
        first = _exploration.below(self._random, len(script)) - len(script)
        for step in range(first, first + min(len(script), _SCAN)):  # Below 0 it counts from the end.
            if points[step] == number and script[step] < n:
                self._points, self._script = points, script
                self._place = step % len(script) + 1
                return script[step]
        return -1

    def _any(self) -> tuple[list[int], list[int], int]:
        return self._kept[_exploration.below(self._random, len(self._kept))]
