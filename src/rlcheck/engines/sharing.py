"""Sharing: what a worker tells the others of what it found and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter

from rlcheck.engines.local import Inside
from rlcheck.protocols import Counts
from rlcheck.report.blocks import pack_inputs, read_inputs

#: A worker with fewer valid inputs of its own takes so many of each lesson for an example.
_LEARNED, _EXAMPLES = 100, 10

#: Counting a table waits for so many times what it took the last time: it costs 2 % of the time at most.
_REST = 50.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is new since the last one."""

    #: Unique valid inputs as a block, and as another one how many options each of their choices had.
    inputs: bytes = b""
    sizes: bytes = b""
    #: The characteristics of all unique valid inputs: those that the corpus has no room for are among them.
    digests: Sequence[int] = ()
    #: What the worker itself has counted.
    counts: Counts = field(default_factory=dict)


class Pupil:
    """The learner of an engine, as a crew sees it: it gives lessons and takes them."""

    def __init__(self, engine: Inside) -> None:
        self._campaign = engine.campaign
        self._recorder = engine.recorder
        self._learner = engine.campaign.guide.abilities
        #: What the others know of the table, or told it.
        self._told: Counts = {}
        self._due = 0.0

    def take(self, lesson: Lesson) -> None:
        """Learn what another worker found: it is not new, need not be made again, and counts here too."""
        guide = self._campaign.guide
        guide.mark_seen(lesson.digests)
        if lesson.sizes:
            for choices, sizes in zip(read_inputs(lesson.inputs), read_inputs(lesson.sizes), strict=True):
                self._learner.avoid(choices, sizes)
        if self._learner.imitates and lesson.inputs and self._campaign.summary.valid < _LEARNED:
            for choices in islice(read_inputs(lesson.inputs), _EXAMPLES):
                guide.imitate(choices)
        if lesson.counts:
            self._learner.merge(lesson.counts, guide.points.named)
            add_counts(self._told, lesson.counts)

    def give(self, *, last: bool) -> tuple[Lesson, int]:
        """What it found since the last time, and how many inputs these are."""
        inputs, sizes, digests = self._recorder.take()
        block = pack_inputs(inputs) if inputs else b""
        options = pack_inputs(sizes) if sizes else b""
        return Lesson(block, options, digests, self._news(last=last)), len(inputs)

    def _news(self, *, last: bool) -> Counts:
        """What it counted since the last time."""
        started = perf_counter()
        if started < self._due and not last:
            return {}
        now, told, news = self._learner.counts(), self._told, {}
        for key, (count, total) in now.items():
            known, sum_known = told.get(key, (0, 0.0))
            if count < known:  # Its row was forgotten, and began anew.
                known, sum_known = 0, 0.0
            if count > known:
                news[key] = (count - known, total - sum_known)
        self._told = now
        self._due = perf_counter() + _REST * (perf_counter() - started)
        return news


def add_counts(counts: Counts, more: Counts) -> None:
    """Add to counts: tables are merged by the sums of theirs."""
    for key, (count, total) in more.items():
        known, sum_known = counts.get(key, (0, 0.0))
        counts[key] = (known + count, sum_known + total)
