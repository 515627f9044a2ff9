"""Shrinks failures of a subject, in a process of their own where the campaign ran in workers."""

from __future__ import annotations

from typing import Any

from rlcheck.cli.targets import Subject, Target
from rlcheck.engines.isolation import isolated
from rlcheck.errors import MissingExtra
from rlcheck.failure import Failure, place_of, shown

#: Seconds after which shrinking in another process is given up.
_PATIENCE = 60.0


def shrink(subject: Subject, failure: Failure, *, in_workers: bool) -> Failure:
    """The failure with the smallest input found; unchanged if it ends the process or cannot be shrunk."""
    if subject.hypothesis is not None or (failure.isolated and failure.place.startswith("TimedOut")):
        return failure  # Hypothesis has shrunk it; or the generator may be what hangs.
    if failure.isolated:
        return failure.replace(input=shown(subject.input_of(failure.choices)))
    if in_workers:
        arguments = (subject.target, failure.place, failure.choices)
        came_back, result = isolated(_smallest_of, *arguments, seconds=_PATIENCE)
        if not came_back:
            return failure
        choices, text = result
    else:
        choices, text = _smallest(subject, failure.place, failure.choices)
    return failure.replace(choices=choices, input=text)


def _smallest(subject: Subject, place: str, choices: list[int]) -> tuple[list[int], str]:
    """The choices of the smallest input that fails at the same place, and that input as text."""

    def fails_there(value: Any) -> bool:
        if not subject.holds(value):
            return False
        error = subject.raises(value)
        return error is not None and place_of(error) == place

    try:
        from rlcheck.frontends.hypothesis.strategies import shrink

        choices = list(shrink(subject.generator, fails_there, choices))
    except MissingExtra:
        pass
    return choices, shown(subject.input_of(choices))


def _smallest_of(target: Target, place: str, choices: list[int]) -> tuple[list[int], str]:
    return _smallest(target.load(), place, choices)
