"""Runs the engines of a run side by side: shows their progress, and stores it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from rlcheck.cli import failures
from rlcheck.cli.options import Options
from rlcheck.cli.targets import Subject, Target
from rlcheck.engines import Engine
from rlcheck.engines.isolation import isolated
from rlcheck.errors import ConfigurationError
from rlcheck.report.progress import View
from rlcheck.report.record import Snapshot
from rlcheck.report.store import Store
from rlcheck.report.survey import survey

#: Seconds that an engine runs at a time, and seconds between two writes to the store.
_STEP, _KEEP = 0.1, 1.0

#: Seconds that the survey in another process may take: the command ends soon after its budget.
_SURVEY = 1.0

#: With a dashboard, a running campaign is surveyed for this many processor seconds, after this many seconds,
#: after twice as many, and so on.
_LOOK, _FIRST_LOOK = 0.25, 2.0

#: How many valid inputs of a run a later run can start from.
_POLICY = 1_000


class Contender:
    """One engine with its run in the store."""

    def __init__(self, label: str, engine: Engine, store: Store | None, run: int) -> None:
        self.label = label
        self.engine = engine
        self.run = run
        self._store = store
        self._due = perf_counter() + _KEEP
        self._known: set[str] = set()
        self._started = perf_counter()
        self._looks = _FIRST_LOOK
        # What the last survey found.
        self._details: dict[str, Any] = {}

    def keep(self, subject: Subject, *, always: bool = False) -> None:
        """Store what is new, once a second."""
        if self._store is None or (perf_counter() < self._due and not always):
            return
        blocks = list(iter(self.engine.take, (b"", 0)))
        self._store.add_progress(self.run, self.engine.snapshot(), blocks)
        for place, found in list(self.engine.failures.items()):
            if place not in self._known:
                self._known.add(place)
                known = failures.with_snippet(subject, found).replace(count=0)
                self._store.add_failure(self.run, str(subject.target), known)
        self._store.set_details(self.run, {**self._details, **self._spread()})
        self._due = perf_counter() + _KEEP

    def look(self, subject: Subject) -> None:
        """Survey a running campaign now and then, less often the longer it runs."""
        if perf_counter() - self._started < self._looks or not self.engine.sample:
            return
        self._looks *= 2.0
        sample = self.engine.sample
        functions = subject.generator, subject.valid, subject.test
        self._details = survey(*functions, sample, seconds=_LOOK, is_running=True)

    def _spread(self) -> dict[str, Any]:
        return {"sizes": sorted(self.engine.sizes.items()), **self.engine.distributions.as_json()}

    def finish(self, subject: Subject, *, isolate: bool) -> None:
        """Store what is known at the end; look at inputs in a process of their own where workers ran them."""
        if self._store is None:
            return
        self.keep(subject, always=True)
        details = self._survey(subject, isolate=isolate)
        details |= self._spread()
        details["note"] = self.engine.note
        policy = [choices for valid, choices in self.engine.sample if valid][:_POLICY]
        self._store.finish_run(self.run, self.engine.stopped, details, policy)

    def _survey(self, subject: Subject, *, isolate: bool) -> dict[str, Any]:
        if not isolate:
            return survey(subject.generator, subject.valid, subject.test, self.engine.sample)
        came_back, details = isolated(_survey_of, subject.target, self.engine.sample, seconds=_SURVEY)
        return details if came_back else survey(subject.generator, None, None, [])


def _survey_of(target: Target, sample: list[tuple[bool, list[int]]]) -> dict[str, Any]:
    subject = target.load()
    return survey(subject.generator, subject.valid, subject.test, sample, seconds=_SURVEY / 2)


def race(options: Options, subject: Subject, contenders: Sequence[Contender]) -> None:
    """Run the contenders in turns until all have ended."""

    def share(snapshots: Mapping[str, Snapshot]) -> float:
        done = [_spent(snapshot, *options.budget(subject)) for snapshot in snapshots.values()]
        return sum(done) / len(done)

    def look() -> None:
        view.show({contender.label: contender.engine.snapshot() for contender in contenders})
        for contender in contenders:
            if options.dashboard and not options.in_workers:
                contender.look(subject)
            contender.keep(subject)

    with View(share, sys.stderr) as view:
        try:
            while running := [contender for contender in contenders if not contender.engine.stopped]:
                for contender in running:
                    contender.engine.step(_STEP, look)
                look()
        except KeyboardInterrupt:
            pass
        except Exception:
            for contender in contenders:
                contender.keep(subject, always=True)  # Nothing that was found is lost.
            raise
        except BaseException as error:  # SystemExit or pytest.skip would end the command without a result.
            raise ConfigurationError(
                f"{options.target} raised {type(error).__name__}, which ends a campaign."
                " Run it in a worker, with --workers 1: there it counts as a failure."
            ) from error
    for contender in contenders:
        contender.engine.stopped = contender.engine.stopped or "interrupted"


def _spent(snapshot: Snapshot, episodes: int | None, seconds: float | None) -> float:
    """The share of the budget that is spent."""
    of_episodes = snapshot.episodes / episodes if episodes else 0.0
    of_seconds = snapshot.seconds / seconds if seconds else 0.0
    return max(of_episodes, of_seconds)
