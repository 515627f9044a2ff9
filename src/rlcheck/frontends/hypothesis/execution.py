"""When Hypothesis gives up on a test, and how a search gets around it. It imports no internals."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, Phase
from hypothesis.errors import BackendCannotProceed, StopTest

from rlcheck.frontends.hypothesis.memory import Memory
from rlcheck.frontends.hypothesis.rejections import modules_that_decide
from rlcheck.frontends.hypothesis.tally import Tally
from rlcheck.guide import Guide

#: Hypothesis gives up at 50 invalid or 20 overlong test cases before 10 valid ones. A search begins earlier.
_INVALID, _OVERLONG, _ENOUGH = 30, 12, 10

#: It also gives up at about 460 invalid ones, and 100 more for each valid one.
_PATIENCE, _MORE_PATIENCE = 400, 100

#: Test cases that Hypothesis does not see cost nothing of its budgets. This is their own, for each test.
_SEARCHED, _SEARCH_SECONDS = 6_000, 30.0

#: Where Hypothesis would only end a test that has had valid inputs, it is searched once in vain, so far.
_MORE = 1_000


class Execution:
    """A run of a test by Hypothesis, as far as a search and a memory need it.

    Args:
        execution: Hypothesis' own object for it.
    """

    def __init__(self, execution: Any) -> None:
        self._execution = execution
        self._runner = execution._runner
        self.settings = execution.settings
        self.max_examples: int = self.settings.max_examples
        key = self._runner.database_key
        self.targets = Phase.target in self.settings.phases
        remembers = key is not None and Phase.reuse in self.settings.phases
        self.memory = Memory(self.settings.database if remembers else None, (key or b"") + b".rlcheck")
        # Without the health check Hypothesis ends at ten times max_examples, and so does a search.
        suppressed = HealthCheck.filter_too_much in self.settings.suppress_health_check
        #: How many test cases, and for how many seconds, the test may be searched.
        self.tries = min(_SEARCHED, 5 * self.max_examples) if suppressed else _SEARCHED
        self.seconds = _SEARCH_SECONDS

    def run(self, data: Any) -> None:
        """Run the test on a test case that is not counted."""
        with suppress(StopTest):
            self._execution._execute_once_for_engine(data)
        data.freeze()

    def tries_left(self, tally: Tally) -> int:
        """How many test cases a search may take now."""
        return min(self.tries - tally.searched, _SEARCHED if self.may_fail else _MORE)

    def is_cold(self, tally: Tally) -> bool:
        """Whether nothing is valid, and should be by now."""
        return not tally.valid and tally.cases >= _INVALID

    def warm_up(self, guide: Guide, rejecting: set[str]) -> None:
        """Let new branches of the test and of what rejected inputs count as progress."""
        guide.session.warm_up(sorted(rejecting | modules_that_decide(self._execution.test)))

    def stop(self) -> None:
        """End the generation of test cases: there is nothing left to do."""
        self._runner.should_generate_more = lambda: False  # Or Hypothesis would go on by itself.
        raise BackendCannotProceed("exhausted")

    @property
    def may_fail(self) -> bool:
        """Whether Hypothesis would fail a test that rejects too much; later it only ends it."""
        return self._runner.health_check_state is not None or not _cases(self._runner, "valid")

    def check(self) -> HealthCheck:
        """The health check that Hypothesis would fail."""
        too_large = _cases(self._runner, "overrun") > _cases(self._runner, "invalid")
        return HealthCheck.data_too_large if too_large else HealthCheck.filter_too_much

    def shortage(self) -> int:
        """How many valid inputs are missing, when Hypothesis is about to give up."""
        runner, health = self._runner, self._runner.health_check_state
        if health is not None and (
            _cases(health, "invalid") >= _INVALID or _cases(health, "overrun") >= _OVERLONG
        ):
            return _ENOUGH - int(_cases(health, "valid"))
        rejected = _cases(runner, "invalid") + _cases(runner, "overrun")
        if rejected >= _INVALID and not _cases(runner, "valid"):
            return 1
        return _ENOUGH if rejected > _PATIENCE + _MORE_PATIENCE * _cases(runner, "valid") else 0


def _cases(what: Any, kind: str) -> Any:
    """The number of test cases of a kind; older versions of Hypothesis call them examples."""
    return getattr(what, f"{kind}_test_cases" if hasattr(what, "valid_test_cases") else f"{kind}_examples")
