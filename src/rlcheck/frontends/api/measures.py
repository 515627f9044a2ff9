"""How much of a subject its tests have covered: branches, paths, shapes and combinations of predicates."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from rlcheck.coverage import Coverage

# In the time that it takes to note a branch so much of a shape is written; and a call costs so many branches.
_PER_BRANCH, _CALL = 3, 100

#: Of so many different calls it is remembered what they took: most calls were seen before.
_REMEMBERED = 50_000


class Measures:
    """Measures each call of a test.

    Args:
        coverage: Of the modules of the subject, with predicates; None when there is no source to look at.
        shape: What tells two subjects apart, as a function of them.
        context: What the next call may depend on, as a function of the subject.
        counted: Whether how many branches the running test has taken is part of the context.
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
        #: Digests of the branches that one call takes, in order, and of what the subject looks like after it.
        self.paths: set[int] = set()
        self.shapes: set[int] = set()
        #: How the subject stands: what the next call may depend on.
        self.now: Hashable = None
        #: What the running test has cost, as far as it can be counted: the same on any machine.
        self.work = 0
        self._shape = shape
        self._context = context
        self._counted = counted
        # The branches that the running test has taken, when they are counted.
        self._taken: set[int] = set()
        # By the digest of all that was noted of a call: its branches, and how many it took in all.
        self._known: dict[int, tuple[tuple[int, ...], int]] = {}

    @property
    def branches(self) -> int:
        """How many branches were taken by some call."""
        return 0 if self.coverage is None else len(self.coverage.covered)

    @property
    def combinations(self) -> int:
        """How many combinations of predicates were met."""
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
        """A call is about to be made."""
        if self.coverage is not None:
            self.coverage.start()

    def after(self, subject: Any) -> float:
        """A call was made: how many branches and paths are new; a new shape is worth more where rare."""
        new = 0 if self.coverage is None else self._note(self.coverage)
        if not self._look(subject):
            return new
        # Where a shape comes with a hundred paths, who counts both alike learns to find paths of one shape.
        return new + max(1.0, len(self.paths) / len(self.shapes))

    def _note(self, coverage: Coverage) -> int:
        """How many branches and paths are new by a call."""
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
