"""Rows of a table: the value of each option at one choice point in one state, and the best of them.

Looking for the best does not depend on the number of options: short rows are scanned, long ones keep
their options sorted into groups.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from random import Random

from rlcheck.learners import _exploration

_SHORT = 64


def make_row(n: int) -> Row:
    """A row for n options, all worth 0."""
    return Row(n) if n <= _SHORT else LongRow(n)


class Row:
    """Values of a few options.

    `best` is the only option with the highest value, or -1 when there are several or it has to be looked
    for. `bound` is not below any other option's value, so the best one stays best while its value is
    above.
    """

    __slots__ = ("_counts", "_highest", "_ties", "_values", "best", "bound", "n", "total")

    def __init__(self, n: int) -> None:
        self.n = n
        self.total = 0
        self.best = -1
        self.bound = 0.0
        self._highest = 0.0
        # The options that share the highest value; empty when they have to be looked for.
        self._ties: list[int] = []
        self._values: list[float] = [0.0] * n if n <= _SHORT else []
        self._counts: list[int] = [0] * n if n <= _SHORT else []

    def learn(self, index: int, reward: float, step_size: float) -> None:
        """Move an option's value towards a reward: to the mean of all when `step_size` is 0."""
        count = self._counts[index] + 1
        self._counts[index] = count
        self.total += 1
        old = self._values[index]
        if reward == old:
            return
        value = old + (reward - old) * (step_size or 1.0 / count)
        self._values[index] = value
        if index == self.best:
            if value <= self.bound:
                self.best = -1
        elif self.best >= 0:
            if value > self.bound:
                self.bound = value
                if value >= self._values[self.best]:
                    self.best = -1
        elif value >= self._highest or old == self._highest:
            self._ties = []

    def find(self, rng: Random) -> int:
        """An option with the highest value; ties are broken at random."""
        ties = self._ties
        if not ties:
            highest = second = -inf
            for index, value in enumerate(self._values):
                if value > highest:
                    second = highest
                    highest = value
                    ties = [index]
                elif value == highest:
                    ties.append(index)
                elif value > second:
                    second = value
            if len(ties) == 1:
                self.best = ties[0]
                self.bound = second
                return self.best
            self._ties = ties
            self._highest = highest
        return ties[_exploration.any_option(rng, len(ties))]


class _Cell:
    """One option's value, and how often it was taken."""

    __slots__ = ("count", "value")

    def __init__(self) -> None:
        self.value = 0.0
        self.count = 0


class LongRow(Row):
    """Values of many options, of which only the visited ones are kept.

    `_groups` lists options by value, and `_heap` holds the negated values that have a group. An option
    may stand in a group it has left: in a higher one after its value dropped (it moves when it is met
    there) or in a lower one after its value rose (it is struck when it is met there).
    """

    __slots__ = ("_cells", "_entries", "_groups", "_heap")

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._cells: dict[int, _Cell] = {}
        self._groups: dict[float, list[int]] = {}
        self._heap: list[float] = []
        self._entries = 0

    def learn(self, index: int, reward: float, step_size: float) -> None:
        """Move an option's value towards a reward: to the mean of all when `step_size` is 0."""
        cell = self._cells.get(index)
        if cell is None:
            cell = self._cells[index] = _Cell()
        cell.count += 1
        self.total += 1
        old = cell.value
        value = cell.value = old + (reward - old) * (step_size or 1.0 / cell.count)
        if index == self.best:
            if value <= self.bound:
                self._demote()
        elif value > old or cell.count == 1:
            self._add(index, value)
            if self.best >= 0 and value > self.bound:
                self.bound = value
                if value >= self._value(self.best):
                    self._demote()
            if self._entries > 2 * len(self._cells) + 16:
                self._regroup()

    def find(self, rng: Random) -> int:
        """An option with the highest value; ties are broken at random."""
        cells = self._cells
        ties = self._ties
        if ties:  # The highest group, as long as nothing has risen above it.
            index = ties[_exploration.any_option(rng, len(ties))]
            if self._value(index) == self._highest:
                return index
        while self._heap:
            value = -self._heap[0]
            if value <= 0.0 and len(cells) < self.n:
                break
            group = self._groups[value]
            while group:
                place = _exploration.any_option(rng, len(group))
                index = group[place]
                now = self._value(index)
                if now == value:
                    if len(group) == 1:
                        self._promote(index)
                    else:
                        self._ties = group
                        self._highest = value
                    return index
                group[place] = group[-1]
                group.pop()
                self._entries -= 1
                if now < value:
                    self._add(index, now)
            self._drop_highest_group()
        # Unvisited options are worth 0: as good as any, and too many to list.
        while True:
            index = _exploration.any_option(rng, self.n)
            cell = cells.get(index)
            if cell is None or cell.value == 0.0:
                return index

    def _value(self, index: int) -> float:
        cell = self._cells[index]
        return cell.value

    def _add(self, index: int, value: float) -> None:
        if value > self._highest:
            self._ties = []
        group = self._groups.get(value)
        if group is None:
            self._groups[value] = [index]
            heappush(self._heap, -value)
        else:
            group.append(index)
        self._entries += 1

    def _promote(self, index: int) -> None:
        self.best = index
        self._drop_highest_group()
        self._entries -= 1
        self.bound = -self._heap[0] if self._heap else -inf
        if len(self._cells) < self.n:
            self.bound = max(self.bound, 0.0)

    def _demote(self) -> None:
        self._add(self.best, self._value(self.best))
        self.best = -1

    def _drop_highest_group(self) -> None:
        self._ties = []
        del self._groups[-heappop(self._heap)]

    def _regroup(self) -> None:
        self._groups, self._heap, self._ties, self._entries = {}, [], [], 0
        for index, cell in self._cells.items():
            if index != self.best:
                self._add(index, cell.value)
