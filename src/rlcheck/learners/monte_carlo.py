"""MonteCarlo: tabular on-policy Monte-Carlo control, as in RLCheck.

Reference: Reddy, Lemieux, Padhye, Sen, "Quickly Generating Diverse Valid Test Inputs with Reinforcement
Learning", ICSE 2020, Algorithm 1.

    Q[p, s, c] <- Q[p, s, c] + (r - Q[p, s, c]) / visits[p, s, c]

after each episode, for each choice point p, state s and choice c in it.

Departures from the paper:

1. Rows are made when they are first visited, and hold visited options only; the rest count as 0.
2. The number of options is part of a row's key, so that options may differ between visits.
3. A failing input is a valid input and is learned from; the released code drops it.
4. `max_states` bounds the table; the paper's grows without end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_between
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.learners import _exploration
from rlcheck.learners._rows import Row, make_row
from rlcheck.protocols import Counts, State


class MonteCarlo(LearnerBase):
    """One row of values per (choice point, state); the best option, or any with probability epsilon.

    Args:
        epsilon: How often a random option is taken.
        step_size: None averages all rewards (the paper); a number in (0, 1] forgets old ones.
        max_states: When the table is full, the half of its rows with the fewest visits is forgotten.
    """

    imitates = True

    def __init__(
        self,
        *,
        epsilon: float = 0.25,
        step_size: float | None = None,
        max_states: int = 100_000,
        seed: int | None = None,
    ) -> None:
        check_between(1, epsilon=epsilon)
        if step_size is not None and not 0 < step_size <= 1:
            raise ConfigurationError(f"step_size={step_size!r} must be None, or above 0 and at most 1.")
        if max_states < 2:
            raise ConfigurationError(f"max_states={max_states!r} must be at least 2.")
        self.epsilon = epsilon
        self.step_size = step_size
        self.max_states = max_states
        #: How many rows the table has.
        self.states = 0
        self.rng = Random(seed)
        self._random = self.rng.random
        self._tables: dict[ChoicePoint, dict[State, Row]] = {}
        # Rows of states that were also met with another number of options.
        self._resized: dict[tuple[ChoicePoint, State, int], Row] = {}
        self._rows: list[Row] = []
        self._taken: list[int] = []
        self._reward = 0.0

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick the best known option, or a random one with probability epsilon."""
        table = self._tables.get(point)
        row = None if table is None else table.get(state)
        if row is None or row.n != n:
            row = self._row(point, state, n)
        roll = self._random()
        if roll < self.epsilon:
            index = _exploration.below(self._random, n)
        else:
            index = row.best
            if index < 0:
                index = row.find(self._random)
        self._rows.append(row)
        self._taken.append(index)
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that was made for the learner."""
        self._rows.append(self._met(point, state, n))
        self._taken.append(index)

    def reward(self, value: float) -> None:
        """Add to the reward of the whole episode."""
        self._reward += value

    def update(self, episode: Episode) -> None:
        """Move the value of every choice of the episode towards the reward of the episode."""
        reward, rows, taken = self._reward + episode.progress + episode.reward, self._rows, self._taken
        self._reward, self._rows, self._taken = 0.0, [], []
        step_size = self.step_size or 0.0
        for step in range(len(rows)):
            row = rows[step]
            row.learn(taken[step], reward, step_size)

    def _met(self, point: ChoicePoint, state: State, n: int) -> Row:
        """Return the row of a state for this many options, creating it if necessary."""
        row = self._tables.get(point, {}).get(state)
        return self._row(point, state, n) if row is None or row.n != n else row

    def _row(self, point: ChoicePoint, state: State, n: int) -> Row:
        """Return the row for another number of options than usual, or a new row."""
        key = (point, state, n)
        row = self._resized.get(key)
        if row is None:
            if self.states >= self.max_states:
                self._forget()
            row = make_row(n)
            table = self._tables.setdefault(point, {})
            if state in table:
                self._resized[key] = row
            else:
                table[state] = row
            self.states += 1
        return row

    def counts(self) -> Counts:
        """Return how often each option was taken, and the sum of its rewards."""
        rows = [(key[0], key[1], row) for key, row in self._resized.items()]
        for point, table in self._tables.items():
            rows.extend((point, state, row) for state, row in table.items())
        return {
            (point.name, state, row.n, index): (count, total)
            for point, state, row in rows
            for index, count, total in row.tallies()
        }

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Add the counts of other workers: values become means over all workers."""
        for (name, state, n, index), (count, total) in counts.items():
            self._met(named(name), state, n).merge(index, count, total)

    def drop(self) -> None:
        """Forget the running episode."""
        self._reward, self._rows, self._taken = 0.0, [], []

    def _forget(self) -> None:
        """Keep the half of the rows with the most visits."""
        visits = [row.total for row in self._resized.values()]
        for table in self._tables.values():
            visits.extend(row.total for row in table.values())
        visits.sort()
        # Rows at the middle may go or stay: the first ones go, until enough room is made.
        middle = visits[len(visits) // 2]
        spare = len(visits) - len(visits) // 2 - sum(1 for total in visits if total < middle)

        def goes(row: Row) -> bool:
            nonlocal spare
            if row.total == middle and spare > 0:
                spare -= 1
                return True
            return row.total < middle

        self._resized = {key: row for key, row in self._resized.items() if not goes(row)}
        for point, table in self._tables.items():
            self._tables[point] = {state: row for state, row in table.items() if not goes(row)}
        self.states = len(self._resized) + sum(len(table) for table in self._tables.values())
