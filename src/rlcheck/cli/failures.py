"""Failures: replayed first, shrunk, kept with a script that shows them, and marked when they pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any, Protocol

from rlcheck.cli.targets import Subject, Target
from rlcheck.engines import Engine, Found
from rlcheck.engines.isolation import isolated
from rlcheck.engines.local import message_of, place_in
from rlcheck.errors import MissingExtra, ReplayError
from rlcheck.report.store import Store, StoredFailure
from rlcheck.report.survey import shown

#: Seconds after which a replay in a process of its own counts as hanging, where nothing else is said, and
#: after which shrinking there is given up. A process takes some of them to start.
_PATIENCE, _SHRINKING, _START = 10.0, 60.0, 3.0


class Contending(Protocol):
    """An engine and the number of its run."""

    engine: Engine
    run: int


@dataclass(slots=True)
class Regressions:
    """What came of the failures that were known before."""

    failing: list[Found] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    #: Those whose choices no longer fit the generator.
    stale: list[str] = field(default_factory=list)


def replay_known(subject: Subject, store: Store | None, timeout: float | None) -> Regressions:
    """Replay what failed before; what passes is marked fixed."""
    result = Regressions()
    if store is None:
        return result
    for known in store.failures(target=str(subject.target)):
        if known.fixed is not None:
            continue
        try:
            found = again(subject, known, timeout)
        except ReplayError:
            result.stale.append(f"f{known.id}")
            continue
        if found is None:
            store.mark_fixed(known.id)
            result.fixed.append(f"f{known.id}")
        else:
            result.failing.append(found)
    return result


def again(subject: Subject, known: StoredFailure, timeout: float | None = None) -> Found | None:
    """The failure, if a stored one still fails."""
    if known.isolated:
        seconds = _PATIENCE if timeout is None else _START + timeout
        came_back, place = isolated(_place_again, subject.target, known.choices, seconds=seconds)
        if came_back and place is None:
            return None
        return Found(known.place, known.message, known.choices, known.input, isolated=True)
    error = fails(subject, known.choices)
    if error is None:
        return None
    return Found(place_in(error), message_of(error), known.choices, known.input)


def fails(subject: Subject, choices: Sequence[Any]) -> BaseException | None:
    """What a subject raises on a recorded input; None when it passes."""
    if subject.hypothesis is None:
        return subject.fails(choices)
    from rlcheck.frontends.hypothesis.engine import reproduce

    return reproduce(subject.hypothesis, *choices)


def conclude(
    subject: Subject,
    contenders: Sequence[Contending],
    store: Store | None,
    known: Regressions,
    *,
    isolated: bool,
) -> list[dict[str, Any]]:
    """Shrink what was found, keep it, and say it in plain data: one failure for each place."""
    last: dict[str, tuple[Found, int]] = {found.place: (found, contenders[0].run) for found in known.failing}
    for contender in contenders:
        for found in contender.engine.failures.values():
            if found.place in last:
                found = replace(last[found.place][0], count=found.count)
            last[found.place] = (found, contender.run)
    rows = []
    for found, run in last.values():
        shrunk = _shrink(subject, found, inside=not isolated)
        made = row(subject, shrunk)
        if store is not None:
            store.add_failure(run, made)
            kept = [one for one in store.failures(target=made["target"]) if one.place == made["place"]]
            made = kept[0].as_json() if store.lasting else {**kept[0].as_json(), "id": None}
        rows.append(made)
    return rows


def row(subject: Subject, found: Found, count: int | None = None) -> dict[str, Any]:
    """A failure as it is kept."""
    return {
        "target": str(subject.target),
        "place": found.place,
        "message": found.message,
        "choices": found.choices,
        "input": found.input,
        "snippet": subject.snippet(found.choices),
        "count": found.count if count is None else count,
        "isolated": found.isolated,
    }


def text(failure: dict[str, Any]) -> str:
    """A failure for people."""
    number = f" ({failure['id']})" if failure.get("id") else ""
    indented = indent(failure["snippet"].rstrip("\n") + "\n", "    ")
    inputs = "1 input" if failure["count"] == 1 else f"{failure['count']:,} inputs"
    return (
        f"\nFAILED{number}: {failure['message']}\n  {failure['place']}, {inputs}\n"
        f"  input: {failure['input'] or '(not known)'}\n  run this to see it again:\n{indented}"
    )


def _shrink(subject: Subject, found: Found, *, inside: bool) -> Found:
    """The failure with a smallest input; as it is when it ends the process, or cannot be shrunk."""
    if subject.hypothesis is not None or (found.isolated and found.place.startswith("TimedOut")):
        return found  # What hangs may be the generator.
    if found.isolated:
        return replace(found, input=shown(subject.input_of(found.choices)))
    if inside:
        choices, shown_as = smallest(subject, found.place, found.choices)
    else:
        came_back, result = isolated(
            _smallest_of, subject.target, found.place, found.choices, seconds=_SHRINKING
        )
        if not came_back:
            return found
        choices, shown_as = result
    return replace(found, choices=choices, input=shown_as)


def smallest(subject: Subject, place: str, choices: list[int]) -> tuple[list[int], str]:
    """The choices of a smallest input that fails at the same place, and that input."""

    def fails_there(value: Any) -> bool:
        if subject.valid is not None and not subject.holds(value):
            return False
        error = subject.raises(value)
        return error is not None and place_in(error) == place

    try:
        from rlcheck.frontends.hypothesis.strategies import shrink

        choices = list(shrink(subject.generator, fails_there, choices))
    except MissingExtra:
        pass
    return choices, shown(subject.input_of(choices))


def _smallest_of(target: Target, place: str, choices: list[int]) -> tuple[list[int], str]:
    return smallest(target.load(), place, choices)


def _place_again(target: Target, choices: list[Any]) -> str | None:
    error = fails(target.load(), choices)
    return None if error is None else place_in(error)
