"""ShapeSearch: every call on every shape, breadth first: the baseline SA of the ABP paper.

Reference: Visser, Pasareanu, Pelanek, "Test Input Generation for Java Containers using State Matching", ISSTA
2006; without a model checker, as in Sharma, Gligoric, Arcuri, Fraser, Marinov, "Testing Container Classes:
Random or Systematic?", FASE 2011.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from copy import deepcopy

from rlcheck.frontends.api.calls import Call
from rlcheck.frontends.api.measures import Measures
from rlcheck.frontends.api.trial import Came, Rules, Trial


class ShapeSearch:
    """Searches call sequences breadth first; only those that lead to a shape not seen before are continued.

    Args:
        copy: Whether a subject to continue from is copied; else its calls are made again. A copy is dearer
            than a few calls, and a subject may not allow it.
    """

    def __init__(self, *, copy: bool = False) -> None:
        self.copy = copy

    def tests(self, rules: Rules, measures: Measures, length: int) -> Iterator[tuple[Trial, Call, Came]]:
        """Each call of the search, with the test it ends and what came of it."""
        trial = rules.begin()
        measures.begin(trial.subject)
        frontier = deque([trial])
        while frontier:
            parent = frontier.popleft()
            if len(parent.calls) >= length:
                return
            possible = [
                call
                for number, operation in enumerate(rules.operations)
                for call in operation.calls(number, parent.subject)
            ]
            for call in possible:
                child = self._continued(rules, parent)
                known = len(measures.shapes)
                measures.before()
                came = child.call(call)
                measures.after(child.subject)
                yield child, call, came
                if len(measures.shapes) > known and not child.has_failed:
                    frontier.append(child)

    def _continued(self, rules: Rules, parent: Trial) -> Trial:
        """A test that stands where another one stands."""
        child = rules.begin()
        if self.copy:
            child.subject, child.oracle = deepcopy((parent.subject, parent.oracle))
            child.calls = parent.calls.copy()
            return child
        child.repeat(parent.calls)
        return child
