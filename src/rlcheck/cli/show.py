"""`rlcheck show` and `rlcheck list`: print what is stored, as text or JSON."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

from rlcheck.cli import failures
from rlcheck.errors import ConfigurationError
from rlcheck.report.progress import line
from rlcheck.report.schema import Run
from rlcheck.report.store import Store


def listing(*, as_json: bool) -> int:
    """List the runs and the open failures."""
    store = Store()
    try:
        runs = [_about(store, run) for run in store.runs()]
        known = [failure for failure in store.failures() if failure.fixed is None]
        if as_json:
            shown = {
                "rlcheck": "list",
                "version": 1,
                "runs": runs,
                "failures": [one.as_json() for one in known],
            }
            sys.stdout.write(json.dumps(shown) + "\n")
            return 0
        for run, about in zip(store.runs(), runs, strict=True):
            sys.stdout.write(
                f"{run.id:>4}  {_when(run)}  {run.target}  {_learner(run)}: {_progress(store, run)}"
                f" ({about['stopped'] or 'did not end'})\n"
            )
        for failure in known:
            sys.stdout.write(f"  f{failure.id}  {failure.target}  {failure.message}  {failure.place}\n")
        return 0
    finally:
        store.close()


def show(number: str, *, as_json: bool) -> int:
    """Show a run or a failure."""
    store = Store()
    try:
        if number.startswith("f") and number[1:].isdecimal():
            return _show_failure(store, int(number[1:]), as_json=as_json)
        if not number.isdecimal():
            raise ConfigurationError(f"{number!r} must be the number of a run (1) or of a failure (f1).")
        return _show_run(store, store.run(int(number)), as_json=as_json)
    finally:
        store.close()


def _show_failure(store: Store, number: int, *, as_json: bool) -> int:
    found = store.failures(number=number)
    if not found:
        raise ConfigurationError(f"failure f{number} is not in {store.path}. See: rlcheck list")
    row = found[0].as_json()
    if as_json:
        sys.stdout.write(json.dumps({"rlcheck": "failure", "version": 1, **row}) + "\n")
    else:
        sys.stdout.write(failures.text(found[0]) + ("  it passes now\n" if row["fixed"] else ""))
    return 0


def _show_run(store: Store, run: Run, *, as_json: bool) -> int:
    found = store.failures(run=run.id)
    if as_json:
        shown = {"rlcheck": "run", "version": 1, **_about(store, run)}
        sys.stdout.write(json.dumps({**shown, "failures": [one.as_json() for one in found]}) + "\n")
        return 0
    out = sys.stdout.write
    out(f"run {run.id} of {_when(run)}: {run.target}\n  {_learner(run)}: {_progress(store, run)}\n")
    out(f"  stopped: {run.stopped or 'did not end'}; seed {run.settings.get('seed')}\n")
    for place, count, *example in run.details.get("rejections", [])[:5]:
        such_as = f", such as {example[0]}" if any(example) else ""
        out(f"  rejected {count:,} of {run.details['looked']:,} sampled inputs: {place}{such_as}\n")
    for one in run.details.get("inputs", [])[:5]:
        out(f"  an input: {one['input']}\n")
    for failure in found:
        out(failures.text(failure))
    return 0


def _about(store: Store, run: Run) -> dict[str, Any]:
    latest = store.progress(run.id)[-1:]
    progress = latest[0]._asdict() if latest else {}
    about = {"id": run.id, "target": run.target, "settings": run.settings, "versions": run.versions}
    spread = {name: value for name, value in run.details.items() if name in ("size", "depth", "labels")}
    return {**about, "started": run.started, "stopped": run.stopped, "raced": run.raced, **progress, **spread}


def _progress(store: Store, run: Run) -> str:
    latest = store.progress(run.id)[-1:]
    return line(latest[0]) if latest else "no progress stored"


def _when(run: Run) -> str:
    try:
        return datetime.fromtimestamp(run.started).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):  # A damaged database may say anything.
        return "at an unknown time"


def _learner(run: Run) -> str:
    return str(run.settings.get("learner"))
