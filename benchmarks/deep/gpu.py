"""Measures choices per second of the same network on the CPU and on a CUDA device, and prints the ratio.

A Transformer (or an LSTM) of width 256 answers 1,024 episodes in lock-step and learns from them. Two figures:

- *network*: choices by the seconds spent in answering (from what the lanes ask to the indices that they get)
  and in learning, with the transfers to and from the device; what the ratio is taken of;
- *all*: choices by all seconds, with generators, guides and greenlets, which cost the same on both.

The CPU has all its threads. The check of inputs costs next to nothing. Without greenlet, the lanes are asked
directly, with no campaign around them. Run it with `PYTHONPATH=src python -m benchmarks.deep.gpu`.
"""

from __future__ import annotations

import argparse
import json
import os
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from benchmarks import store
from rlcheck import Campaign, ChoicePoint, Episode, Outcome
from rlcheck.generators import Choose
from rlcheck.learners.deep.recurrent import Recurrent, RecurrentConfig

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


def measure(device: str, given: argparse.Namespace) -> dict[str, Any]:
    """The figures of one device."""
    config = RecurrentConfig(
        core=given.core,
        width=given.width,
        layers=given.layers,
        context=given.length,
        batch=given.lanes // 4,
        replay=False,
    )
    threads = os.cpu_count() or 1
    learner = Timed(config, device=device, lanes=given.lanes, threads=threads, seed=0)
    ask_lanes(learner, 2, 0.01)  # The first pass sets things up.
    learner.seconds, learner.choices = 0.0, 0
    drive = run_campaign if find_spec("greenlet") else ask_lanes
    total = drive(learner, given.length, given.seconds)
    name = torch.cuda.get_device_name() if device == "cuda" else f"{threads} threads"
    return {
        "device": device,
        "name": name,
        "core": given.core,
        "width": given.width,
        "layers": given.layers,
        "lanes": given.lanes,
        "length": given.length,
        "driver": drive.__name__,
        "choices": learner.choices,
        "network": round(learner.choices / learner.seconds),
        "all": round(learner.choices / total),
        "torch": torch.__version__,
    }


def main(arguments: list[str] | None = None) -> list[dict[str, Any]]:
    """`python -m benchmarks.deep.gpu`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deep.gpu", description=__doc__)
    parser.add_argument("--core", choices=("lstm", "transformer"), nargs="+", default=["transformer", "lstm"])
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--lanes", type=int, default=1024, help="episodes in lock-step")
    parser.add_argument("--length", type=int, default=64, help="choices in an episode")
    parser.add_argument(
        "--seconds", type=float, default=30, help="for how long each device is measured, at least"
    )
    parser.add_argument("--devices", nargs="+", default=["cpu", "cuda"])
    parser.add_argument("--output", type=Path, help="a file for the results, as JSONL")
    given = parser.parse_args(arguments)
    rows = []
    for core in given.core:
        one = argparse.Namespace(**{**vars(given), "core": core})
        found = {device: measure(device, one) for device in given.devices}
        rows += [{**row, **store.environment()} for row in found.values()]
        for row in found.values():
            print(
                f"{core}, {row['device']} ({row['name']}): {row['network']:,} choices/s by the network,",
                end=" ",
            )
            print(f"{row['all']:,} choices/s in all, by {row['driver']}")
        if len(found) == 2:
            first, second = found.values()
            ratio, whole = second["network"] / first["network"], second["all"] / first["all"]
            print(
                f"{core}: {ratio:.1f} times the choices/s of the network, {whole:.1f} times in all",
                flush=True,
            )
    if given.output is not None:
        given.output.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return rows


if __name__ == "__main__":
    main()
