"""`pytest --rlcheck-dashboard`: stores what each test does as a run, and shows the runs in a browser."""

from __future__ import annotations

import platform
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import rlcheck
from rlcheck.episode import Episode, Outcome
from rlcheck.failure import Failure, message_of, place_of
from rlcheck.frontends.hypothesis.engine import failures_of
from rlcheck.report.record import Recorder, Snapshot
from rlcheck.report.store import FOLDER, Store

if TYPE_CHECKING:
    from rlcheck.report.dashboard import Server

#: How many reasons of rejections are counted, and how many of them are shown.
_REASONS, _SHOWN = 200, 20

#: Seconds between two writes to the store.
_KEEP = 1.0


def serve(folder: Path) -> Server:
    """Show the stored runs in a browser, on any free port."""
    from rlcheck.report.dashboard import Server

    server = Server(folder / FOLDER, "127.0.0.1", 0, "")
    server.start()
    return server


class TestRuns:
    """Stores the tests of a session; several processes may do so at once.

    Args:
        folder: Where the tests were started.
    """

    __test__ = False  # pytest must not collect it.

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder / FOLDER, say=_complain)

    @contextmanager
    def running(self, test: str, learner: str) -> Iterator[TestRun]:
        """Store what a test does in a block."""
        run = TestRun(self._store, test, learner)
        try:
            yield run
        except BaseException as error:
            run.finish(error)
            raise
        run.finish(None)

    def close(self) -> None:
        """Close the store."""
        self._store.close()


class TestRun:
    """One test; it is stored when its first input has been made, so that other tests leave no trace."""

    __test__ = False

    def __init__(self, store: Store, test: str, learner: str) -> None:
        self._store = store
        self._test = test
        self._learner = learner
        self._run: int | None = None
        self._recorder = Recorder(0)
        self._reasons: Counter[str] = Counter()
        self._failed: list[int] = []
        self._failures = 0
        self._started = self._due = perf_counter()

    def __call__(self, episode: Episode) -> None:
        """Count an input, and store the counts once a second."""
        self._recorder(episode)
        if episode.reason and (episode.reason in self._reasons or len(self._reasons) < _REASONS):
            self._reasons[episode.reason] += 1
        if episode.outcome is Outcome.FAILED:
            self._failed = episode.choices
        if perf_counter() >= self._due:
            self._keep()

    def finish(self, error: BaseException | None) -> None:
        """Store how the test ended."""
        if self._run is None:
            return
        if isinstance(error, Exception):
            self._fail(error)
        elif error is None:
            for known in self._store.failures(target=self._test):
                self._store.mark_fixed(known.id)
        self._keep()
        stopped = "passed" if error is None else "failed" if isinstance(error, Exception) else "ended"
        note = "" if error is None else message_of(error)
        self._store.finish_run(self._run, stopped, {**self._spread(), "note": note}, [])

    def _keep(self) -> None:
        if self._run is None:
            versions = {"rlcheck": rlcheck.__version__, "python": platform.python_version()}
            self._run = self._store.start_run(self._test, {"learner": self._learner}, versions)
        made = self._recorder
        made.take()  # Hypothesis' database keeps the inputs.
        counts = (made.episodes, made.valid, made.unique_valid, made.overruns, self._failures, 0)
        self._store.add_progress(self._run, Snapshot(perf_counter() - self._started, *counts))
        self._store.set_details(self._run, self._spread())
        self._due = perf_counter() + _KEEP

    def _spread(self) -> dict[str, object]:
        made = self._recorder
        rejections = [(reason, count, "") for reason, count in self._reasons.most_common(_SHOWN)]
        about = {"sizes": sorted(made.sizes.items()), "rejections": rejections, "looked": made.episodes}
        return {**about, **made.distributions.as_json()}

    def _fail(self, error: Exception) -> None:
        """Store the failures that an error consists of, unless no input is to blame."""
        assert self._run is not None
        if self._learner == "hypothesis":
            found = [failure for failure in failures_of(error) if failure.choices]
        elif self._failed:
            notes = "\n".join(getattr(error, "__notes__", ()))
            found = [Failure(place_of(error), message_of(error), self._failed, input=notes)]
        else:
            found = []
        for failure in found:
            self._failures += 1
            again = failure.replace(snippet=f"pytest {shlex.quote(self._test)}")
            self._store.add_failure(self._run, self._test, again)


def _complain(text: str) -> None:
    sys.stderr.write(f"rlcheck: {text}\n")
