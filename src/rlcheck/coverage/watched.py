"""Watched: where watched code records its branches, what it compares, and what it catches."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

from rlcheck.coverage.hints import KIND, LOOKUP, TYPE, Comparison
from rlcheck.coverage.notes import Ordered
from rlcheck.reasons import text_of, without_values

#: How many of the last comparisons and exceptions of an input are kept.
_COMPARED, _CAUGHT = 2_000, 20

#: Operands of other types are ignored, so that none of their methods is called.
PLAIN = frozenset((int, float, str, bytes, bool))
_COLLECTIONS = frozenset((list, tuple, set, frozenset, dict, type({}.keys())))
#: Larger collections are ignored.
_LARGE = 64


class Watched(Ordered):
    """The branches, comparisons and exceptions of the running input.

    Args:
        roots: The modules whose exceptions are recorded; other modules also raise them for other reasons.
    """

    def __init__(self, roots: Collection[str]) -> None:
        super().__init__()
        self.compared: deque[Comparison] = deque(maxlen=_COMPARED)
        self.caught: deque[str] = deque(maxlen=_CAUGHT)
        #: Sites that compare no part of the input; they are no longer recorded.
        self.muted: set[int] = set()
        self.roots = roots
        self._left: list[Any] = []

    def of(self, branch: int) -> Callable[..., Any]:
        """Return the function that records a branch, or something else if below 0: see `compare`."""
        if branch >= 0:
            return super().of(branch)
        return (self._catch, self._see_right, self._see_left, self._right, self._push)[-branch - 1]

    def clear(self) -> None:
        """Forget what was recorded."""
        super().clear()
        self.compared.clear()
        self.caught.clear()
        self._left.clear()

    def _push(self, value: Any) -> Any:
        self._left.append(value)
        return value

    def _right(self, site: int, value: Any) -> Any:
        if self._left:  # Empty where an input began in the middle of a comparison.
            left = self._left.pop()
            if site not in self.muted:
                self._see(site, left, value)
        return value

    def _see_left(self, site: int, left: Any, right: Any) -> Any:
        if site not in self.muted:
            self._see(site, left, right)
        return left

    def _see_right(self, site: int, left: Any, right: Any) -> Any:
        if site not in self.muted:
            self._see(site, left, right)
        return right

    def _see(self, site: int, left: Any, right: Any) -> None:
        """Keep two operands if they are plain."""
        kind = site & KIND
        if kind == LOOKUP:
            if type(left) is not dict:
                return
            left, right = right, left
        if type(left) in PLAIN:
            if type(right) in PLAIN:
                self.compared.append((site, left, right))
            elif kind == TYPE:
                kinds = right if type(right) is tuple else (right,)
                self.compared.append((site, left, tuple([one for one in kinds if type(one) is type])))
            elif type(right) in _COLLECTIONS and len(right) <= _LARGE:
                self.compared.append((site, left, tuple([one for one in right if type(one) in PLAIN])))
        elif type(left) is type(right) and type(left) in (list, tuple):
            for one, other in zip(left[:_LARGE], right[:_LARGE], strict=False):
                if type(one) in PLAIN and type(other) in PLAIN and one != other:
                    self.compared.append((site, one, other))
                    break

    def _catch(self) -> None:
        """Keep the exception that is being handled."""
        error = sys.exception()
        if sys._getframe(1).f_globals.get("__name__") in self.roots and isinstance(error, Exception):
            self.caught.append(without_values(text_of(error)))
