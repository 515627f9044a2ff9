"""Sharing: workers tell each other what they found and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter

from rlcheck.engines.local import LocalEngine
from rlcheck.protocols import Counts
from rlcheck.report.blocks import pack_inputs, read_inputs

#: A worker with fewer valid inputs than this imitates some of the inputs that others found.
_LEARNED, _EXAMPLES = 100, 10

#: After reading its table, a worker waits this many times as long: reading takes at most 2 % of the time.
_REST = 50.0


@dataclass(frozen=True, slots=True)
class Findings:
    """What a worker found since it last reported."""

    #: Unique valid inputs as a block; a second block holds the number of options of each of their choices.
    inputs: bytes = b""
    sizes: bytes = b""
    #: The characteristics of all unique valid inputs, also of those that did not fit into the corpus.
    digests: Sequence[int] = ()
    #: What the worker itself counted.
    counts: Counts = field(default_factory=dict)
    #: How many valid inputs there were of each shape.
    shapes: Mapping[int, int] = field(default_factory=dict)


class Peer:
    """Exchanges findings between an engine and the other workers of its pool."""

    def __init__(self, engine: LocalEngine) -> None:
        self._campaign = engine.campaign
        self._recorder = engine.recorder
        self._learner = engine.campaign.guide.abilities
        # The counts that the other workers know already, because this one or they reported them.
        self._reported: Counts = {}
        self._due = 0.0

    def receive(self, findings: Findings) -> None:
        """Learn what another worker found: it is not new, need not be made again, and counts here too."""
        guide = self._campaign.guide
        guide.mark_seen(findings.digests)
        if findings.inputs:
            for choices, sizes in zip(read_inputs(findings.inputs), read_inputs(findings.sizes), strict=True):
                self._learner.avoid(choices, sizes)
            if self._learner.imitates and self._campaign.summary.valid < _LEARNED:
                for choices in islice(read_inputs(findings.inputs), _EXAMPLES):
                    guide.imitate(choices)
        if findings.counts:
            self._learner.merge(findings.counts, guide.points.named)
            add_counts(self._reported, findings.counts)

    def report(self, *, last: bool) -> tuple[Findings, int]:
        """What this worker found since the last report, and the number of inputs in it."""
        inputs, sizes, digests, shapes = self._recorder.take()
        block = pack_inputs(inputs) if inputs else b""
        options = pack_inputs(sizes) if sizes else b""
        return Findings(block, options, digests, self._new_counts(last=last), shapes), len(inputs)

    def _new_counts(self, *, last: bool) -> Counts:
        """What this worker counted since the last report."""
        started = perf_counter()
        if started < self._due and not last:
            return {}
        now, reported, new = self._learner.counts(), self._reported, {}
        for key, (count, total) in now.items():
            known, known_total = reported.get(key, (0, 0.0))
            if count < known:  # The table dropped its row, which then started again.
                known, known_total = 0, 0.0
            if count > known:
                new[key] = (count - known, total - known_total)
        self._reported = now
        self._due = perf_counter() + _REST * (perf_counter() - started)
        return new


def add_counts(counts: Counts, more: Counts) -> None:
    """Add more counts to `counts`: tables merge by adding up."""
    for key, (count, total) in more.items():
        known, known_total = counts.get(key, (0, 0.0))
        counts[key] = (known + count, known_total + total)
