"""Failures of a run: the known ones are replayed first; new ones are shrunk and stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlcheck.cli.shrinking import shrink
from rlcheck.cli.targets import Subject, Target
from rlcheck.engines import Engine
from rlcheck.engines.isolation import isolated
from rlcheck.engines.time_limit import TimeLimit, wall_limit
from rlcheck.errors import ReplayError
from rlcheck.failure import Failure, TimedOut, describe, message_of, place_of
from rlcheck.report.schema import StoredFailure
from rlcheck.report.store import Store

#: Seconds after which a replay in a process of its own counts as hanging, unless a timeout is given, and
#: seconds that a process takes to start.
_PATIENCE, _START = 10.0, 10.0

#: Returned instead of a place when the choices no longer fit the generator.
_STALE = "stale"


class Contending(Protocol):
    """An engine and the number of its run."""

    engine: Engine
    run: int


@dataclass(slots=True)
class Regressions:
    """What became of the failures that were known before."""

    failing: list[Failure] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    #: Failures whose choices no longer fit the generator.
    stale: list[str] = field(default_factory=list)


def replay_known(subject: Subject, store: Store | None, timeout: float | None) -> Regressions:
    """Replay what failed before; failures that pass now are marked as fixed."""
    result = Regressions()
    if store is None:
        return result
    for known in store.failures(target=str(subject.target)):
        if known.fixed is not None:
            continue
        try:
            failure = again(subject, known, timeout)
        except ReplayError:
            result.stale.append(f"f{known.id}")
            continue
        if failure is None:
            store.mark_fixed(known.id)
            result.fixed.append(f"f{known.id}")
        else:
            result.failing.append(failure)
    return result


def again(subject: Subject, known: Failure, timeout: float | None = None) -> Failure | None:
    """The failure, if a stored one still fails."""
    if known.isolated:
        seconds = timeout or _PATIENCE
        arguments = (subject.target, known.choices, seconds)
        came_back, place = isolated(_place_again, *arguments, seconds=_START + 2 * wall_limit(seconds))
        if came_back and place == _STALE:
            raise ReplayError(f"its choices {known.choices} no longer fit the generator.")
        return None if came_back and place is None else known.replace(count=1)
    error = subject.fails(known.choices)
    if error is None:
        return None
    return known.replace(place=place_of(error), message=message_of(error), count=1)


def conclude(
    subject: Subject,
    contenders: Sequence[Contending],
    store: Store | None,
    known: Regressions,
    *,
    in_workers: bool,
) -> list[dict[str, Any]]:
    """Shrink and store what was found, one failure for each place; returns it as plain data."""
    last: dict[str, tuple[Failure, int]] = {one.place: (one, contenders[0].run) for one in known.failing}
    for contender in contenders:
        for found in contender.engine.failures.values():
            if found.place in last:
                found = last[found.place][0].replace(count=found.count)
            last[found.place] = (found, contender.run)
    rows = []
    for failure, run in last.values():
        small = with_snippet(subject, shrink(subject, failure, in_workers=in_workers))
        rows.append(_stored(store, run, str(subject.target), small).as_json())
    return rows


def with_snippet(subject: Subject, failure: Failure) -> Failure:
    """A failure with the script that reproduces it."""
    return failure.replace(snippet=subject.snippet(failure.choices))


def text(failure: StoredFailure | dict[str, Any]) -> str:
    """A stored failure for people."""
    if isinstance(failure, dict):
        failure = from_json(failure)
    number = f" (f{failure.id})" if failure.id else ""
    return "\n" + describe(failure, f"FAILED{number}: {failure.message}") + "\n"


def from_json(row: dict[str, Any]) -> StoredFailure:
    """The failure that `as_json` gave, as far as it is there."""
    known = {"place": "", "message": "", "input": "", "snippet": "", "count": 1, "isolated": False}
    known |= {"first_run": 0, "last_run": 0, **row, "id": int(str(row.get("id") or "0").lstrip("f"))}
    return StoredFailure({**known, "fixed": None})


def _stored(store: Store | None, run: int, target: str, failure: Failure) -> StoredFailure:
    """The failure after it was stored; with the number 0 when it is not kept."""
    if store is not None:
        store.add_failure(run, target, failure)
        # A damaged database may have lost it again, or hold it twice.
        kept = next((one for one in store.failures(target=target) if one.place == failure.place), None)
        if kept is not None:
            return kept if store.lasting else kept.replace(id=0)
    row = {"id": 0, "target": target, "first_run": run, "last_run": run, "fixed": None}
    return StoredFailure({**vars(failure), **row})


def _place_again(target: Target, choices: list[Any], seconds: float) -> str | None:
    """Replay an input under a time limit: the place of its failure, `_STALE`, or None if it passes."""
    subject = target.load()
    limit = TimeLimit(seconds)
    try:
        error = limit.limited(subject.fails)(choices)
    except ReplayError:
        return _STALE
    except TimedOut as late:
        error = late
    return None if error is None else place_of(error)
