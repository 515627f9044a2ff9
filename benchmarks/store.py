"""Results of benchmarks: JSONL, one run a line, with what is needed to compare it with another."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
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


def write(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Replace the results called `name`; rows that were stored before keep their environment."""
    path = RESULTS / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    common = environment()
    path.write_text("".join(json.dumps({**common, **row}) + "\n" for row in rows))


def read(name: str) -> list[dict[str, Any]]:
    """Return the results called `name`; none when nothing is stored."""
    path = RESULTS / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _processor() -> str:
    """Return what the processor calls itself, where Linux tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")
