"""What `rlcheck run` prints: JSON for programs, text for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rlcheck.cli import failures
from rlcheck.cli.options import Options
from rlcheck.cli.race import Contender
from rlcheck.report.progress import line
from rlcheck.report.record import Snapshot
from rlcheck.report.store import Store

#: The counts of the first run that stand at the top of the JSON object.
_TOP = ("episodes", "valid", "unique_valid", "shapes", "effective_shapes", "overruns", "seconds", "stopped")


def as_json(
    options: Options,
    seed: int,
    contenders: Sequence[Contender],
    found: list[dict[str, Any]],
    regressions: failures.Regressions,
    store: Store | None,
) -> dict[str, Any]:
    """The results of a run as plain data."""
    runs = []
    for contender in contenders:
        kept = contender.run if store is not None and store.lasting else None
        about = {"id": kept, "learner": contender.label, "stopped": contender.engine.stopped}
        counts = {**contender.engine.snapshot()._asdict(), **contender.engine.distributions.as_json()}
        runs.append({**about, **counts, "note": contender.engine.note})
    return {
        "rlcheck": "run",
        "version": 1,
        "target": str(options.target),
        "seed": seed,
        **{name: runs[0][name] for name in _TOP},
        "runs": runs,
        "failures": found,
        "fixed": regressions.fixed,
        "stale": regressions.stale,
    }


def as_text(result: dict[str, Any]) -> str:
    """The results of a run for people."""
    return "".join(_lines(result))


def _lines(result: dict[str, Any]) -> Iterator[str]:
    for run in result["runs"]:
        counts = line(Snapshot(*(run[name] for name in Snapshot._fields)))
        stored = f"run {run['id']}, " if run["id"] else ""
        yield f"{run['learner']}: {counts}; seed {result['seed']}; {stored}stopped: {run['stopped']}\n"
        if run["note"]:
            yield f"  {run['note']}\n"
    if len(result["runs"]) > 1:
        first, second = result["runs"]
        times = first["unique_valid"] / max(1, second["unique_valid"])
        yield f"{first['learner']} made {times:.1f} times the unique valid inputs of {second['learner']}.\n"
    for number in result["fixed"]:
        yield f"fixed: {number} passes now\n"
    for number in result["stale"]:
        yield f"stale: {number} no longer fits its generator\n"
    yield from map(failures.text, result["failures"])


def complain(text: str) -> None:
    """Print a line to the error stream."""
    sys.stderr.write(f"rlcheck: {text}\n")
