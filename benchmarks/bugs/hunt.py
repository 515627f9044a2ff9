"""Hunts for bugs: how much processor time a method takes until an input shows each of them.

Until a property fails, the inputs of a seed do not depend on it: all tasks of a workload can share them.
Each is charged with the time for making the inputs and with the time of its own tests. Methods that look at
the branches of a test run each task by itself.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from hypothesis import assume

from benchmarks.bugs.workload import Task, Workload
from benchmarks.hypothesis import drive
from benchmarks.hypothesis.property import Property
from rlcheck import Campaign
from rlcheck.episode import Episode
from rlcheck.frontends.hypothesis.configuration import Configuration, configured

HANDWRITTEN = "hand-written"
#: The methods that run through Hypothesis, with their backends.
BACKENDS = {"hypothesis": "hypothesis", "rlcheck-backend": "rlcheck"}
#: The learners that run without Hypothesis, and those of them that look at the branches of a test.
LEARNERS = ("uniform", "monte-carlo", "zest", "diverse", "portfolio")
BRANCHES = ("zest", "portfolio")
METHODS = (*LEARNERS, *BACKENDS, HANDWRITTEN)


class Hunt:
    """Tests inputs by all tasks that have neither found their bug nor spent their time."""

    def __init__(self, tasks: Sequence[Task], seconds: float) -> None:
        self.calls = 0
        self.valid = 0
        #: Seconds to each bug that was found.
        self.found: dict[str, float] = {}
        self.seconds = seconds
        self._tests = {task.name: task.test() for task in tasks}
        self._own = dict.fromkeys(self._tests, 0.0)
        gc.collect()
        self._tested = 0.0
        self._started = process_time()

    @property
    def enough(self) -> bool:
        """Whether nothing is left to be found in time."""
        return not self._tests or self._making() >= self.seconds

    def begin(self) -> None:
        """An input is made."""
        self.calls += 1

    def end(self) -> None:
        """A test case of Hypothesis ends, whichever way."""
        if self.enough:
            raise drive.Enough

    def fail(self) -> None:
        """A test case of Hypothesis failed; those of a hunt never do."""

    def accept(self, value: Any) -> None:
        """Test a valid input."""
        self.valid += 1
        began = last = process_time()
        making = self._making()
        for name, test in list(self._tests.items()):
            failed = False
            try:
                test(value)
            except Exception:
                failed = True
            now = process_time()
            self._own[name] += now - last
            last = now
            spent = making + self._own[name]
            if failed or spent >= self.seconds:
                del self._tests[name]
                if failed and spent < self.seconds:
                    self.found[name] = round(spent, 4)
        self._tested += last - began

    def _making(self) -> float:
        """Return the processor time that went into making inputs."""
        return process_time() - self._started - self._tested


def hunt(workload: Workload, method: str, seed: int, seconds: float) -> dict[str, Any]:
    """Hunt for all bugs of a workload by a method; say what was found, and when."""
    tasks = workload.tasks()
    groups = [[task] for task in tasks] if method in BRANCHES else [tasks]
    # What is loaded and looked up once is no part of what is compared.
    _run(workload, method, -1, Hunt(tasks[:1], 0.01))
    hunts = []
    for group in groups:
        hunts.append(Hunt(group, seconds))
        _run(workload, method, seed, hunts[-1])
    return {
        "tasks": len(tasks),
        "inputs": sum(each.calls for each in hunts),
        "valid": sum(each.valid for each in hunts),
        "found": {name: when for each in hunts for name, when in each.found.items()},
    }


def _run(workload: Workload, method: str, seed: int, hunt: Hunt) -> None:
    if method == HANDWRITTEN:
        random = Random(seed)
        while not hunt.enough:
            hunt.begin()
            hunt.accept(workload.handwritten(random))
    elif method in BACKENDS:
        subject = Property(workload.name, _assuming(workload), _no_shape, {"value": workload.strategy})
        with configured(
            Configuration(seconds=10 * hunt.seconds)
        ):  # As --rlcheck-seconds does; the hunt ends it.
            drive.until_enough(subject, BACKENDS[method], seed, hunt)
    else:
        _campaign(workload, method, seed, hunt)


def _campaign(workload: Workload, learner: str, seed: int, hunt: Hunt) -> None:
    def watch(episode: Episode) -> None:
        hunt.begin()
        if hunt.enough:
            campaign.stop()

    campaign = Campaign(
        workload.generator,
        valid=workload.valid,
        test=hunt.accept,
        learner=learner,
        seed=abs(seed),
        observers=[watch],
    )
    campaign.run(episodes=10**9)


def _assuming(workload: Workload) -> Any:
    def test(value: Any) -> None:
        assume(workload.valid(value))

    return test


def _no_shape(value: Any) -> None:
    """Hunts do not look at shapes."""
