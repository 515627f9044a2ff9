"""Campaigns as studies run them: a subject, a method, and a meter that counts what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter, process_time
from typing import Any

from benchmarks.study import Row, Task
from rlcheck import Campaign
from rlcheck.episode import Episode, Outcome
from rlcheck.generators import Generator
from rlcheck.protocols import Abstraction, Learner
from rlcheck.shapes import Shapes

#: Snapshots per tenfold of inputs: those at 1,000, 10,000 and 100,000 are among them.
_PER_DECADE = 8


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested. The generator knows nothing of the predicate, and gives no states."""

    name: str
    generator: Generator[Any]
    valid: Callable[[Any], bool]
    #: The structure of an input, with its leaf values erased.
    shape: Callable[[Any], Hashable] | None = None
    size: Callable[[Any], int] = len
    #: Packages it imports when it is first used.
    needs: tuple[str, ...] = ()
    #: How many inputs a run makes unless told otherwise.
    inputs: int = 100_000

    @property
    def missing(self) -> list[str]:
        """The packages it needs that are not installed."""
        return [package for package in self.needs if not _is_installed(package)]


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False  # It is part of a package that is missing.


@dataclass(frozen=True, slots=True)
class Method:
    """Who answers a generator."""

    learner: Callable[[], Learner[Any]]
    #: None is the default one: automatic.
    abstraction: Callable[[], Abstraction] | None = None
    #: Takes the place of the subject's generator.
    generator: Generator[Any] | None = None

    def campaign(self, subject: Subject, seed: int, **arguments: Any) -> Campaign:
        """Return a campaign on a subject."""
        return Campaign(
            self.generator or subject.generator,
            valid=subject.valid,
            learner=self.learner(),
            abstraction=None if self.abstraction is None else self.abstraction(),
            seed=seed,
            **arguments,
        )


class Curve:
    """Inputs, valid and unique valid ones, at equal steps of a run; choices, and sizes of unique inputs."""

    def __init__(self, size: Callable[[Any], int], inputs: int, points: int) -> None:
        self.points: list[tuple[int, int, int]] = []
        self.sizes: Counter[int] = Counter()
        self.choices = 0
        self._size = size
        self._due = {inputs * point // points for point in range(1, points + 1)}
        self._inputs = self._valid = self._unique = 0

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self._inputs += 1
        self.choices += len(episode.choices)
        self._valid += episode.outcome is not Outcome.INVALID
        if episode.unique:
            self._unique += 1
            self.sizes[self._size(episode.value)] += 1
        if self._inputs in self._due:
            self.points.append((self._inputs, self._valid, self._unique))


def run_with_curve(
    method: Method, subject: Subject, task: Task, *, reward: Any, points: int
) -> tuple[Campaign, Curve, Row]:
    """Run a method on a subject for some inputs; return the campaign, its curve and what every row has."""
    curve = Curve(subject.size, task.inputs, points)
    campaign = method.campaign(subject, task.seed, reward=reward, observers=[curve])
    started = process_time()
    summary = campaign.run(episodes=task.inputs)
    row = {
        "seed": task.seed,
        "valid": summary.valid,
        "unique_valid": summary.unique_valid,
        "seconds": round(summary.seconds, 3),
        "cpu_seconds": round(process_time() - started, 3),
        "curve": curve.points,
    }
    return campaign, curve, row


class Meter:
    """What a campaign has found after 1, ..., 1,000, 1,334, ... inputs.

    It counts shapes and sizes for itself, so it keeps the time for that apart.
    """

    def __init__(self, subject: Subject) -> None:
        self.snapshots: list[Row] = []
        self.inputs = 0
        self.overhead = 0.0
        self._subject = subject
        self._valid = self._unique = self._largest = 0
        self._shapes = Shapes(subject.shape)
        self._step, self._next = 0, 1
        self._started = perf_counter()

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self.inputs += 1
        if episode.outcome is not Outcome.INVALID:
            self._valid += 1
            self._unique += episode.unique
            started = perf_counter()
            self._shapes.add(self._shapes.of(episode.value))
            self._largest = max(self._largest, self._subject.size(episode.value))
            self.overhead += perf_counter() - started
        if self.inputs == self._next:
            self.snapshot()
            while self._next <= self.inputs:
                self._step += 1
                self._next = round(10 ** (self._step / _PER_DECADE))

    def snapshot(self) -> None:
        """Note where the campaign stands."""
        if self.snapshots and self.snapshots[-1]["inputs"] == self.inputs:
            return
        self.snapshots.append(
            {
                "inputs": self.inputs,
                "valid": self._valid,
                "unique_valid": self._unique,
                "shapes": len(self._shapes),
                "effective_shapes": round(self._shapes.effective, 1),
                "largest": self._largest,
                "seconds": round(self.seconds(), 6),
            }
        )

    def seconds(self) -> float:
        """How long the campaign has run, without the time taken by shapes and sizes."""
        return perf_counter() - self._started - self.overhead


def measure(subject: Subject, task: Task) -> list[Row]:
    """Run a registered learner on a subject, for some inputs or seconds."""

    def campaign() -> Campaign:
        return Campaign(subject.generator, valid=subject.valid, learner=task.method, seed=task.seed)

    # One input outside the measured time: imports and schemas are no part of what is compared.
    campaign().run(episodes=1)
    run, meter = campaign(), Meter(subject)
    run.guide.observers.append(meter)
    if not task.seconds:
        run.run(episodes=task.inputs)
    else:
        # Time spent on shapes is given back, until what is left is not worth a slice.
        while (left := task.seconds - meter.seconds()) > 0.001 and run.summary.stopped != "interrupted":
            run.run(seconds=left)
    if run.summary.stopped == "interrupted":
        raise KeyboardInterrupt  # A run that was cut short compares with nothing.
    meter.snapshot()
    return [
        {"subject": subject.name, "learner": task.method, "seed": task.seed, "snapshots": meter.snapshots}
    ]
