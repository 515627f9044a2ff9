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
from rlcheck.engines.processes import crew
from rlcheck.frontends.cli import main as rlcheck
from rlcheck.frontends.commands.run import Options, run
from rlcheck.frontends.targets import Target

_HEAD = """# What runs cost

Reproduce with `{command}`; rlcheck {rlcheck} **{build}**, Python {python}, {machine}.

"""

_NOTES = """
- *Watching and storing*: CPU seconds of `rlcheck run` on the BST study, from its start to its last write,
  over those of `Campaign.run` with the same seed; both turn by turn, the least of {repeats} turns each. Lines
  are written, the database is written, corpus and sample are kept; the survey at the end is part of it.
- *Recorded inputs*: `rlcheck run` of {inputs:,} inputs with the learner `uniform`: nearly all
  are unique.
- *Report*: `rlcheck report` of that run.
- *Help*: `rlcheck --help` in a process of its own, the median of {helps}.
- *Two workers*: unique valid inputs of `--workers 2` over those of `--workers 1`, from the first
  answer of a worker on, for {seconds:g} s each, turn by turn; mean and standard error over {seeds} seeds.
  Per second means something only where two cores are free; per CPU second, 0.85 is what 1.7 needs: the rest
  is lost to sharing, to learning the same twice, and to inputs that both made.
"""

_HELPS = 9


def watching(*, episodes: int, repeats: int) -> dict[str, Any]:
    """CPU seconds of a run that is watched and kept, over those of one that is not."""
    target = Target("benchmarks.runs.subjects:tree", "is_bst")
    subject = target.load()
    best = {"watched": float("inf"), "bare": float("inf")}
    for _ in range(repeats):
        started = process_time()
        Campaign(subject.generator, valid=subject.valid, seed=0).run(episodes)
        best["bare"] = min(best["bare"], process_time() - started)
        with _elsewhere(), _silence():
            started = process_time()
            run(Options(target, seed=0, episodes=episodes))
            best["watched"] = min(best["watched"], process_time() - started)
    value = 100 * (best["watched"] / best["bare"] - 1)
    detail = f"{best['watched']:.2f} s over {best['bare']:.2f} s for {episodes:,} inputs"
    return {"value": round(value, 2), "detail": detail}


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


def working(target: Target, *, seconds: float, seeds: int) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """What two workers find over what one finds: per second, and per second of their processors' time."""
    ratios: dict[str, list[float]] = {"second": [], "CPU second": []}
    for seed in range(seeds):
        plan = Plan(target.load, {}, seed, seconds=10 * seconds)
        one, two = (_rates(plan, many, seconds) for many in (1, 2))
        for per, found in ratios.items():
            found.append(two[per] / one[per])
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    for per, least in (("second", 1.7), ("CPU second", 0.85)):
        mean, error = store.mean_and_error(ratios[per])
        kept = [round(ratio, 3) for ratio in ratios[per]]
        yield per, least, {"value": round(mean, 2), "detail": f"± {error:.2f}; {load}", "ratios": kept}


def _rates(plan: Plan, many: int, seconds: float) -> dict[str, float]:
    engine = crew(plan, many)
    try:
        while not engine.snapshot().episodes:
            engine.step(0.05)
        first, started, used = engine.snapshot().unique_valid, perf_counter(), _used(engine)
        while perf_counter() - started < seconds:
            engine.step(0.1)
        found = engine.snapshot().unique_valid - first
        return {
            "second": found / (perf_counter() - started),
            "CPU second": found / (_used(engine) - used),
        }
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
    parser.add_argument("--repeats", type=int, default=3, help="turns of each side of it")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs that are recorded")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long workers are measured")
    parser.add_argument("--seeds", type=int, default=3, help="how often")
    given = parser.parse_args(arguments)
    measured = []

    def keep(what: str, unit: str, target: float, found: dict[str, Any]) -> None:
        print(f"{what}: {found['value']} {unit} ({found['detail']})", file=sys.stderr)
        measured.append({"what": what, "unit": unit, "target": target, **vars(given), **found})

    keep("watching and storing", "%", 5.0, watching(episodes=given.episodes, repeats=given.repeats))
    for row in recorded(inputs=given.inputs):
        keep(*row)
    keep("help", "s", 0.3, helping())
    for name, target in (
        ("search trees", Target("benchmarks.runs.subjects:tree", "is_bst")),
        ("sorted lists", Target("benchmarks.runs.subjects:numbers", "is_sorted")),
    ):
        for per, least, found in working(target, seconds=given.seconds, seeds=given.seeds):
            keep(f"two workers, {name}, per {per}", "x", least, found)
    store.write("runs/runs", measured)
    rows = store.read("runs/runs")
    (store.RESULTS / "runs" / "README.md").write_text(page(rows))
    print(table(rows))


if __name__ == "__main__":
    main()
