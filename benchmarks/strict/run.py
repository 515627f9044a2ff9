"""Run learners on the strict subjects: `python -m benchmarks.strict.run`.

At equal inputs, or with `--seconds` at equal time. Results replace those of the same name and mode.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from benchmarks import pool, store
from benchmarks.strict.subject import Subject
from benchmarks.strict.subjects import SUBJECTS
from rlcheck import Campaign, registry
from rlcheck.episode import Episode, Outcome
from rlcheck.shapes import Shapes

LEARNERS = ("uniform", "monte-carlo", "sarsa-lambda", "diverse")
#: Snapshots per tenfold of inputs: the checkpoints at 1k, 10k and 100k are among them.
PER_DECADE = 8


@dataclass(frozen=True, slots=True)
class Task:
    """One run."""

    subject: str
    learner: str
    seed: int
    inputs: int
    seconds: float | None = None


class Meter:
    """Watches a campaign: what it has found after 1, ..., 1,000, 1,334, ... inputs.

    The suite counts shapes and sizes for itself, so it keeps the time for that apart.
    """

    def __init__(self, subject: Subject) -> None:
        self.snapshots: list[dict[str, float]] = []
        self.inputs = 0
        self.overhead = 0.0
        self._subject = subject
        self._valid = 0
        self._unique = 0
        self._shapes = Shapes(subject.shape)
        self._largest = 0
        self._step = 0
        self._next = 1
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
                self._next = round(10 ** (self._step / PER_DECADE))

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


def measure(task: Task) -> dict[str, Any]:
    """Run one campaign."""
    subject = SUBJECTS[task.subject]
    # One input outside the measured time: imports and schemas are no part of what is compared.
    _campaign(subject, task).run(episodes=1)
    campaign = _campaign(subject, task)
    meter = Meter(subject)
    campaign.guide.observers.append(meter)
    if task.seconds is None:
        campaign.run(episodes=task.inputs)
    else:
        # Time spent on shapes is given back, until what is left is not worth a slice.
        while (left := task.seconds - meter.seconds()) > 0.001 and campaign.summary.stopped != "interrupted":
            campaign.run(seconds=left)
    if campaign.summary.stopped == "interrupted":
        raise KeyboardInterrupt  # A run that was cut short compares with nothing.
    meter.snapshot()
    return {
        "subject": subject.name,
        "held_out": subject.held_out,
        "learner": task.learner,
        "seed": task.seed,
        "snapshots": meter.snapshots,
    }


def _campaign(subject: Subject, task: Task) -> Campaign:
    return Campaign(subject.generator, valid=subject.valid, learner=task.learner, seed=task.seed)


def run(tasks: Sequence[Task], *, jobs: int) -> list[dict[str, Any]]:
    """Run all tasks; the rows by subject, learner and seed."""
    rows = pool.run(measure, tasks, jobs=jobs, says=_found)
    order = {name: place for place, name in enumerate(SUBJECTS)}
    return sorted(rows, key=lambda row: (order[row["subject"]], row["learner"], row["seed"]))


def _found(task: Task, row: dict[str, Any] | None) -> str:
    text = f"{task.subject} {task.learner} seed {task.seed}"
    if row is None:
        return text
    last = row["snapshots"][-1]
    return f"{text}: {last['unique_valid']:,} unique valid of {last['inputs']:,}"


def present(names: Sequence[str]) -> list[Subject]:
    """The subjects that can run here; says which cannot."""
    found = []
    for name in names:
        subject = SUBJECTS[name]
        if subject.missing:
            print(f"{name} is skipped: it needs {', '.join(subject.missing)}.", file=sys.stderr)
        else:
            found.append(subject)
    return found


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    known = [name for name in LEARNERS if name in registry.names("learner")]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strict.run", description=__doc__)
    parser.add_argument("--subject", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), metavar="NAME")
    parser.add_argument(
        "--learner", nargs="+", choices=registry.names("learner"), default=known, metavar="NAME"
    )
    parser.add_argument("--inputs", type=int, help="per run; the default is the subject's own")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, help="per run, instead of a number of inputs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="300 inputs, two seeds, results set apart")
    parser.add_argument("--name", help="the folder of the results")
    options = parser.parse_args(arguments)
    if options.quick:
        options.inputs, options.seeds = options.inputs or 300, 2
    options.name = options.name or ("strict-quick" if options.quick else "strict")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 1 when a run is missing from the results."""
    options = parse(arguments)
    tasks = [
        Task(subject.name, learner, seed, options.inputs or subject.inputs, options.seconds)
        for subject in present(options.subject)
        for seed in range(options.seeds)
        for learner in options.learner
    ]
    rows = run(tasks, jobs=options.jobs)
    if rows:
        mode = "inputs" if options.seconds is None else "seconds"
        print(store.write(f"{options.name}/{mode}", rows))
    return int(len(rows) < len(tasks))


if __name__ == "__main__":
    sys.exit(main())
