"""Choices per second of the same network on the CPU and on a CUDA device.

A network answers 1,024 episodes in lock-step and learns from them. Two figures:

- *network*: choices by the seconds spent in answering (from what the lanes ask to the indices that they get)
  and in learning, with the transfers to and from the device;
- *all*: choices by all seconds, with generators, guides and greenlets, which cost the same on both.

The CPU has all its threads. Checking an input costs next to nothing. Without greenlet, the lanes are asked
directly, with no campaign around them.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import torch

from benchmarks.study import Row, Task
from rlcheck import Campaign, ChoicePoint, Episode, Outcome
from rlcheck.generators import Choose
from rlcheck.learners.deep.recurrent import Recurrent, RecurrentConfig

CORES = ("transformer", "lstm")
WIDTH, LAYERS = 256, 4
#: Episodes in lock-step, and the choices in each.
LANES, LENGTH = 1024, 64
_OPTIONS = range(32)


class Timed(Recurrent):
    """A recurrent learner that notes what its network costs."""

    seconds = 0.0
    choices = 0

    def answer(self, lanes: Any) -> list[int]:
        """Answer, against the clock; the indices are on the CPU, so the device has ended."""
        started = perf_counter()
        indices = super().answer(lanes)
        self.seconds += perf_counter() - started
        self.choices += len(indices)
        return indices

    def _learn_batch(self) -> None:
        started = perf_counter()
        super()._learn_batch()
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        self.seconds += perf_counter() - started


def episode(choose: Choose, length: int) -> list[int]:
    """Choices that depend on nothing."""
    return [choose(_OPTIONS, at="choice", state=()) for _ in range(length)]


def ask_lanes(learner: Timed, length: int, seconds: float) -> float:
    """Episodes in lock-step without a campaign; the seconds that they took."""
    point = ChoicePoint("choice", 0)
    lanes = [learner.lane(place) for place in range(learner.lanes)]
    started = perf_counter()
    while perf_counter() - started < seconds:
        for _ in range(length):
            for lane in lanes:
                lane.ask(point, (), len(_OPTIONS))
            learner.answer(lanes)
        for lane in lanes:
            valid = sum(lane.outputs) % 2 == 0
            lane.reward(float(valid))
            ended = Episode()
            ended.outcome = Outcome.VALID if valid else Outcome.INVALID
            lane.update(ended)
    return perf_counter() - started


def run_campaign(learner: Timed, length: int, seconds: float) -> float:
    """Episodes of a campaign; the seconds that they took."""
    campaign = Campaign(
        lambda choose: episode(choose, length),
        valid=lambda made: sum(made) % 2 == 0,
        learner=learner,
        seed=0,
    )
    started = perf_counter()
    campaign.run(seconds=seconds)
    return perf_counter() - started


def measure(task: Task) -> list[Row]:
    """Measure a kind of network on a device."""
    device, core = task.subject, task.method
    config = RecurrentConfig(
        core=core, width=WIDTH, layers=LAYERS, context=LENGTH, batch=LANES // 4, replay=False
    )
    threads = os.cpu_count() or 1
    learner = Timed(config, device=device, lanes=LANES, threads=threads, seed=0)
    ask_lanes(learner, 2, 0.01)  # The first pass sets things up.
    learner.seconds, learner.choices = 0.0, 0
    drive = run_campaign if find_spec("greenlet") else ask_lanes
    total = drive(learner, LENGTH, task.seconds)
    return [
        {
            "device": device,
            "name": torch.cuda.get_device_name() if device == "cuda" else f"{threads} threads",
            "core": core,
            "width": WIDTH,
            "layers": LAYERS,
            "lanes": LANES,
            "length": LENGTH,
            "driver": drive.__name__,
            "choices": learner.choices,
            "network": round(learner.choices / learner.seconds),
            "all": round(learner.choices / total),
            "torch": torch.__version__,
        }
    ]


def missing(device: str) -> list[str]:
    """Return what a device needs that is not here."""
    return [] if device == "cpu" or torch.cuda.is_available() else ["a CUDA device"]
