"""Covering: a campaign's coverage, on while it runs, and by itself when nothing is valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlcheck.coverage import Coverage, modules_of
from rlcheck.errors import ConfigurationError
from rlcheck.guide import Guide

#: After so many episodes without a valid one, branches of the precondition count as progress. A number of
#: episodes and not of seconds, so that the same seed gives the same run.
COLD = 500


class Covering:
    """Turns the coverage of a guide on and off; it is on inside a `with` block.

    Args:
        guide: Whose coverage it is.
        rejects: The function that finds inputs invalid; None when coverage is not turned on unasked.
    """

    def __init__(self, guide: Guide, rejects: Callable[..., Any] | None) -> None:
        #: Whether coverage was turned on unasked, and still is.
        self.unasked = False
        self._guide = guide
        self._rejects = rejects

    def __enter__(self) -> None:
        if self._guide.coverage is not None:
            self._guide.coverage.on()

    def __exit__(self, *raised: object) -> None:
        if self._guide.coverage is not None:
            self._guide.coverage.off()

    def warm_up(self) -> str:
        """Nothing was valid so far: look at the branches of what rejects, if possible, and say so."""
        modules = modules_of(self._rejects)
        if not modules or self._guide.graded:
            return ""
        try:
            coverage = Coverage(modules)
            coverage.on()
        except ConfigurationError:
            return ""  # There is no source, or another campaign looks at it already.
        self._guide.coverage = coverage
        self.unasked = True
        return (
            f"none of the first {COLD:,} inputs was valid: from then on, new branches of {modules[0]}"
            " counted as progress, until an input was valid"
        )

    def cool_down(self) -> None:
        """An input is valid: what was turned on unasked is turned off."""
        if self._guide.coverage is not None:
            self._guide.coverage.off()
        self._guide.coverage = None
        self.unasked = False
