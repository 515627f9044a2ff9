"""What watching, storing and reporting a run cost: every figure has a target."""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import build, estimate, target, targets
from rlcheck import Campaign
from rlcheck.cli.main import main as rlcheck
from rlcheck.cli.options import Options
from rlcheck.cli.race import Contender
from rlcheck.cli.run import run
from rlcheck.cli.targets import Subject, Target
from rlcheck.engines import Plan
from rlcheck.engines.local import LocalEngine
from rlcheck.engines.pool import WorkerPool
from rlcheck.engines.processes import process_pool
from rlcheck.engines.worker import StepResult
from rlcheck.report.progress import DRAW, REST, View
from rlcheck.report.store import Store

_HEAD = """# What runs cost

Reproduce with `make bench-runs`; rlcheck {rlcheck} **{build}**, Python {python}, {machine}.

"""

_NOTES = """
- *Watching and storing*: CPU seconds that `rlcheck run` adds to a campaign on the BST study, over those of a
  bare one with the same seed; mean and standard error over {seeds} seeds. Both make a thousandth of their
  inputs at a time, in turns; what is added to each input is taken from the median of the ratios. Lines, the
  database, corpus and sample, and the survey at the end are timed by themselves, and added.
- *Live view*: the CPU seconds of a drawing of the same campaign on a terminal, the median of 40, over the
  time until the next one.
- *Recorded inputs*: `rlcheck run` of {inputs:,} inputs with the learner `uniform`: nearly all
  are unique.
- *Report*: `rlcheck report` of that run.
- *Help*: `rlcheck --help` in a process of its own, the median of {helps}.
- *Two workers, in equal time*: unique valid inputs with `--workers 2`, over those with `--workers 1`, both at
  the same time, for {seconds:g} CPU seconds of each worker: as if each had a core of its own. What their
  parents take is part of it. Mean and standard error over {seeds} seeds.
- *To find as much*: the CPU seconds that one worker takes until it has found what two have found, over those
  of each of the two. Search trees run out: the second half of what one worker finds takes longer than the
  first, so that even one of twice the speed would not find twice as much in equal time.
"""

HELPS = 9
#: Inputs of the campaign that is watched, and inputs that are recorded.
WATCHED, RECORDED = 100_000, 1_000_000


def watching(*, episodes: int, seeds: int) -> Iterator[dict[str, Any]]:
    """What it costs to watch and keep a campaign, and to draw it on a terminal, in percent of its time."""
    target = Target("benchmarks.runs.subjects:tree", "is_bst")
    subject = target.load()
    costs, views, bare = [], [], 0.0
    for seed in range(seeds):
        with _elsewhere(), _silence():
            cost, view, bare = _side_by_side(target, subject, episodes, seed)
        costs.append(100 * cost / bare)
        views.append(100 * view / bare)
    for found, what in ((costs, f"{bare:.2f} s without, for {episodes:,} inputs"), (views, "on a terminal")):
        mean, error = estimate(found)
        kept = [round(one, 2) for one in found]
        yield {"value": round(mean, 2), "detail": f"± {error:.2f}; {what}", "costs": kept}


def _side_by_side(target: Target, subject: Subject, episodes: int, seed: int) -> tuple[float, float, float]:
    """CPU seconds of what is added to a campaign, of drawing it, and of the campaign by itself.

    Two campaigns make the same inputs, a thousandth at a time, in turns: what is added to every input is the
    median of the differences, which no disturbance moves. What happens now and then is timed by itself.
    """
    alone = Campaign(subject.generator, valid=subject.valid, seed=seed)
    kept = Store(say=print)
    engine = LocalEngine(Plan(target.load, {}, seed), subject)
    contender = Contender("watched", engine, kept, kept.start_run(str(target), {}, {}))
    part = max(1, episodes // 1_000)
    ratios, bare, rare, due = [], 0.0, 0.0, 0.0
    drawings = []
    with View(lambda snapshots: 0.5, sys.stderr) as lines, View(lambda snapshots: 0.5, _Terminal()) as live:
        for turn in range(0, episodes, part):
            sides = [lambda: alone.run(part), lambda: engine.campaign.run(part, seconds=3_600)]
            first = turn // part % 2
            spent = {place: _timed(sides[place]) for place in (first, 1 - first)}
            bare += spent[0]
            ratios.append(spent[1] / spent[0])
            rare += _timed(lambda: lines.show({"watched": engine.snapshot()}))
            if turn // part % 25 == 0:
                live._due = 0.0
                drawings.append(_timed(lambda: live.show({"watched": engine.snapshot()})))
            if bare > due:  # Once a second, as if it had a core of its own.
                rare += _timed(lambda: contender.keep(subject, always=True))
                due = bare + 1.0
    rare += _timed(lambda: contender.finish(subject, isolate=False))
    kept.close()
    drawing = statistics.median(drawings)
    drawn = bare * drawing / (drawing + max(DRAW, REST * drawing))
    return bare * (statistics.median(ratios) - 1.0) + rare, drawn, bare


def _timed(work: Callable[[], object]) -> float:
    """CPU seconds."""
    started = process_time()
    work()
    return process_time() - started


class _Terminal(io.StringIO):
    """A terminal that nobody looks at."""

    def isatty(self) -> bool:
        return True


def recorded(*, inputs: int) -> Iterator[dict[str, Any]]:
    """Megabytes of the database of many inputs, seconds of its report, and its megabytes."""
    target = Target("benchmarks.runs.subjects:many_lists")
    with _elsewhere(), _silence():
        run(Options(target, learner="uniform", seed=0, episodes=inputs))
        size = sum(path.stat().st_size for path in Path(".rlcheck").glob("runs.db*")) / 1e6
        started = perf_counter()
        rlcheck(["report", "-o", "page.html"])
        spent = perf_counter() - started
        written = Path("page.html").stat().st_size / 1e6
    yield {"value": round(size, 2), "detail": f"{inputs:,} inputs"}
    yield {"value": round(spent, 2), "detail": "from the command to the file"}
    yield {"value": round(written, 2), "detail": "one file"}


def helping() -> dict[str, Any]:
    """Seconds that `rlcheck --help` takes."""
    command = [sys.executable, "-m", "rlcheck", "--help"]
    spent = []
    for _ in range(HELPS):
        started = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        spent.append(perf_counter() - started)
    return {"value": round(statistics.median(spent), 3), "detail": f"the fastest took {min(spent):.3f} s"}


def working(target: Target, *, seconds: float, seeds: int) -> Iterator[dict[str, Any]]:
    """What a second worker brings: in equal time, and until as much was found."""
    rates, times = [], []
    for seed in range(seeds):
        # At the same time: what disturbs one disturbs the others.
        one, two = meters = [_Meter(process_pool(Plan(target.load, {}, seed), many), many) for many in (1, 2)]
        try:
            while running := [meter for meter in meters if meter.spent < seconds]:
                for meter in running:
                    meter.step(0.05)
            rates.append(two.found / two.spent / (max(1, one.found) / one.spent))
            while one.found < two.found:
                one.step(0.05)
            times.append(one.spent / two.spent)
        finally:
            for meter in meters:
                meter.engine.close()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    for found in (rates, times):
        mean, error = estimate(found)
        kept = [round(ratio, 3) for ratio in found]
        yield {"value": round(mean, 2), "detail": f"± {error:.2f}; {load}", "ratios": kept}


class _Meter:
    """What a pool finds, and the CPU seconds that it takes, from the first result of its last worker on."""

    def __init__(self, engine: WorkerPool, many: int) -> None:
        self.engine = engine
        self._many = many
        self._told: dict[int, StepResult] = {}
        self._used: dict[int, float] = {}
        self._own = self._before = 0.0
        self._first = 0

    def step(self, seconds: float) -> None:
        """Run for so long."""
        self._own += _timed(lambda: self.engine.step(seconds))
        started = len(self._told) == self._many
        for member in self.engine._members:
            result = self.engine._results.get(member.number)
            if result is not None and result is not self._told.get(member.number):
                self._told[member.number] = result
                self._used[member.number] = _cpu_seconds(member.worker.pid)
        if not started and len(self._told) == self._many:
            self._own = 0.0
            self._before = sum(self._used.values())
            self._first = self.engine.snapshot().unique_valid

    @property
    def spent(self) -> float:
        """CPU seconds for each worker up to its last result, with a share of who gives the orders."""
        if len(self._told) < self._many:
            return 0.0
        return (sum(self._used.values()) - self._before + self._own) / self._many

    @property
    def found(self) -> int:
        """Unique valid inputs."""
        return self.engine.snapshot().unique_valid - self._first


def _cpu_seconds(process: int) -> float:
    """As Linux counts them."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


#: What each measurement measures: its unit, its target, and whether that is the least.
FIGURES = {
    "watching": {"watching and storing": ("%", 5.0, False), "live view": ("%", 2.0, False)},
    "recording": {
        "database of recorded inputs": ("MB", 200.0, False),
        "report, time": ("s", 10.0, False),
        "report, size": ("MB", 5.0, False),
    },
    "help": {"help": ("s", 0.3, False)},
    **{
        name: {
            f"two workers, {name}, in equal time": ("x", 1.7, True),
            f"two workers, {name}, to find as much": ("x", 1.7, True),
        }
        for name in ("search trees", "sorted lists")
    },
}
_TARGETS = {
    "search trees": Target("benchmarks.runs.subjects:tree", "is_bst"),
    "sorted lists": Target("benchmarks.runs.subjects:numbers", "is_sorted"),
}


def measure(task: Task) -> list[Row]:
    """Measure what belongs together; `inputs` are how often."""
    found: Iterable[dict[str, Any]]
    if task.subject == "watching":
        found = watching(episodes=WATCHED, seeds=task.inputs)
    elif task.subject == "recording":
        found = recorded(inputs=RECORDED)
    elif task.subject == "help":
        found = [helping()]
    else:
        found = working(_TARGETS[task.subject], seconds=task.seconds, seeds=task.inputs)
    budget = {"seeds": task.inputs, "inputs": RECORDED, "seconds": task.seconds, "helps": HELPS}
    rows = []
    for (what, (unit, bound, least)), figure in zip(FIGURES[task.subject].items(), found, strict=True):
        rows.append(target(what, unit, bound, {"measurement": task.subject, **budget, **figure}, least=least))
    return rows


def page(results: Results) -> str:
    """Return the page."""
    rows = results["runs"]
    first = rows[0] | {"build": build(rows[0])}
    return "\n".join([_HEAD.format(**first), *targets(rows), _NOTES.format(**first)])


STUDY = Study(
    "runs",
    {"runs": Part(measure, list(FIGURES), inputs=3, seconds=10.0, keys=("measurement", ""))},
    page,
)
