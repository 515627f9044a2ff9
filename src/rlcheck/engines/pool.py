"""A pool of workers as one engine: they share what they find, and one that dies is replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Protocol

from rlcheck.checks import check_integer
from rlcheck.engines import Listener, Plan, no_listener
from rlcheck.engines.sharing import Findings, add_counts
from rlcheck.engines.worker import StepResult
from rlcheck.errors import ConfigurationError
from rlcheck.failure import Failure
from rlcheck.protocols import Counts
from rlcheck.report.distributions import Distributions
from rlcheck.report.record import Snapshot
from rlcheck.shapes import Shapes

#: Seconds that a worker runs before it reports. The first step is short, and each one is twice as long.
STEP, _FIRST_STEP = 0.5, 0.02

#: Workers that are still busy this many seconds after the time was up are ended.
_OVERTIME = 0.75

#: If this many workers in a row die during their first step, the cause is not an input.
_FAILED_STARTS = 3

#: How many options the counts for new workers may hold; beyond that, the counts start again from nothing.
_COUNTED = 1_000_000

#: The difference between the seeds of two workers.
_SEED_STEP = 1_000_003


class WorkerDied(Exception):
    """A worker is gone; `choices` is the input it was testing, or None when it was not testing."""

    def __init__(
        self,
        reason: str,
        choices: list[int] | None,
        episodes: int = 0,
        valid: int = 0,
        *,
        generating: bool = False,
    ) -> None:
        super().__init__(reason)
        self.choices = choices
        #: Whether it was making an input.
        self.generating = generating
        #: How many episodes it had run. What it found since its last step is lost.
        self.episodes = episodes
        self.valid = valid


class Worker(Protocol):
    """A worker, as the pool sees it."""

    def begin_step(
        self, seconds: float, findings: Sequence[Findings], fatal: Sequence[Sequence[int]]
    ) -> None:
        """Start a step; pass on what others found, and the inputs that killed a worker."""
        ...

    def result(self) -> StepResult:
        """The result of the step; raises WorkerDied, or the error that the worker raised."""
        ...

    def stop(self) -> None:
        """End the worker."""
        ...

    @property
    def input(self) -> list[int] | None:
        """The choices of the input under test, if there is one and they are known."""
        ...


class _Member:
    """A worker, and its part of the campaign."""

    def __init__(self, worker: Worker, number: int, episodes: int | None) -> None:
        self.worker = worker
        self.number = number
        self.episodes = episodes
        self.step = _FIRST_STEP
        #: Findings of others that it does not know yet.
        self.waiting: list[Findings] = []


class _Known:
    """What the pool knows: findings, counts and fatal inputs, from which every new worker starts."""

    def __init__(self) -> None:
        self.digests: set[int] = set()
        self.shapes = Shapes()
        self.fatal: list[list[int]] = []
        self._findings: list[Findings] = []
        self._counts: Counts = {}

    @property
    def counts(self) -> Counts:
        """The sum of what all workers counted."""
        return self._counts

    def add(self, findings: Findings) -> None:
        """Keep the findings of a worker."""
        self.digests.update(findings.digests)
        for shape, times in findings.shapes.items():
            self.shapes.add(shape, times)
        if len(self._counts) > _COUNTED:
            self._counts = {}
        add_counts(self._counts, findings.counts)
        if findings.inputs:
            self._findings.append(Findings(findings.inputs, findings.sizes))

    def all(self) -> list[Findings]:
        """Everything that was found so far."""
        return [Findings(digests=list(self.digests), counts=self._counts), *self._findings]


class WorkerPool:
    """Workers that share what they find.

    Args:
        plan: What to run; its budget is for all workers together.
        workers: How many workers.
        start: Starts a worker for a plan with its share of the corpus.
        ready: Of the given workers, those whose step has ended, after waiting for at most that many seconds.
    """

    def __init__(
        self,
        plan: Plan,
        workers: int,
        *,
        start: Callable[[Plan, float], Worker],
        ready: Callable[[Sequence[Worker], float], list[Worker]],
    ) -> None:
        check_integer("workers", workers)
        self.stopped = ""
        self.note = ""
        self.failures: dict[str, Failure] = {}
        self._plan = plan
        self._share = 1.0 / workers
        self._start_worker = start
        self._ready = ready
        self._failed_starts = 0
        self._known = _Known()
        self._blocks: deque[tuple[bytes, int]] = deque()
        #: The last result of every worker, living or dead, by its number.
        self._results: dict[int, StepResult] = {}
        self._started_workers = 0
        #: Episodes, and valid ones, of workers that died before they reported them.
        self._unreported = [0, 0]
        self._started = perf_counter()
        self._ended: float | None = None
        each = None if plan.episodes is None else -(-plan.episodes // workers)
        self._members = [self._start(each) for _ in range(workers)]

    @property
    def counts(self) -> Counts:
        """The sum of what all workers counted."""
        return self._known.counts

    @property
    def sizes(self) -> dict[int, int]:
        """The number of inputs of each size; an input that two workers found at once counts twice."""
        sizes: dict[int, int] = {}
        for result in self._results.values():
            for size, count in result.sizes.items():
                sizes[size] = sizes.get(size, 0) + count
        return sizes

    @property
    def distributions(self) -> Distributions:
        """How the inputs of all workers are distributed."""
        merged = Distributions()
        for result in self._results.values():
            merged.merge(result.distributions)
        return merged

    @property
    def sample(self) -> list[tuple[bool, list[int]]]:
        """The episodes that the workers sampled."""
        return [episode for result in self._results.values() for episode in result.sample]

    def step(self, seconds: float, listener: Listener = no_listener) -> None:
        """Collect the results of workers that are ready, and start their next steps."""
        deadline = perf_counter() + seconds
        while self._members and perf_counter() < deadline:
            workers = [member.worker for member in self._members]
            done = self._ready(workers, max(0.0, deadline - perf_counter()))
            for member in [member for member in self._members if member.worker in done]:
                self._collect(member)
            if self._seconds_left() < -_OVERTIME:
                self._end_overtime()
        if not self._members:
            self._ended = perf_counter()
            reasons = {result.stopped for result in self._results.values()} - {""}
            self.stopped = (
                "exhausted"
                if "exhausted" in reasons
                else min(reasons, default="episodes" if self._plan.seconds is None else "seconds")
            )

    def snapshot(self) -> Snapshot:
        """The counts of all workers together."""
        each = [result.snapshot for result in self._results.values()]
        return Snapshot(
            (self._ended or perf_counter()) - self._started,
            sum(one.episodes for one in each) + self._unreported[0],
            sum(one.valid for one in each) + self._unreported[1],
            len(self._known.digests),
            sum(one.overruns for one in each),
            len(self.failures),
            sum(one.states for one in each),
            len(self._known.shapes),
            self._known.shapes.effective,
            max((one.branches for one in each), default=0),  # Which ones each worker covered is not known.
        )

    def _end_overtime(self) -> None:
        """End the workers that did not stop when the time was up, and say what held them up."""
        for member in self._members:
            choices = member.worker.input
            task = "starting or learning" if choices is None else f"with the input with the choices {choices}"
            self.note = f"the time was up, but a worker was busy {task}: it was ended"
        self.close()

    def take(self) -> tuple[bytes, int]:
        """A block of inputs that a worker found."""
        return self._blocks.popleft() if self._blocks else (b"", 0)

    def close(self) -> None:
        """End all workers."""
        for member in self._members:
            member.worker.stop()
        self._members = []

    def _start(self, episodes: int | None) -> _Member:
        """Start a worker for this many episodes; first it learns everything that was found before."""
        number = self._started_workers
        self._started_workers += 1
        seed = self._plan.seed + _SEED_STEP * number
        plan = replace(self._plan, seed=seed, episodes=episodes, seconds=None)
        member = _Member(self._start_worker(plan, self._share), number, episodes)
        member.worker.begin_step(member.step, self._known.all(), self._known.fatal)
        return member

    def _collect(self, member: _Member) -> None:
        """Take the result of a step, and start the next step if there is budget left."""
        try:
            result = member.worker.result()
        except WorkerDied as died:
            self._replace(member, died)
            return
        self._failed_starts = 0
        self._results[member.number] = result
        self._add(member, result)
        if result.stopped or self._seconds_left() <= 0:
            self._members.remove(member)
            member.worker.stop()
        else:
            member.step = min(STEP, 2 * member.step)
            waiting, member.waiting = member.waiting, []
            member.worker.begin_step(min(member.step, self._seconds_left()), waiting, self._known.fatal)

    def _seconds_left(self) -> float:
        """Seconds of the budget that are left."""
        budget = self._plan.seconds
        return inf if budget is None else budget - (perf_counter() - self._started)

    def _add(self, member: _Member, result: StepResult) -> None:
        """Keep a result, and pass its findings on to the other workers."""
        self.note = result.note or self.note
        self._known.add(result.findings)
        for place, found in result.failures.items():
            known = self.failures.setdefault(place, found)
            known.count = max(known.count, found.count)
        if result.findings.inputs:
            self._blocks.append((result.findings.inputs, result.inputs))
        for other in self._members:
            if other is not member:
                other.waiting.append(result.findings)

    def _replace(self, member: _Member, died: WorkerDied) -> None:
        """Record why a worker died, and start another one for the rest of its episodes."""
        member.worker.stop()
        self._members.remove(member)
        latest = self._results.get(member.number)
        self._failed_starts += latest is None
        if died.choices is not None:
            self._record_fatal(str(died), died.choices)
        elif died.generating or self._failed_starts >= _FAILED_STARTS:
            self.close()
            what = "A worker" if died.generating else f"{self._failed_starts} workers in a row"
            when = "while it made an input" if died.generating else "before they tested anything"
            raise ConfigurationError(f"{what} died {when}: {died}. Run without --workers to see why.")
        else:
            self.note = f"a worker died between two inputs and was replaced: {died}"
        episodes, valid = (latest.snapshot.episodes, latest.snapshot.valid) if latest else (0, 0)
        self._unreported[0] += max(0, died.episodes - episodes)
        self._unreported[1] += max(0, died.valid - valid)
        left = None if member.episodes is None else member.episodes - max(1, died.episodes)
        if self._seconds_left() > 0 and (left is None or left > 0):
            self._members.append(self._start(left))

    def _record_fatal(self, reason: str, choices: list[int]) -> None:
        """Record an input that killed a worker; no worker tests it again."""
        known = self.failures.get(reason)
        if known is None:
            self.failures[reason] = Failure(reason, reason, choices, isolated=True)
        else:
            known.count += 1
        self._known.fatal.append(choices)
