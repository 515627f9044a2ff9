"""Covering: a campaign's coverage, on while it runs, and by itself when nothing is valid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlcheck import registry
from rlcheck.coverage import Coverage, Modules, modules_of
from rlcheck.errors import ConfigurationError
from rlcheck.guide import Guide

#: After so many episodes without a valid one, branches of the precondition count as progress. A number of
#: episodes and not of seconds, so that the same seed gives the same run.
COLD = 500

_WITHOUT = "the learner looks at branches, and went on without: {}"


def coverage_for(
    learner: Any,
    reward: Any,
    characteristic: Any,
    *,
    given: Modules | Coverage | None,
    subject: tuple[Callable[..., Any] | None, ...],
) -> tuple[Coverage | None, str]:
    """The coverage that a campaign takes, and what there is to say of it.

    A reward and a characteristic need theirs; a learner does without when there is none to be had.
    """
    needed = registry.coverage_needed(reward=reward, characteristic=characteristic)
    wanted = registry.coverage_needed(learner=learner, reward=reward, characteristic=characteristic)
    if isinstance(given, Coverage):
        return given, ""
    if given is not None:
        return (Coverage(given, ordered=wanted == "path") if given else None), ""
    modules = modules_of(*subject)
    if wanted is None or not modules:
        missing = wanted is not None and needed is None
        return None, _WITHOUT.format("neither `valid` nor `test` is a Python function") if missing else ""
    try:
        coverage = Coverage(modules, ordered=wanted == "path")
        coverage.whole = False  # Nobody asked for a report of it.
        return coverage, ""
    except ConfigurationError as error:
        if needed is not None:
            raise
        return None, _WITHOUT.format(error)


class Covering:
    """Turns the coverage of a guide on and off; it is on inside a `with` block.

    Args:
        guide: Whose coverage it is.
        modules: Those that find inputs invalid; none when coverage is not turned on unasked.
    """

    def __init__(self, guide: Guide, modules: Sequence[str]) -> None:
        #: Whether coverage was turned on unasked, and still is.
        self.unasked = False
        self._guide = guide
        self._modules = modules

    def __enter__(self) -> None:
        if self._guide.coverage is not None:
            self._guide.coverage.on()

    def __exit__(self, *raised: object) -> None:
        if self._guide.coverage is not None:
            self._guide.coverage.off()

    def warm_up(self) -> str:
        """Nothing was valid so far: look at the branches of what rejects, if possible, and say so."""
        if not self._modules or self._guide.graded:
            return ""
        try:
            coverage = Coverage(self._modules)
            coverage.on()
        except ConfigurationError:
            return ""  # There is no source, or another campaign looks at it already.
        self._guide.coverage = coverage
        self.unasked = True
        return (
            f"none of the first {COLD:,} inputs was valid: from then on, new branches of {self._modules[0]}"
            " counted as progress, until an input was valid"
        )

    def cool_down(self) -> None:
        """An input is valid: what was turned on unasked is turned off."""
        if self._guide.coverage is not None:
            self._guide.coverage.off()
        self._guide.coverage = None
        self.unasked = False
