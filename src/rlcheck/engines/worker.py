"""The inside of a worker: it runs its part of a campaign, and exchanges findings after each step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rlcheck.engines import Plan, Subject
from rlcheck.engines.local import LocalEngine
from rlcheck.engines.sharing import Findings, Peer
from rlcheck.engines.time_limit import TimeLimit
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import GeneratorError, Signal
from rlcheck.failure import Failure, TimedOut, message_of, place_of
from rlcheck.generators import Generator
from rlcheck.replaying import Replay
from rlcheck.report.distributions import Distributions
from rlcheck.report.record import Snapshot

#: What survives the death of a worker, as integers: its episodes, how many of them were valid, the number of
#: choices of the input under test, and these choices. In place of the number, what the worker does instead.
CrashRecord = Any
EPISODES, VALID, COUNT, FIRST = 0, 1, 2, 3
IDLE, GENERATING = -1, -2


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a worker reports after a step. All counts include its earlier steps."""

    snapshot: Snapshot
    #: What is new since the last step, and the number of inputs for the corpus in it.
    findings: Findings
    inputs: int
    sizes: dict[int, int]
    distributions: Distributions
    sample: list[tuple[bool, list[int]]]
    failures: dict[str, Failure]
    stopped: str
    note: str


class WorkerEngine:
    """An engine that learns what other workers found, and records each input before testing it.

    Args:
        plan: What to run.
        share: This worker's share of the corpus.
        record: Shared memory that outlives a crash.
    """

    def __init__(self, plan: Plan, share: float, record: CrashRecord) -> None:
        self._record = record
        record[COUNT] = IDLE
        self._limit = None if plan.timeout is None else TimeLimit(plan.timeout)
        recorded = _WatchedSubject(plan.load(), self)
        self._engine = LocalEngine(plan, recorded, share=share, observers=[self._count])
        self._peer = Peer(self._engine)
        self._hangs: dict[str, Failure] = {}

    def step(
        self, seconds: float, findings: Iterable[Findings], fatal: Sequence[Sequence[int]]
    ) -> StepResult:
        """Learn from others, run for `seconds` without the inputs that killed a worker, and report."""
        self._avoid(fatal)
        for each in findings:
            self._peer.receive(each)
        self._begin_input()
        try:
            self._engine.step(seconds)
        except (GeneratorError, TimedOut) as error:
            self._hung(error)
        self._record[COUNT] = IDLE  # Not after SystemExit: then the record says which input was to blame.
        engine = self._engine
        for found in engine.failures.values():
            found.isolated = found.place.startswith(TimedOut.__name__)
        return StepResult(
            engine.snapshot(),
            *self._peer.report(last=bool(engine.stopped)),
            engine.sizes,
            engine.distributions,
            engine.sample,
            {**engine.failures, **self._hangs},
            engine.stopped,
            engine.note,
        )

    def _avoid(self, fatal: Sequence[Sequence[int]]) -> None:
        avoid = self._engine.campaign.guide.abilities.avoid
        for choices in fatal:
            answers = Replay(choices)
            try:
                # The replay finds out how many options there were: the dead worker left only its choices.
                self._engine.campaign.generator(answers)
                answers.check_finished()
            except (Exception, Signal):
                continue  # The generator depends on more than its choices.
            avoid(choices, answers.sizes)

    def generate(self, generator: Generator[Any]) -> Generator[Any]:
        """Return a generator whose time counts."""
        return self._limited(generator)

    def judge(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a precondition or a property whose time counts, and before which the input is recorded."""
        limited = self._limited(function)

        def run(value: Any) -> Any:
            choices = self._engine.campaign.guide.choices
            room = min(len(choices), len(self._record) - FIRST)
            self._record[FIRST : FIRST + room] = choices[:room]
            self._record[COUNT] = room
            return limited(value)

        return functools.wraps(function)(run)

    def _limited(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return function if self._limit is None else self._limit.limited(function)

    def _count(self, episode: Episode) -> None:
        """Count a finished episode."""
        record = self._record
        record[EPISODES] += 1
        record[VALID] += episode.outcome is not Outcome.INVALID
        self._begin_input()

    def _begin_input(self) -> None:
        self._record[COUNT] = GENERATING
        if self._limit is not None:
            self._limit.restart()

    def _hung(self, error: GeneratorError | TimedOut) -> None:
        """Record an input that made the generator or the precondition hang; raise any other error again."""
        cause = error.__cause__ or error
        if not isinstance(cause, TimedOut):
            raise error
        self._record[EPISODES] += 1
        self._engine.campaign.summary.episodes += 1  # The budget pays for it, although it came to nothing.
        choices = list(error.choices) if isinstance(error, GeneratorError) else []
        found = Failure(place_of(cause), message_of(cause), choices, isolated=True)
        self._hangs.setdefault(found.place, found)


class _WatchedSubject:
    """A subject whose functions a worker watches."""

    def __init__(self, subject: Subject, worker: WorkerEngine) -> None:
        self.generator = worker.generate(subject.generator)
        self.settings = subject.settings
        self.valid = subject.valid and worker.judge(subject.valid)
        self.test = subject.test and worker.judge(subject.test)
