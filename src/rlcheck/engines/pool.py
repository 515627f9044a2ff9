"""A crew: several workers as one engine. What one finds, the others learn; one that dies is replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Protocol

from rlcheck.engines import Found, Plan
from rlcheck.engines.sharing import Lesson, add_counts
from rlcheck.engines.worker import Trade
from rlcheck.errors import ConfigurationError
from rlcheck.protocols import Counts
from rlcheck.report.record import Snapshot

#: Seconds that a worker runs between two trades; a new one begins with a short step, and doubles it.
STEP, _FIRST_STEP = 0.5, 0.02

#: After so many deaths in a row before a worker's first trade, no input is to blame.
_STILLBORN = 3

#: How many options of tables are kept for workers to come; when there are more, all are forgotten.
_COUNTED = 1_000_000

#: Between the seeds of two workers.
_APART = 1_000_003


class Died(Exception):
    """A worker is gone; `choices` is what it was testing, None when it was not testing anything."""

    def __init__(self, reason: str, choices: list[int] | None, episodes: int = 0, valid: int = 0) -> None:
        super().__init__(reason)
        self.choices = choices
        #: What it had done; what it found since its last trade is lost.
        self.episodes = episodes
        self.valid = valid


class Hand(Protocol):
    """A worker, seen from outside."""

    def order(self, seconds: float, lessons: Sequence[Lesson], deadly: Sequence[Sequence[int]]) -> None:
        """Have it run a step, knowing what others found, and what no worker survived."""
        ...

    def trade(self) -> Trade:
        """What came of the step; raises Died, or what the worker raised."""
        ...

    def end(self) -> None:
        """Let it go."""
        ...


class _Member:
    """A hand, and what it has done so far."""

    def __init__(self, hand: Hand, number: int, episodes: int | None) -> None:
        self.hand = hand
        self.number = number
        self.episodes = episodes
        self.step = _FIRST_STEP
        #: Lessons of others that it was not given yet.
        self.waiting: list[Lesson] = []


class Crew:
    """Workers that share what they find.

    Args:
        plan: What to run; its budget is for all workers together.
        many: How many workers.
        hire: Starts the worker of a plan, given its share of the corpus.
        ready: The hands, of those given, that have something to trade, after waiting for so long at most.
    """

    def __init__(
        self,
        plan: Plan,
        many: int,
        *,
        hire: Callable[[Plan, float], Hand],
        ready: Callable[[Sequence[Hand], float], list[Hand]],
    ) -> None:
        if many < 1:
            raise ConfigurationError(f"workers={many} must be at least 1.")
        self.stopped = ""
        self.note = ""
        self.failures: dict[str, Found] = {}
        self._plan = plan
        self._share = 1.0 / many
        self._hire = hire
        self._ready = ready
        self._stillborn = 0
        # What workers to come have to hear: lessons without their digests and counts, which are here.
        self._lessons: list[Lesson] = []
        self._counts: Counts = {}
        self._deadly: list[list[int]] = []
        self._fresh: deque[tuple[bytes, int]] = deque()
        self._seen: set[int] = set()
        #: The last trade of every worker that ever was, by its number.
        self._trades: dict[int, Trade] = {}
        self._hired = 0
        #: Episodes, and valid ones, of workers that died before they told of them.
        self._untold = [0, 0]
        self._started = perf_counter()
        self._ended: float | None = None
        each = None if plan.episodes is None else -(-plan.episodes // many)
        self._members = [self._add(each) for _ in range(many)]

    @property
    def sizes(self) -> dict[int, int]:
        """How many inputs the workers found of each size; one that two found at once counts for both."""
        sizes: dict[int, int] = {}
        for trade in self._trades.values():
            for size, count in trade.sizes.items():
                sizes[size] = sizes.get(size, 0) + count
        return sizes

    @property
    def sample(self) -> list[tuple[bool, list[int]]]:
        """The episodes that the workers sampled."""
        return [episode for trade in self._trades.values() for episode in trade.sample]

    def step(self, seconds: float) -> None:
        """Trade with whoever is ready."""
        deadline = perf_counter() + seconds
        while self._members and perf_counter() < deadline:
            hands = [member.hand for member in self._members]
            done = self._ready(hands, max(0.0, deadline - perf_counter()))
            for member in [member for member in self._members if member.hand in done]:
                self._hear(member)
        if not self._members:
            self._ended = perf_counter()
            reasons = {trade.stopped for trade in self._trades.values()} - {""}
            self.stopped = (
                "exhausted"
                if "exhausted" in reasons
                else min(reasons, default="episodes" if self._plan.seconds is None else "seconds")
            )

    def snapshot(self) -> Snapshot:
        """What all workers did together."""
        each = [trade.snapshot for trade in self._trades.values()]
        return Snapshot(
            (self._ended or perf_counter()) - self._started,
            sum(one.episodes for one in each) + self._untold[0],
            sum(one.valid for one in each) + self._untold[1],
            len(self._seen),
            sum(one.overruns for one in each),
            len(self.failures),
            sum(one.states for one in each),
        )

    def take(self) -> tuple[bytes, int]:
        """A block that a worker found."""
        return self._fresh.popleft() if self._fresh else (b"", 0)

    def close(self) -> None:
        """End all workers."""
        for member in self._members:
            member.hand.end()
        self._members = []

    def _add(self, episodes: int | None) -> _Member:
        """Hire a worker for so many episodes; it hears first of all that was found before."""
        number = self._hired
        self._hired += 1
        plan = replace(self._plan, seed=self._plan.seed + _APART * number, episodes=episodes, seconds=None)
        member = _Member(self._hire(plan, self._share), number, episodes)
        known = Lesson(digests=list(self._seen), counts=self._counts)
        member.hand.order(member.step, [known, *self._lessons], self._deadly)
        return member

    def _hear(self, member: _Member) -> None:
        try:
            trade = member.hand.trade()
        except Died as died:
            self._bury(member, died)
            return
        self._stillborn = 0
        self._trades[member.number] = trade
        self._take_in(member, trade)
        if trade.stopped or self._left() <= 0:
            self._members.remove(member)
            member.hand.end()
        else:
            member.step = min(STEP, 2 * member.step)
            waiting, member.waiting = member.waiting, []
            member.hand.order(min(member.step, self._left()), waiting, self._deadly)

    def _left(self) -> float:
        """Seconds of the budget that are left."""
        budget = self._plan.seconds
        return inf if budget is None else budget - (perf_counter() - self._started)

    def _take_in(self, member: _Member, trade: Trade) -> None:
        self.note = trade.note or self.note
        lesson = trade.lesson
        self._seen.update(lesson.digests)
        if len(self._counts) > _COUNTED:
            self._counts = {}
        add_counts(self._counts, lesson.counts)
        for place, found in trade.failures.items():
            known = self.failures.setdefault(place, found)
            known.count = max(known.count, found.count)
        if lesson.inputs:
            self._fresh.append((lesson.inputs, trade.inputs))
            self._lessons.append(Lesson(lesson.inputs, lesson.sizes))
        for other in self._members:
            if other is not member:
                other.waiting.append(lesson)

    def _bury(self, member: _Member, died: Died) -> None:
        """Record what a worker died of, and hire another one for the rest of its work."""
        member.hand.end()
        self._members.remove(member)
        latest = self._trades.get(member.number)
        self._stillborn += latest is None
        if died.choices is not None:
            place = str(died)
            known = self.failures.get(place)
            if known is None:
                self.failures[place] = Found(place, place, died.choices, "", isolated=True)
            else:
                known.count += 1
            self._deadly.append(died.choices)
        elif self._stillborn >= _STILLBORN:
            self.close()
            raise ConfigurationError(
                f"{self._stillborn} workers in a row died before they tested anything: {died}."
                " Run without --workers to see why."
            )
        told = latest.snapshot if latest is not None else None
        self._untold[0] += max(0, died.episodes - (told.episodes if told else 0))
        self._untold[1] += max(0, died.valid - (told.valid if told else 0))
        left = None if member.episodes is None else member.episodes - max(1, died.episodes)
        if self._left() > 0 and (left is None or left > 0):
            self._members.append(self._add(left))
