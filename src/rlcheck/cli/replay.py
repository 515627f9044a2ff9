"""`rlcheck replay`: runs recorded failures again."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from rlcheck.cli import failures
from rlcheck.cli.targets import Subject, Target
from rlcheck.errors import ConfigurationError
from rlcheck.failure import describe, message_of, place_of, printable, shown
from rlcheck.report.schema import StoredFailure
from rlcheck.report.store import Store

#: What a file may be, by the value of "rlcheck" on its first line.
_KINDS = ("actions", "run", "failure")


def replay(what: str, *, as_json: bool) -> int:
    """Replay a failure, the failures of a run, or a file; returns 1 if one still fails."""
    out = sys.stderr if as_json else sys.stdout
    if os.path.isfile(what) and _head(what).get("rlcheck") == "actions":
        from rlcheck.frontends.random import external

        code = external.replay(what, say=partial(print, file=out))
        results = [{"target": what, "fails": code != 0}]
    else:
        with contextlib.redirect_stdout(sys.stderr):  # The output must not contain what a subject prints.
            results = [_replayed(known, out) for known in _known(what)]
    if as_json:
        sys.stdout.write(json.dumps({"rlcheck": "replay", "version": 1, "failures": results}) + "\n")
    return 1 if any(result["fails"] for result in results) else 0


def _replayed(known: StoredFailure, out: TextIO) -> dict[str, Any]:
    subject = Target.parse(known.target).load()
    error = None if known.isolated else subject.fails(known.choices)
    failing = error is not None or (known.isolated and failures.again(subject, known) is not None)
    now = known.replace(input=_input(subject, known), snippet="")
    if error is not None:
        now = now.replace(place=place_of(error), message=message_of(error))
    out.write(describe(now, f"{known.target}: {now.message}") + "\n")
    if error is not None:
        out.write(printable("".join(traceback.format_exception(error))))
    out.write(f"  {'still fails' if failing else 'passes now'}\n")
    return {
        "target": known.target,
        "choices": known.choices,
        "fails": failing,
        "place": now.place,
        "message": now.message,
    }


def _input(subject: Subject, known: StoredFailure) -> str:
    if known.input or known.isolated or subject.hypothesis is not None:
        return known.input or "(not known)"
    return shown(subject.input_of(known.choices))


def _known(what: str) -> list[StoredFailure]:
    if os.path.isfile(what):
        return list(_from_file(what))
    number = what[1:] if what.startswith("f") else what
    if not number.isdecimal():
        raise ConfigurationError(
            f"{what!r} is neither a file nor a number: give a failure (f1), a run (1), or a file that"
            " rlcheck run --json wrote. See: rlcheck list"
        )
    store = Store()
    try:
        if what.startswith("f"):
            found = store.failures(number=int(number))
        else:
            found = store.failures(run=store.run(int(number)).id)
    finally:
        store.close()
    if not found:
        raise ConfigurationError(f"{what!r} has no failure to replay. See: rlcheck list")
    return found


def _from_file(path: str) -> Iterator[StoredFailure]:
    head = _head(path)
    if head.get("rlcheck") not in _KINDS or head.get("version") != 1:
        raise ConfigurationError(f"{path} was not written by rlcheck, or by another version of it.")
    rows = [head] if head["rlcheck"] == "failure" else head.get("failures")
    if not isinstance(rows, list) or not rows:
        raise ConfigurationError(f"{path} has no failure to replay.")
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("target"), str):
            raise ConfigurationError(f"{path} has a failure without a target.")
        choices = row.get("choices")
        if not isinstance(choices, list) or not all(isinstance(one, int | str) for one in choices):
            raise ConfigurationError(f"{path} has a failure without choices.")
        texts = {name: str(row.get(name, "")) for name in ("target", "place", "message", "input")}
        yield failures.from_json({**texts, "choices": choices, "isolated": row.get("isolated") is True})


def _head(path: str) -> dict[str, Any]:
    """The first line of a file as JSON, or the whole file; empty if neither is JSON."""
    try:
        with Path(path).open(encoding="utf-8") as lines:
            first = lines.readline()
            try:
                found = json.loads(first)
            except ValueError:
                found = json.loads(first + lines.read())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
