"""The search: test cases beyond those that Hypothesis sees, run where it would give up on a test."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext

from hypothesis import HealthCheck, Phase

from rlcheck.episode import Outcome
from rlcheck.frontends.hypothesis.compat import ConjectureData, Execution, drawn_values, is_failing
from rlcheck.frontends.hypothesis.memory import Memory
from rlcheck.frontends.hypothesis.rejections import modules_that_decide, modules_that_reject
from rlcheck.frontends.hypothesis.replay_queue import ReplayQueue
from rlcheck.frontends.hypothesis.tally import Tally
from rlcheck.guide import Guide
from rlcheck.learners.diverse import Diverse

#: Hypothesis gives up at 50 invalid or 20 overlong test cases before 10 valid ones. The search starts sooner.
_INVALID, _OVERLONG, _ENOUGH = 30, 12, 10

#: It starts sooner still if so many inputs were rejected and none was valid.
_HOPELESS = 10

#: While nothing is valid, test cases end at one of several sizes. Each size has half the choices of the next
#: and is tried twice as often, so that whichever is right gets its share of the time.
_SMALLEST, _SIZES = 16, 10

#: Hypothesis also gives up at about 460 invalid test cases, and 100 more for each valid one.
_PATIENCE, _MORE_PATIENCE = 400, 100

#: The budget of a test's searches: test cases, seconds of processor time (the same on a busy machine), and
#: seconds in all for a test that mostly waits.
_SEARCHED, _PROCESSOR_SECONDS, _SECONDS = 6_000, 30.0, 150.0

#: Once a test has had valid inputs, Hypothesis would only end it, so that one search gets fewer test cases.
_MORE = 1_000


class Search:
    """Finds valid inputs of a test in test cases that Hypothesis does not see; the queue keeps them for it.

    Args:
        execution: The run of the test.
        guide: Guides the test cases.
        learner: The learner of the guide.
        queue: Inputs that wait to be replayed.
        tally: Counts the test cases.
        memory: Valid inputs of the last run.
        make_data: Makes the data of a new test case with at most this many choices.
    """

    def __init__(
        self,
        execution: Execution,
        guide: Guide,
        learner: Diverse,
        queue: ReplayQueue,
        tally: Tally,
        memory: Memory,
        make_data: Callable[[int | None], ConjectureData],
    ) -> None:
        #: Whether the running test case is one that Hypothesis does not see.
        self.active = False
        #: Whether the test's targets count.
        self.uses_targets = Phase.target in execution.settings.phases
        self._execution = execution
        self._guide = guide
        self._learner = learner
        self._queue = queue
        self._tally = tally
        self._make_data = make_data
        self._memory = memory
        # Without the health check Hypothesis ends at ten times max_examples, and the search respects that.
        settings = execution.settings
        suppressed = HealthCheck.filter_too_much in settings.suppress_health_check
        self._tries = min(_SEARCHED, 5 * settings.max_examples) if suppressed else _SEARCHED
        self._processor_seconds = 0.0
        # The number of choices of the largest valid input.
        self._largest = 0
        # While nothing is valid: the modules that rejected inputs.
        self._rejecting: set[str] = set()

    def begin(self, seconds: float) -> None:
        """Try the inputs of the last run, then search for `seconds` if the user asked for that."""
        recalled = self._memory.recall()
        self._queue.recall(recalled)
        self._run(sys.maxsize, len(recalled), *self._time_left())
        if seconds:
            self._run(sys.maxsize, sys.maxsize, math.inf, seconds)

    def before_case(self, data: ConjectureData) -> None:
        """Before a test case that Hypothesis sees: stop when exhausted, search where it would give up."""
        __tracebackhide__ = True
        queue, learner, tally = self._queue, self._learner, self._tally
        if queue.waiting:
            return
        wanted = self._shortage()
        if queue.confirmed and (wanted or learner.exhausted):
            queue.use_confirmed()
            return
        tries = min(self._tries - tally.searched, _SEARCHED if self._may_fail else _MORE)
        if wanted and tries > 0 and not learner.exhausted:
            self._run(wanted, tries, *self._time_left())
            data.events[f"rlcheck searched {tally.searched} test cases"] = ""
            if not queue.waiting and not learner.exhausted:
                self._tries = 0
                if self._may_fail:
                    self._execution.fail(tally.complaint(), self._health_check())
        if learner.exhausted and not queue.waiting:
            self._execution.stop()

    def after_case(self, data: ConjectureData, outcome: Outcome) -> None:
        """After any test case: keep a valid input that Hypothesis has not seen, and maintain the memory."""
        drawn = drawn_values(data)
        valid = outcome is not Outcome.INVALID
        self._memory.check(self._queue.replayed, drawn if valid else None)
        if valid:
            self._largest = max(self._largest, _SMALLEST, len(data.nodes))
        if self.active and valid:
            self._queue.add(drawn, failing=outcome is Outcome.FAILED)
        if valid and self._tally.valid * 2 < self._tally.cases:
            self._memory.keep(drawn)

    def rejected(self, error: BaseException) -> None:
        """Note which modules rejected an input, while none was valid."""
        self._rejecting |= modules_that_reject(error)

    def _run(self, wanted: int, tries: int, processor_seconds: float, seconds: float) -> None:
        """Run test cases until enough inputs wait to be replayed, one fails, or the budget is spent.

        While nothing is valid, or the learner climbs, the test and what rejects inputs are watched.
        """
        queue, tally = self._queue, self._tally
        started, cpu_started = time.monotonic(), time.process_time()
        session = self._guide.session
        self.active = True
        try:
            while tries and len(queue.waiting) < wanted and not self._learner.exhausted:
                if tally.valid and not self._learner.climbs:
                    session.rest()
                elif tally.cases >= _HOPELESS:
                    modules = sorted(self._rejecting | modules_that_decide(self._execution.test))
                    session.wait(tally.cases, modules, cold=_HOPELESS)
                data = self._make_data(self._size())
                with session.scout or nullcontext():
                    self._execution.run(data)
                tally.searched += 1
                tries -= 1
                if is_failing(data):
                    queue.waiting.rotate(1)  # Failing inputs are replayed first.
                    break
                spent = time.process_time() - cpu_started
                if spent > processor_seconds or time.monotonic() - started > seconds:
                    break
        finally:
            self.active = False
            session.unwatch()
            tally.search_seconds += time.monotonic() - started
            self._processor_seconds += time.process_time() - cpu_started

    def _size(self) -> int:
        """The most choices of a test case: twice the largest valid one, or while there is none, any size."""
        size = 2 * self._largest
        if not size:
            size = _SMALLEST
            while size < _SMALLEST << _SIZES and self._learner.rng.random() < 0.5:
                size *= 2
        return size

    def _time_left(self) -> tuple[float, float]:
        return _PROCESSOR_SECONDS - self._processor_seconds, _SECONDS - self._tally.search_seconds

    @property
    def _may_fail(self) -> bool:
        """Whether Hypothesis would fail a test that rejects too much; later it only ends it."""
        return self._execution.checked_cases("valid") is not None or not self._execution.cases("valid")

    def _health_check(self) -> HealthCheck:
        """The health check that Hypothesis would fail."""
        too_large = self._execution.cases("overrun") > self._execution.cases("invalid")
        return HealthCheck.data_too_large if too_large else HealthCheck.filter_too_much

    def _shortage(self) -> int:
        """How many valid inputs are missing, when Hypothesis is about to give up."""
        cases, checked = self._execution.cases, self._execution.checked_cases
        valid = checked("valid")
        if valid is not None and (
            (checked("invalid") or 0) >= _INVALID or (checked("overrun") or 0) >= _OVERLONG
        ):
            return _ENOUGH - valid
        rejected = cases("invalid") + cases("overrun")
        if rejected >= _HOPELESS and not cases("valid"):
            return 1
        return _ENOUGH if rejected > _PATIENCE + _MORE_PATIENCE * cases("valid") else 0
