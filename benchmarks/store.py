"""Results of benchmarks: JSONL, one run a line, with what is needed to compare it with another."""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import rlcheck
from rlcheck import guide

RESULTS = Path(__file__).parent / "results"


def environment() -> dict[str, Any]:
    """Versions and the kind of machine: what a figure depends on besides the code that is measured."""
    return {
        "rlcheck": rlcheck.__version__,
        "compiled": not guide.__file__.endswith(".py"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cpu": f"{os.cpu_count()} of {_processor()}",
    }


def write(name: str, rows: Iterable[dict[str, Any]], folder: Path | None = None) -> Path:
    """Replace the results called `name`; rows that were stored before keep their environment."""
    path = (RESULTS if folder is None else folder) / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    common = environment()
    path.write_text("".join(json.dumps({**common, **row}) + "\n" for row in rows))
    return path


def read(name: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """The results called `name`."""
    path = (RESULTS if folder is None else folder) / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def _processor() -> str:
    """What the processor calls itself, where Linux tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean = statistics.fmean(values)
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return mean, error
