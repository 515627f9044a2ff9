"""What a worker does: runs its part of a campaign, and trades what it found for what others found."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from rlcheck.engines import Found, Plan, Subject
from rlcheck.engines.local import Inside, message_of, place_in
from rlcheck.engines.sharing import Lesson, Pupil
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import GeneratorError, Signal
from rlcheck.replaying import Replay
from rlcheck.report.record import Snapshot

#: What is known of a worker that dies, as whole numbers: its episodes, how many were valid, how many choices
#: the input has that is being tested (-1 when none is), and each of them.
Slot = Any
EPISODES, VALID, COUNT, FIRST = 0, 1, 2, 3


class TimedOut(Exception):
    """An input took longer than it may."""

    def __init__(self, frame: FrameType) -> None:
        super().__init__("the input took longer than --timeout-per-input")
        #: Which function was running: the line is another one each time.
        self.place = f"TimedOut in {frame.f_code.co_qualname}, {os.path.relpath(frame.f_code.co_filename)}"


@dataclass(frozen=True, slots=True)
class Trade:
    """What a worker hands over after a step; all counts are of all its steps."""

    snapshot: Snapshot
    #: What is new since the last step, and how many inputs for the corpus are in it.
    lesson: Lesson
    inputs: int
    sizes: dict[int, int]
    sample: list[tuple[bool, list[int]]]
    failures: dict[str, Found]
    stopped: str
    note: str


class Worker:
    """An engine that learns what others found, and notes what it is about to test."""

    def __init__(self, plan: Plan, share: float, slot: Slot) -> None:
        subject = plan.load()
        self._timeout = plan.timeout
        self._slot = slot
        slot[COUNT] = -1
        inside = _Noting(subject, self._note)
        self._engine = Inside(plan, inside, share=share, observers=[self._next])
        self._pupil = Pupil(self._engine)
        self._hangs: dict[str, Found] = {}
        if self._timeout and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _raise_timed_out)

    def step(self, seconds: float, lessons: Iterable[Lesson], deadly: Sequence[Sequence[int]]) -> Trade:
        """Learn from others, run for so long without what is deadly, and hand over what came of it."""
        self._avoid(deadly)
        for lesson in lessons:
            self._pupil.take(lesson)
        self._alarm(self._timeout or 0.0)
        try:
            self._engine.step(seconds)
        except (GeneratorError, TimedOut) as error:
            self._hung(error)
        finally:
            self._alarm(0.0)
        self._slot[COUNT] = -1  # Not after SystemExit: then this is what is known of the input.
        engine = self._engine
        for found in engine.failures.values():
            found.isolated = found.place.startswith(TimedOut.__name__)
        return Trade(
            engine.snapshot(),
            *self._pupil.give(last=bool(engine.stopped)),
            engine.sizes,
            engine.sample,
            {**engine.failures, **self._hangs},
            engine.stopped,
            engine.note,
        )

    def _avoid(self, deadly: Sequence[Sequence[int]]) -> None:
        avoid = self._engine.campaign.guide.abilities.avoid
        for choices in deadly:
            answers = Replay(choices)
            try:
                # It knows how many options there were; of who died, only the choices are known.
                self._engine.campaign.generator(answers)
                answers.check_finished()
            except (Exception, Signal):
                continue  # The generator is not a function of its choices.
            avoid(choices, answers.sizes)

    def _note(self) -> None:
        """The generator is done, and the subject is about to run."""
        choices = self._engine.campaign.guide.choices
        room = min(len(choices), len(self._slot) - FIRST)
        self._slot[FIRST : FIRST + room] = choices[:room]
        self._slot[COUNT] = room

    def _next(self, episode: Episode) -> None:
        """An episode has ended: the next one has its own time."""
        slot = self._slot
        slot[EPISODES] += 1
        slot[VALID] += episode.outcome is not Outcome.INVALID
        slot[COUNT] = -1
        if self._timeout:
            self._alarm(self._timeout)

    def _alarm(self, seconds: float) -> None:
        if hasattr(signal, "setitimer"):
            # Again and again: a subject may catch the first one.
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    def _hung(self, error: GeneratorError | TimedOut) -> None:
        """The generator or the precondition hung: it is no mistake in them when an input is to blame."""
        cause = error.__cause__ or error
        if not isinstance(cause, TimedOut):
            raise error
        choices = list(getattr(error, "choices", ()))
        found = Found(place_in(cause), message_of(cause), choices, "", isolated=True)
        self._hangs.setdefault(found.place, found)


class _Noting:
    """A subject that says when it is about to run."""

    def __init__(self, subject: Subject, note: Callable[[], None]) -> None:
        self.generator = subject.generator
        self.settings = subject.settings
        self.valid = subject.valid and _after(note, subject.valid)
        self.test = subject.test and _after(note, subject.test)


def _after(note: Callable[[], None], function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(function)
    def run(value: Any) -> Any:
        note()
        return function(value)

    return run


def _raise_timed_out(number: int, frame: FrameType | None) -> None:
    assert frame is not None
    raise TimedOut(frame)
