"""One run of one method on one subject, and what came of it.

`python -m benchmarks.subjects.measure SUBJECT METHOD SEED SECONDS` prints it as JSON. Each run has a process
of its own: a subject may kill it, and there is one Java virtual machine in a process. Seconds are those of
the processor, so that other work on the machine does not decide who wins.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from random import Random
from time import process_time
from typing import Any

from benchmarks.study import Row, Task
from benchmarks.subjects.subject import Subject
from benchmarks.subjects.subjects import SUBJECTS
from rlcheck import Campaign, Coverage, assume
from rlcheck.characteristics import Trace
from rlcheck.episode import Episode, Outcome
from rlcheck.failure import place_of
from rlcheck.learners import Diverse, MonteCarlo, Portfolio, Uniform, Zest

#: How many points each curve has.
POINTS = 20
#: Seconds in which inputs are made at random before the first one counts.
_WARM = 1.0


def _portfolio() -> Portfolio:
    return Portfolio(["uniform", "monte-carlo", "diverse", "zest"], clock=process_time)


@dataclass(frozen=True, slots=True)
class Method:
    """A learner, and what it gets to see."""

    make: Callable[[], Any]
    #: Whether it sees branches, of subjects that have them.
    grey: bool = False
    characteristic: str | None = None


#: Only for subjects with branches: elsewhere it is the same as without.
GREY = "monte-carlo (grey-box)"
METHODS = {
    "uniform": Method(Uniform),
    "monte-carlo": Method(MonteCarlo),
    GREY: Method(MonteCarlo, grey=True, characteristic="branches"),
    "zest": Method(Zest, grey=True),
    "diverse": Method(Diverse),
    "portfolio": Method(_portfolio, grey=True),
}


class Watch:
    """Stands between a campaign and a subject: notes valid inputs, and when each fault was first seen.

    Traces are taken afterwards, of valid inputs that are unique: what is measured slows no method down.
    """

    def __init__(self, subject: Subject, seconds: float) -> None:
        self.inputs = 0
        self.valid = 0
        self.unique: list[Any] = []
        #: When each fault was first seen.
        self.faults: dict[str, float] = {}
        #: Seconds, inputs, valid inputs and unique ones, at `POINTS` times.
        self.points: list[tuple[float, int, int, int]] = []
        self._subject = subject
        self._kept: set[int] = set()
        self._step = seconds / POINTS
        self._seconds = seconds
        self._started = 0.0
        self._next = self._step

    def _keep(self, episode: Episode) -> None:
        # A method may have another idea of what is unique.
        choices = hash(tuple(episode.choices))
        if episode.outcome is Outcome.VALID and choices not in self._kept:
            self._kept.add(choices)
            self.unique.append(episode.value)

    def start(self) -> None:
        """Begin to take the time."""
        self._started = process_time()

    def test(self, value: Any) -> None:
        """The property: an input that is not accepted is invalid, and whatever is raised is a fault."""
        try:
            accepted = self._subject.accepts(value)
        except Exception as error:
            self.faults.setdefault(fault(error), round(process_time() - self._started, 3))
            raise
        assume(accepted)

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self.inputs += 1
        if episode.outcome is not Outcome.INVALID:
            self.valid += 1
            self._keep(episode)
        seconds = process_time() - self._started
        if seconds >= self._next:
            self.point()
            self._next += self._step
        if seconds >= self._seconds:
            raise KeyboardInterrupt  # So is a campaign ended from outside: it keeps what it has done.

    def point(self) -> None:
        """Note where the campaign stands."""
        if not self.points or self.points[-1][1] < self.inputs:
            seconds = round(process_time() - self._started, 3)
            self.points.append((seconds, self.inputs, self.valid, len(self.unique)))


def fault(error: BaseException) -> str:
    """The type and place of a fault: the message has them when it happened outside of Python."""
    if type(error).__name__ in ("JavaFault", "Crash"):
        return str(error)
    if isinstance(error, RecursionError):
        return "RecursionError at any depth"
    return place_of(error).replace(sys.prefix, "").replace(sys.base_prefix, "")


def run(name: str, method_name: str, seed: int, seconds: float) -> Row:
    """Run one campaign, and look at the traces of what it found."""
    subject, method = SUBJECTS[name], METHODS[method_name]
    seen = subject.coverage() if subject.coverage is not None and method.grey else None
    _warm_up(subject, seen)
    if seen is not None:
        seen.whole = False  # Coverage is for who looks at it; what is reported is measured afterwards.
    watch = Watch(subject, seconds)
    campaign = Campaign(
        subject.generator,
        test=watch.test,
        learner=method.make(),
        characteristic=method.characteristic if seen is not None else None,
        seed=seed,
        coverage=() if seen is None else seen,
        observers=[watch],
    )
    watch.start()
    campaign.run(seconds=100 * seconds)  # On a busy machine; `watch` ends it.
    watch.point()
    row = {"subject": name, "method": method_name, "seed": seed, "seconds": seconds}
    return row | {"points": _points(subject, watch), "faults": watch.faults}


def _warm_up(subject: Subject, coverage: Coverage | None) -> None:
    """Imports, and code that is compiled when it is used: no part of what is compared."""
    choose = partial(_any, Random(0))
    with coverage or nullcontext():
        started = process_time()
        while process_time() - started < _WARM:
            try:
                subject.accepts(subject.generator(choose))
            except Exception:
                pass  # Faults are found again.


def _any(rng: Random, options: Any) -> Any:
    return options[rng.randrange(len(options))]


def _points(subject: Subject, watch: Watch) -> list[dict[str, float]]:
    """Each point with the diverse inputs, and branches taken by valid inputs, up to there."""
    found: list[tuple[int, int | None]] = [(0, None if subject.coverage is None else 0)]
    diverse: set[Any] = set()
    if subject.coverage is None:
        assert subject.structure is not None
        for value in watch.unique:
            diverse.add(hash(subject.structure(value)))
            found.append((len(diverse), None))
    else:
        trace = Trace()
        episode = Episode()
        coverage = subject.coverage()
        with coverage:
            for value in watch.unique:
                coverage.start()
                try:
                    subject.accepts(value)
                except Exception:
                    pass  # It was accepted the first time: this one depends on more than its input.
                coverage.stop(valid=True)
                episode.counts = coverage.counts
                diverse.add(trace(episode))
                found.append((len(diverse), len(coverage.covered_valid)))
    return [
        {
            "seconds": seconds,
            "inputs": inputs,
            "valid": valid,
            "unique": unique,
            "diverse": found[unique][0],
            "branches": found[unique][1],
        }
        for seconds, inputs, valid, unique in watch.points
    ]


def measure(task: Task) -> list[Row]:
    """Run one campaign in a process of its own."""
    arguments = [task.subject, task.method, str(task.seed), str(task.seconds)]
    command = [sys.executable, "-m", "benchmarks.subjects.measure", *arguments]
    # Traces may take longer than the campaign.
    limit = 50 * task.seconds + 300
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["nothing was said"]
        raise RuntimeError(f"it ended with {done.returncode}: {lines[-1]}")
    return [json.loads(done.stdout.splitlines()[-1])]


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))))
