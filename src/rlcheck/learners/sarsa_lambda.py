"""SarsaLambda: tabular SARSA(lambda), which learns while the episode runs: the learner of ABP.

Reference: Groce, Fern, Pinto, Bauer, Alipour, Erwig, Lopez, "Lightweight Automated Testing with
Adaptation-Based Programming", ISSRE 2012, section III; the algorithm is that of Sutton and Barto,
"Reinforcement Learning", 1998, section 7.5.

    Q[p, s, c] <- Q[p, s, c] + step_size * trace[p, s, c] * (r + discount * Q[p', s', c'] - Q[p0, s0, c0])

whenever a choice c' follows a choice c0, for each choice with a trace; r is what was rewarded in between.
The trace of a choice is 1 when it is made, and discount * trace_decay times as much after each later one.

Departures from the paper, which leaves step size, discount, kind of trace and ties open:

1. Traces replace: a choice that is made again has a trace of 1, not of the sum.
2. A trace below 0.01 is dropped, so a step costs as much as there are live traces: 12 by default.
3. The table is that of `monte_carlo.py`, with its bound; ties are broken at random.
4. `RecentSarsa` takes the last choices for the state in place of the context. Where no context comes twice,
   as with a text that grows, the last choices still say what is worth doing next.
"""

from __future__ import annotations

from rlcheck.checks import check_between, check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.learners._rows import Row
from rlcheck.learners.monte_carlo import MonteCarlo
from rlcheck.protocols import State

#: Traces below this are dropped: a step costs as much as there are live traces.
_CUT_OFF = 0.01


class SarsaLambda(MonteCarlo):
    """One row of values per (choice point, state); rewards count for the choices shortly before them.

    Args:
        epsilon: How often a random option is taken.
        step_size: How far a value moves (alpha).
        discount: What a reward is worth to the choice before (gamma).
        trace_decay: How much of a surprise reaches the choice before, and so on (lambda).
    """

    #: A choice costs as much as noting 22 to 28 branches, as measured on containers.
    price = 25.0
    observes = True

    def __init__(
        self,
        *,
        epsilon: float = 0.1,
        step_size: float = 0.5,
        discount: float = 0.9,
        trace_decay: float = 0.75,
        seed: int | None = None,
    ) -> None:
        super().__init__(epsilon=epsilon, step_size=step_size, seed=seed)
        if step_size is None:
            raise ConfigurationError("step_size=None must be above 0 and at most 1.")
        check_between(1, discount=discount, trace_decay=trace_decay)
        self.discount = discount
        self.trace_decay = trace_decay
        # The trace of each choice in `_rows` and `_taken`, the oldest first.
        self._traces: list[float] = []

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick the best known option, or a random one; the choice before learns from it."""
        index: int = MonteCarlo.select(self, point, state, n)
        self._taken.pop()
        self._follow(self._rows.pop(), index)
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Learn from a choice that was made for the learner, as if it were its own."""
        self._follow(self._met(point, state, n), index)

    def update(self, episode: Episode) -> None:
        """Learn from what was rewarded after the last choice."""
        self._reward += episode.progress
        self._reward += episode.reward
        if self._traces:
            self._step(0.0)
        self.drop()

    def drop(self) -> None:
        """Forget the running episode."""
        self._reward, self._rows, self._taken, self._traces = 0.0, [], [], []

    def _follow(self, row: Row, index: int) -> None:
        """Let the choice before learn from this one, and give this one its trace."""
        if self._traces:
            self._step(self.discount * row.value(index))
        row.count(index)
        self._remember(row, index)

    def _step(self, expected: float) -> None:
        """Move the values of all live choices by the temporal-difference error of the last one."""
        rows, taken, traces = self._rows, self._taken, self._traces
        row = rows[-1]
        change = (self.step_size or 0.0) * (self._reward + expected - row.value(taken[-1]))
        fade = self.discount * self.trace_decay
        self._reward = 0.0
        dead = 0
        for place in range(len(traces)):
            row = rows[place]
            trace = traces[place]
            row.add(taken[place], change * trace)
            trace *= fade
            traces[place] = trace
            if trace < _CUT_OFF:
                dead = place + 1  # Older ones are weaker.
        if dead:
            del rows[:dead], taken[:dead], traces[:dead]

    def _remember(self, row: Row, index: int) -> None:
        """Give a choice its trace, in place of the one it had."""
        rows, taken, traces = self._rows, self._taken, self._traces
        for place in range(len(rows)):
            if rows[place] is row and taken[place] == index:
                del rows[place], taken[place], traces[place]
                break
        rows.append(row)
        taken.append(index)
        traces.append(1.0)


class RecentSarsa(SarsaLambda):
    """SARSA(lambda) whose states are the last choices of the episode; it ignores those of the guide.

    Args:
        recent: How many choices make a state.
    """

    def __init__(self, recent: int = 2, *, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.recent = check_integer("recent", recent)
        # The last choices of the running episode, as tokens.
        self._last: tuple[int, ...] = ()

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick an option by the last choices."""
        index: int = SarsaLambda.select(self, point, self._last, n)
        self._last = (*self._last, index << 16 | point.number)[-self.recent :]
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Learn from a choice that was made for the learner, by the last choices."""
        SarsaLambda.observe(self, point, self._last, n, index)
        self._last = (*self._last, index << 16 | point.number)[-self.recent :]

    def drop(self) -> None:
        """Forget the running episode."""
        SarsaLambda.drop(self)
        self._last = ()
