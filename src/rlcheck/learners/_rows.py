"""Rows of a table: the value of each option at one choice point in one state, and the best of them.

Finding the best costs about the same for any number of options: short rows are scanned, long ones keep a
tournament tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf

from rlcheck.learners import _exploration

_SHORT = 64


def make_row(n: int) -> Row:
    """A row for n options, all worth 0."""
    return Row(n) if n <= _SHORT else LongRow(n)


class Row:
    """Values of a few options.

    `best` is the only option with the highest value, or -1 if there are several or it is not known. No other
    option's value is above `bound`, so the best one stays best while its value is above `bound`.
    """

    __slots__ = ("_counts", "_highest", "_ties", "_values", "best", "bound", "n", "total")

    def __init__(self, n: int) -> None:
        self.n = n
        self.total = 0
        self.best = -1
        self.bound = 0.0
        self._highest = 0.0
        # The options that share the highest value; empty if they are not known.
        self._ties: list[int] = []
        self._values: list[float] = [0.0] * n if n <= _SHORT else []
        self._counts: list[int] = [0] * n if n <= _SHORT else []

    def learn(self, index: int, reward: float, step_size: float) -> None:
        """Move an option's value towards a reward; if `step_size` is 0, to the mean of all rewards."""
        count = self._counts[index] + 1
        self._counts[index] = count
        self.total += 1
        old = self._values[index]
        if reward != old:
            self._put(index, old + (reward - old) * (step_size or 1.0 / count))

    def value(self, index: int) -> float:
        """Return the value of an option."""
        return self._values[index]

    def count(self, index: int) -> None:
        """Count a visit of an option without changing its value."""
        self._counts[index] += 1

    def add(self, index: int, change: float) -> None:
        """Change an option's value."""
        self.total += 1
        if change:
            self._put(index, self._values[index] + change)

    def tallies(self) -> list[tuple[int, int, float]]:
        """Return the options that were taken: index, number of visits, and sum of rewards."""
        return [
            (index, count, self._values[index] * count) for index, count in enumerate(self._counts) if count
        ]

    def merge(self, index: int, count: int, total: float) -> None:
        """Add visits of an option made elsewhere, with the sum of their rewards."""
        known = self._counts[index]
        self._counts[index] = known + count
        self.total += count
        self._put(index, (self._values[index] * known + total) / (known + count))

    def _put(self, index: int, value: float) -> None:
        """Change the value of an option, and keep `best` up to date."""
        old = self._values[index]
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

    def find(self, random: Callable[[], float]) -> int:
        """Return an option with the highest value; ties are broken at random."""
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
        return ties[_exploration.below(random, len(ties))]


class LongRow(Row):
    """Values of many options; only visited ones are stored.

    They are the leaves of a tournament tree: node k has the higher value of nodes 2k and 2k + 1, and the
    number of leaves with that value. Finding and updating the best takes one step per level of the tree.
    """

    __slots__ = ("_highs", "_leaves", "_options", "_tied", "_width")

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._leaves: dict[int, int] = {}
        self._options: list[int] = []
        # The number of leaves; unused ones come last, with a value below any other.
        self._width = 4
        self._highs = array("d", [-inf]) * 8
        self._tied = array("q", [0]) * 8

    def learn(self, index: int, reward: float, step_size: float) -> None:
        """Move an option's value towards a reward; if `step_size` is 0, to the mean of all rewards."""
        leaf = self._leaves.get(index, -1)
        if leaf < 0:
            leaf = self._enter(index)
        count = self._counts[leaf] + 1
        self._counts[leaf] = count
        self.total += 1
        node = self._width + leaf
        old = self._highs[node]
        value = old + (reward - old) * (step_size or 1.0 / count)
        if value != old or count == 1:
            self._highs[node] = value
            self._play(node)

    def value(self, index: int) -> float:
        """Return the value of an option."""
        leaf = self._leaves.get(index, -1)
        return self._highs[self._width + leaf] if leaf >= 0 else 0.0

    def count(self, index: int) -> None:
        """Count a visit of an option without changing its value."""
        leaf = self._leaves.get(index, -1)
        if leaf < 0:
            leaf = self._enter(index)
            self._play(self._width + leaf)
        self._counts[leaf] += 1

    def add(self, index: int, change: float) -> None:
        """Change an option's value."""
        self.total += 1
        if change:
            leaf = self._leaves.get(index, -1)
            if leaf < 0:
                leaf = self._enter(index)
            self._highs[self._width + leaf] += change
            self._play(self._width + leaf)

    def tallies(self) -> list[tuple[int, int, float]]:
        """Return the options that were taken: index, number of visits, and sum of rewards."""
        found = []
        for leaf, index in enumerate(self._options):
            count = self._counts[leaf]
            if count:
                found.append((index, count, self._highs[self._width + leaf] * count))
        return found

    def merge(self, index: int, count: int, total: float) -> None:
        """Add visits of an option made elsewhere, with the sum of their rewards."""
        leaf = self._leaves.get(index, -1)
        if leaf < 0:
            leaf = self._enter(index)
        known = self._counts[leaf]
        self._counts[leaf] = known + count
        self.total += count
        node = self._width + leaf
        self._highs[node] = (self._highs[node] * known + total) / (known + count)
        self._play(node)

    def find(self, random: Callable[[], float]) -> int:
        """Return an option with the highest value; ties are broken at random."""
        if self._highs[1] > 0.0 or len(self._options) == self.n:
            return self._winner(random)
        # Unvisited options are worth 0: as good as any, and too many to list.
        while True:
            index = _exploration.below(random, self.n)
            leaf = self._leaves.get(index, -1)
            if leaf < 0 or self._highs[self._width + leaf] == 0.0:
                return index

    def _enter(self, index: int) -> int:
        """Give an option a leaf."""
        leaf = len(self._options)
        if leaf == self._width:
            self._widen()
        self._leaves[index] = leaf
        self._options.append(index)
        self._counts.append(0)
        self._highs[self._width + leaf] = 0.0
        self._tied[self._width + leaf] = 1
        return leaf

    def _play(self, node: int) -> None:
        """Update the nodes above a node, as far as they change."""
        while node > 1:
            node //= 2
            high = self._highs[2 * node]
            tied = self._tied[2 * node]
            other = self._highs[2 * node + 1]
            if other > high:
                high = other
                tied = self._tied[2 * node + 1]
            elif other == high:
                tied += self._tied[2 * node + 1]
            if high == self._highs[node] and tied == self._tied[node]:
                return
            self._highs[node] = high
            self._tied[node] = tied
        self.best = -1

    def _winner(self, random: Callable[[], float]) -> int:
        """One of the options with the highest value."""
        high = self._highs[1]
        tied = self._tied[1]
        place = _exploration.below(random, tied) if tied > 1 else 0
        node = 1
        while node < self._width:
            node *= 2
            left = self._tied[node]
            if self._highs[node] != high:
                left = 0
            if place >= left:
                place -= left
                node += 1
        option = self._options[node - self._width]
        if tied == 1:
            self.best = option
        return option

    def _widen(self) -> None:
        """Double the number of leaves."""
        width, highs, tied = self._width, self._highs, self._tied
        self._width = 2 * width
        self._highs = array("d", [-inf]) * (4 * width)
        self._tied = array("q", [0]) * (4 * width)
        for leaf in range(width):
            self._highs[2 * width + leaf] = highs[width + leaf]
            self._tied[2 * width + leaf] = tied[width + leaf]
        for leaf in range(0, width, 2):
            self._play(2 * width + leaf)
