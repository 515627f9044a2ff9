"""Measures what watching, storing and reporting cost, and writes `results/runs/`: every row has a target."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from benchmarks import store
from rlcheck import Campaign
from rlcheck.engines import Plan
from rlcheck.engines.crew import Crew
from rlcheck.engines.inside import Inside
from rlcheck.engines.processes import crew
from rlcheck.frontends.cli import main as rlcheck
from rlcheck.frontends.commands.run import Contender, Options, run
from rlcheck.frontends.targets import Subject, Target
from rlcheck.report.progress import View
from rlcheck.report.store import Store

_HEAD = """# What runs cost

Reproduce with `{command}`; rlcheck {rlcheck} **{build}**, Python {python}, {machine}.

"""

_NOTES = """
- *Watching and storing*: CPU seconds of a campaign on the BST study as `rlcheck run` has it, over those of a
  bare one with the same seed, both a thousandth at a time in turns; mean and standard error over {seeds}
  seeds. Lines and the database are written, corpus and sample are kept; so is the survey at the end.
- *Recorded inputs*: `rlcheck run` of {inputs:,} inputs with the learner `uniform`: nearly all
  are unique.
- *Report*: `rlcheck report` of that run.
- *Help*: `rlcheck --help` in a process of its own, the median of {helps}.
- *Two workers*: unique valid inputs of `--workers 2` over those of `--workers 1`, from the first answer of
  a worker on, after {seconds:g} CPU seconds for each worker: as if each had a core of its own. What their
  parent takes is part of it. Mean and standard error over {seeds} seeds.
"""

_HELPS = 9


def watching(*, episodes: int, seeds: int) -> dict[str, Any]:
    """CPU seconds of a campaign that is watched and kept, over those of one that is not, in percent."""
    target = Target("benchmarks.runs.subjects:tree", "is_bst")
    subject = target.load()
    costs, watched, bare = [], 0.0, 0.0
    for seed in range(seeds):
        with _elsewhere(), _silence():
            watched, bare = _side_by_side(target, subject, episodes, seed)
        costs.append(100 * (watched / bare - 1))
    mean, error = store.mean_and_error(costs)
    detail = f"± {error:.2f}; last {watched:.2f} s over {bare:.2f} s for {episodes:,} inputs"
    return {"value": round(mean, 2), "detail": detail, "costs": [round(cost, 2) for cost in costs]}


def _side_by_side(target: Target, subject: Subject, episodes: int, seed: int) -> tuple[float, float]:
    """CPU seconds of both campaigns, a thousandth of each at a time: what disturbs one disturbs the other."""
    alone = Campaign(subject.generator, valid=subject.valid, seed=seed)
    kept = Store(say=print)
    engine = Inside(Plan(target.load, {}, seed), subject)
    contender = Contender("watched", engine, kept, kept.start_run(str(target), {}, {}))
    part = max(1, episodes // 1_000)
    watched = bare = due = 0.0
    with View(lambda snapshots: 0.5, sys.stderr) as view:
        for _ in range(0, episodes, part):
            started = process_time()
            alone.run(part)
            between = process_time()
            engine.campaign.run(part, seconds=3_600)
            view.show({"watched": engine.snapshot()})
            if watched > due:  # Once a second, as if it had a core of its own.
                contender.keep(subject, always=True)
                due = watched + 1.0
            watched += process_time() - between
            bare += between - started
    started = process_time()
    contender.finish(subject)
    kept.close()
    return watched + process_time() - started, bare


def recorded(*, inputs: int) -> Iterator[tuple[str, str, float, dict[str, Any]]]:
    """Megabytes of the database of many inputs, seconds of its report, and its megabytes."""
    target = Target("benchmarks.runs.subjects:many_lists")
    with _elsewhere(), _silence():
        run(Options(target, learner="uniform", seed=0, episodes=inputs))
        size = sum(path.stat().st_size for path in Path(".rlcheck").glob("runs.db*")) / 1e6
        started = perf_counter()
        rlcheck(["report", "-o", "page.html"])
        spent = perf_counter() - started
        page = Path("page.html").stat().st_size / 1e6
    yield (
        "database of recorded inputs",
        "MB",
        200.0,
        {"value": round(size, 2), "detail": f"{inputs:,} inputs"},
    )
    yield "report, time", "s", 10.0, {"value": round(spent, 2), "detail": "from the command to the file"}
    yield "report, size", "MB", 5.0, {"value": round(page, 2), "detail": "one file"}


def helping() -> dict[str, Any]:
    """Seconds that `rlcheck --help` takes."""
    command = [sys.executable, "-m", "rlcheck.frontends.cli", "--help"]
    spent = []
    for _ in range(_HELPS):
        started = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        spent.append(perf_counter() - started)
    return {"value": round(statistics.median(spent), 3), "detail": f"the fastest took {min(spent):.3f} s"}


def working(target: Target, *, seconds: float, seeds: int) -> dict[str, Any]:
    """What two workers find in so many CPU seconds each, over what one finds in as many."""
    ratios = []
    for seed in range(seeds):
        one, two = (_found(target, seed, many, seconds) for many in (1, 2))
        ratios.append(two / one)
    mean, error = store.mean_and_error(ratios)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    kept = [round(ratio, 3) for ratio in ratios]
    return {"value": round(mean, 2), "detail": f"± {error:.2f}; {load}", "ratios": kept}


def _found(target: Target, seed: int, many: int, seconds: float) -> float:
    """Unique valid inputs per CPU second that each worker has; who gives the orders takes from theirs."""
    engine = crew(Plan(target.load, {}, seed), many)
    try:
        while not engine.snapshot().episodes:
            engine.step(0.05)
        first, before = engine.snapshot().unique_valid, _used(engine)
        while _used(engine) - before < many * seconds:
            engine.step(0.1)
        return (engine.snapshot().unique_valid - first) * many / (_used(engine) - before)
    finally:
        engine.close()


def _used(engine: Crew) -> float:
    """CPU seconds of the workers, and of this process, as Linux counts them."""
    ticks = 0
    for member in engine._members:
        numbers = Path(f"/proc/{member.hand._process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(numbers[11]) + int(numbers[12])
    return process_time() + ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def table(rows: list[dict[str, Any]]) -> str:
    """One line per measurement, with its target and whether it was met."""
    lines = ["| what | measured | target | | |", "|---|---:|---:|---|---|"]
    for row in rows:
        least = row["unit"] == "x"
        met = row["value"] >= row["target"] if least else row["value"] <= row["target"]
        bound = f"{'at least' if least else 'at most'} {row['target']:g} {row['unit']}"
        cells = (
            row["what"],
            f"{row['value']:g} {row['unit']}",
            bound,
            "PASS" if met else "MISS",
            row["detail"],
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(rows: list[dict[str, Any]]) -> str:
    """The page of the benchmark."""
    first = rows[0]
    build = "compiled" if first["compiled"] else "not compiled"
    command = "make bench-runs" if first["compiled"] else "python -m benchmarks.runs.run"
    return (
        _HEAD.format(**first, build=build, command=command)
        + table(rows)
        + "\n"
        + _NOTES.format(**first, helps=_HELPS)
    )


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.runs.run`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.runs.run", description=__doc__)
    parser.add_argument(
        "--episodes", type=int, default=100_000, help="inputs of the campaign that is watched"
    )
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs that are recorded")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds of each worker")
    parser.add_argument("--seeds", type=int, default=3, help="how often")
    given = parser.parse_args(arguments)
    measured = []

    def keep(what: str, unit: str, target: float, found: dict[str, Any]) -> None:
        print(f"{what}: {found['value']} {unit} ({found['detail']})", file=sys.stderr)
        measured.append({"what": what, "unit": unit, "target": target, **vars(given), **found})

    keep("watching and storing", "%", 5.0, watching(episodes=given.episodes, seeds=given.seeds))
    for row in recorded(inputs=given.inputs):
        keep(*row)
    keep("help", "s", 0.3, helping())
    for name, target in (
        ("search trees", Target("benchmarks.runs.subjects:tree", "is_bst")),
        ("sorted lists", Target("benchmarks.runs.subjects:numbers", "is_sorted")),
    ):
        keep(f"two workers, {name}", "x", 1.7, working(target, seconds=given.seconds, seeds=given.seeds))
    store.write("runs/runs", measured)
    rows = store.read("runs/runs")
    (store.RESULTS / "runs" / "README.md").write_text(page(rows))
    print(table(rows))


if __name__ == "__main__":
    main()
