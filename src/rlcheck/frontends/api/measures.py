"""Measures what the tests of a subject cover: branches, paths, shapes and combinations of predicates."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from rlcheck.coverage import Coverage

# How many characters of a shape are written in the time of one branch, and how many branches a call costs.
_PER_BRANCH, _CALL = 3, 100

#: How many different calls are remembered with their branches: most calls occurred before.
_REMEMBERED = 50_000


class Measures:
    """Measures each call of a test.

    Args:
        coverage: Branches and predicates of the subject's modules; None without source code.
        shape: A function of the subject that tells two of them apart.
        context: A function of the subject: what the next call may depend on.
        counted: Whether the context includes how many branches the running test has taken.
    """

    def __init__(
        self,
        coverage: Coverage | None,
        shape: Callable[[Any], Hashable],
        context: Callable[[Any], Hashable],
        *,
        counted: bool,
    ) -> None:
        self.coverage = coverage
        #: Digests of the branches that a call takes, in order, and of the subject's shape after it.
        self.paths: set[int] = set()
        self.shapes: set[int] = set()
        #: The context of the next call.
        self.now: Hashable = None
        #: The cost of the running test in counted steps, which are the same on every machine.
        self.work = 0
        self._shape = shape
        self._context = context
        self._counted = counted
        # The branches that the running test has taken, if they are counted.
        self._taken: set[int] = set()
        # For each digest of a call: its branches, and the length of its path.
        self._known: dict[int, tuple[tuple[int, ...], int]] = {}

    @property
    def branches(self) -> int:
        """How many branches the calls have taken."""
        return 0 if self.coverage is None else len(self.coverage.covered)

    @property
    def combinations(self) -> int:
        """How many combinations of predicates occurred."""
        return 0 if self.coverage is None else len(self.coverage.combinations)

    def sizes(self) -> tuple[int, int, int]:
        """How many paths, shapes and combinations there are so far."""
        return len(self.paths), len(self.shapes), self.combinations

    def begin(self, subject: Any) -> None:
        """Begin a test."""
        self.work = 0
        self._taken.clear()
        self._look(subject)

    def before(self) -> None:
        """Prepare for a call."""
        if self.coverage is not None:
            self.coverage.start()

    def after(self, subject: Any) -> float:
        """The reward for a call: one for each new branch and path, more for a new and rare shape."""
        new = 0 if self.coverage is None else self._note(self.coverage)
        if not self._look(subject):
            return new
        # With a hundred paths per shape, a learner that counts both alike would look for paths of one shape.
        return new + max(1.0, len(self.paths) / len(self.shapes))

    def _note(self, coverage: Coverage) -> int:
        """How many branches and paths are new with this call."""
        digest = coverage.digest()
        known = self._known.get(digest)
        new = 0
        if known is None:
            new = coverage.stop(valid=True)
            before = len(self.paths)
            self.paths.add(hash(tuple(coverage.path)))
            new += len(self.paths) - before
            known = (tuple(coverage.counts) if self._counted else (), len(coverage.path))
            if len(self._known) < _REMEMBERED:
                self._known[digest] = known
        branches, length = known
        self._taken.update(branches)
        self.work += length
        return new

    def _look(self, subject: Any) -> bool:
        """Whether the shape of the subject is new."""
        shape = self._shape(subject)
        context = shape if self._context is self._shape else self._context(subject)
        self.now = (context, len(self._taken)) if self._counted else context
        before = len(self.shapes)
        self.shapes.add(hash(shape))
        self.work += _CALL + (len(shape) // _PER_BRANCH if isinstance(shape, str) else 0)
        return len(self.shapes) > before
