"""How many draws the Go client makes in a second, one answer at a time and many."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.study import Row, Task
from rlcheck import Guide
from rlcheck.frontends.random.external import Subject

_ROOT = Path(__file__).parents[2]
LEARNERS = ("uniform", "monte-carlo")
_AHEAD = (1, 256)


def missing(_: str) -> list[str]:
    """Return what is needed here and not installed."""
    return [] if shutil.which("go") else ["Go"]


def measure(task: Task) -> list[Row]:
    """Measure a learner: by the clock, and by the processor time of guide and program together."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rlcheck").mkdir()
        shutil.copy(_ROOT / "clients" / "rlcheck.go", folder / "rlcheck")
        shutil.copy(_ROOT / "tests" / "frontends" / "external" / "subject.go", folder / "main.go")
        (folder / "go.mod").write_text("module subject\n\ngo 1.21\n")
        subprocess.run(["go", "build", "-o", "subject", "."], cwd=folder, check=True)
        return [_rate(folder / "subject", task, ahead) for ahead in _AHEAD]


def _rate(program: Path, task: Task, ahead: int) -> Row:
    draws = task.inputs if ahead > 1 else task.inputs // 10
    guide = Guide(task.method, seed=task.seed, max_choices=2 * draws)
    guide.start()
    clock, used = perf_counter(), _processor_seconds()
    run = Subject([str(program), str(draws)], timeout=300.0).run(
        lambda n, stack: guide.choose(range(n), at=stack[-1], state=stack), lambda value: None, ahead=ahead
    )
    if len(run.pairs) != draws:
        raise RuntimeError(f"{len(run.pairs)} draws were recorded, of {draws}: {run.log}")
    rates = {
        "by_clock": draws / (perf_counter() - clock),
        "by_processor": draws / (_processor_seconds() - used),
    }
    return {"row": task.method, "seed": task.seed, "ahead": ahead, "draws": draws, **rates}


def _processor_seconds() -> float:
    return sum(os.times()[:4])
