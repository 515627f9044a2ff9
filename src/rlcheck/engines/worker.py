"""The inside of a worker: it runs its part of a campaign, and exchanges findings after each step."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from rlcheck.engines import Plan, Subject
from rlcheck.engines.local import LocalEngine
from rlcheck.engines.sharing import Findings, Peer
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import GeneratorError, Signal
from rlcheck.failure import Failure, TimedOut, message_of, place_of
from rlcheck.replaying import Replay
from rlcheck.report.record import Snapshot

#: What survives the death of a worker, as integers: its episodes, how many of them were valid, the number of
#: choices of the input under test (-1 when there is none), and these choices.
CrashRecord = Any
EPISODES, VALID, COUNT, FIRST = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a worker reports after a step. All counts include its earlier steps."""

    snapshot: Snapshot
    #: What is new since the last step, and the number of inputs for the corpus in it.
    findings: Findings
    inputs: int
    sizes: dict[int, int]
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
        subject = plan.load()
        self._timeout = plan.timeout
        self._record = record
        record[COUNT] = -1
        recorded = _RecordedSubject(subject, self._record_input)
        self._engine = LocalEngine(plan, recorded, share=share, observers=[self._count])
        self._peer = Peer(self._engine)
        self._hangs: dict[str, Failure] = {}
        if self._timeout and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _raise_timed_out)

    def step(
        self, seconds: float, findings: Iterable[Findings], fatal: Sequence[Sequence[int]]
    ) -> StepResult:
        """Learn from others, run for `seconds` without the inputs that killed a worker, and report."""
        self._avoid(fatal)
        for each in findings:
            self._peer.receive(each)
        self._set_alarm(self._timeout or 0.0)
        try:
            self._engine.step(seconds)
        except (GeneratorError, TimedOut) as error:
            self._hung(error)
        finally:
            self._set_alarm(0.0)
        self._record[COUNT] = -1  # Not after SystemExit: then the record says which input was to blame.
        engine = self._engine
        for found in engine.failures.values():
            found.isolated = found.place.startswith(TimedOut.__name__)
        return StepResult(
            engine.snapshot(),
            *self._peer.report(last=bool(engine.stopped)),
            engine.sizes,
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

    def _record_input(self) -> None:
        """Record the input: the generator has finished, and the subject is about to run."""
        choices = self._engine.campaign.guide.choices
        room = min(len(choices), len(self._record) - FIRST)
        self._record[FIRST : FIRST + room] = choices[:room]
        self._record[COUNT] = room

    def _count(self, episode: Episode) -> None:
        """Count a finished episode, and give the next one its own time."""
        record = self._record
        record[EPISODES] += 1
        record[VALID] += episode.outcome is not Outcome.INVALID
        record[COUNT] = -1
        if self._timeout:
            self._set_alarm(self._timeout)

    def _set_alarm(self, seconds: float) -> None:
        if hasattr(signal, "setitimer"):
            # It repeats, because a subject may catch the first alarm.
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    def _hung(self, error: GeneratorError | TimedOut) -> None:
        """Record an input that made the generator or the precondition hang; raise any other error again."""
        cause = error.__cause__ or error
        if not isinstance(cause, TimedOut):
            raise error
        choices = list(error.choices) if isinstance(error, GeneratorError) else []
        found = Failure(place_of(cause), message_of(cause), choices, isolated=True)
        self._hangs.setdefault(found.place, found)


class _RecordedSubject:
    """A subject that calls `record` before it runs."""

    def __init__(self, subject: Subject, record: Callable[[], None]) -> None:
        self.generator = subject.generator
        self.settings = subject.settings
        self.valid = subject.valid and _after(record, subject.valid)
        self.test = subject.test and _after(record, subject.test)


def _after(record: Callable[[], None], function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(function)
    def run(value: Any) -> Any:
        record()
        return function(value)

    return run


def _raise_timed_out(number: int, frame: FrameType | None) -> None:
    assert frame is not None
    code = frame.f_code
    raise TimedOut(f"{code.co_qualname}, {os.path.relpath(code.co_filename)}")
