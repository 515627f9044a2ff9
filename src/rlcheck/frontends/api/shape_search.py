"""ShapeSearch: tries every call on every shape, breadth first. It is the baseline SA of the ABP paper.

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
from rlcheck.frontends.api.trial import Result, Rules, Trial


class ShapeSearch:
    """Searches call sequences breadth first, and continues only those that lead to a new shape.

    Args:
        copy: Whether to copy the subject to continue from, instead of making its calls again. A copy costs
            more than a few calls, and some subjects cannot be copied.
    """

    def __init__(self, *, copy: bool = False) -> None:
        self.copy = copy

    def tests(self, rules: Rules, measures: Measures, length: int) -> Iterator[tuple[Trial, Call, Result]]:
        """Each call of the search, with the test that it ends and its result."""
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
                result = child.call(call)
                measures.after(child.subject)
                yield child, call, result
                if len(measures.shapes) > known and not child.has_failed:
                    frontier.append(child)

    def _continued(self, rules: Rules, parent: Trial) -> Trial:
        """A test in the same situation as another one."""
        child = rules.begin()
        if self.copy:
            child.subject, child.oracle = deepcopy((parent.subject, parent.oracle))
            child.calls = parent.calls.copy()
            return child
        child.repeat(parent.calls)
        return child
