"""ApiTest: tests of an interface as sequences of calls, without a loop to write."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from rlcheck import contexts
from rlcheck.budget import Budget
from rlcheck.checks import check_budget, check_function, check_integer, check_seed
from rlcheck.coverage import Coverage, Modules
from rlcheck.errors import ConfigurationError
from rlcheck.failure import describe
from rlcheck.frontends.api.adaptive_process import AdaptiveProcess
from rlcheck.frontends.api.calls import Call, check_calls, operations_of
from rlcheck.frontends.api.gains import Gains
from rlcheck.frontends.api.judge import Judge
from rlcheck.frontends.api.loop import GuidedTests, SearchTests, Tests
from rlcheck.frontends.api.measures import Measures
from rlcheck.frontends.api.portfolio import ApiPortfolio
from rlcheck.frontends.api.shape_search import ShapeSearch
from rlcheck.frontends.api.summary import ApiSummary
from rlcheck.frontends.api.trial import Rules, failure_of
from rlcheck.protocols import Learner


class ApiTest:
    """Tests an interface by sequences of calls that a learner chooses.

    Args:
        subject_factory: Makes a new subject.
        operations: What can be called: a mapping of method names to the options of each argument, or a
            sequence of method names, of functions of the subject, and of tuples of one of them and the
            options of each argument. Options are a sequence, a range, an Enum class, or a function of the
            subject that returns its current options; while there are none, the operation is not called.
        oracle: Makes an object to compare the subject with: the same call must return equal results, or
            raise the same type.
        length: How many calls a test makes.
        invariants: Functions of the subject that must not raise or return False after a call.
        allowed: What a call may raise when there is no oracle.
        learner: A name, a learner, an `ApiPortfolio` or a `ShapeSearch`.
        shape: What tells two subjects apart: a function of them.
        context: What the next call may depend on: a function of the subject; None for the shape.
        counted: Whether the context includes how many branches the running test has taken.
        coverage: The modules of the subject; None for the module of its class, () for none.
        seed: Same seed, same tests. None draws one; it is in the summary.
    """

    def __init__(
        self,
        subject_factory: Callable[[], Any],
        operations: Any,
        oracle: Callable[[], Any] | None = None,
        length: int = 200,
        *,
        invariants: Iterable[Callable[[Any], object]] = (),
        allowed: Iterable[type[Exception]] = (),
        learner: str | Learner[Any] | ApiPortfolio | ShapeSearch = "sarsa-lambda",
        shape: Callable[[Any], Hashable] = contexts.shape,
        context: Callable[[Any], Hashable] | None = None,
        counted: bool = True,
        coverage: Modules | None = None,
        seed: int | None = None,
    ) -> None:
        checked = tuple(invariants)
        _check_functions(subject_factory, oracle, shape, context, checked)
        self.length = check_integer("length", length)
        self.learner = learner
        self.seed = check_seed(seed)
        self._rules = Rules(operations_of(operations), subject_factory, oracle, checked, _exceptions(allowed))
        self._coverage = _coverage_of(subject_factory, coverage)
        measures = Measures(self._coverage, shape, context or shape, counted=counted)
        self.summary = ApiSummary(self.seed, measures)
        self._tests = self._make_tests(measures)

    def run(
        self, episodes: int | None = None, seconds: float | None = None, *, stop_on_failure: bool = True
    ) -> ApiSummary:
        """Run until a budget is spent, 100 episodes when none is given, or a test fails; each is a test.

        Running again continues where the last run ended; the summary covers all runs.
        """
        check_budget(episodes, seconds)
        if episodes is None and seconds is None:
            episodes = 100
        started = time.perf_counter()
        earlier = self.summary.seconds
        if self._coverage is not None:
            self._coverage.on()
        try:
            self.summary.stopped = self._run(episodes, seconds, stop_on_failure=stop_on_failure)
        except KeyboardInterrupt:
            self.summary.stopped = "interrupted"
        finally:
            if self._coverage is not None:
                self._coverage.off()
            self.summary.seconds = earlier + time.perf_counter() - started
        return self.summary

    def check(self, episodes: int | None = None, seconds: float | None = None) -> None:
        """Run, and raise what a test raises, with the snippet as a note."""
        __tracebackhide__ = True
        summary = self.run(episodes, seconds)
        if summary.failures:
            failure = summary.failures[0]
            heading = f"rlcheck: test {summary.episodes:,} of seed {summary.seed} failed"
            failure.error.add_note(describe(failure, heading))
            raise failure.error

    def replay(self, calls: Iterable[Call | Sequence[int]]) -> None:
        """Make recorded calls on a new subject, and raise what they raise."""
        found = failure_of(self._rules, check_calls(calls, self._rules.operations))
        if found is not None:
            raise found[0]

    def written(self, call: Call) -> str:
        """A call of the summary's distribution as Python."""
        return self._rules.operations[call.operation].written("subject", call.places)

    def _make_tests(self, measures: Measures) -> Tests:
        rules, learner = self._rules, self.learner
        judge = Judge(rules, self.summary)
        if isinstance(learner, ShapeSearch):
            return SearchTests(learner, rules, measures, judge, self.length)
        gains = Gains()
        if isinstance(learner, ApiPortfolio):
            learner = learner.make(len(rules.operations), gains)
        most = self.length * (1 + max(len(operation.sources) for operation in rules.operations))
        #: Suggests the calls.
        self.process = AdaptiveProcess(learner, self.seed, max_choices=most)
        return GuidedTests(self.process, rules, measures, gains, judge, self.length)

    def _run(self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool) -> str:
        budget = Budget(episodes, seconds, stop_on_failure=stop_on_failure, learner=self._tests.learner)
        while budget.begin():
            trial = self._tests.run_one()
            if trial is None:
                return "exhausted"
            self.summary.episodes += 1
            if stop_on_failure and trial.has_failed:
                return "failure"
        return budget.stopped


def _check_functions(
    subject_factory: object,
    oracle: object,
    shape: object,
    context: object,
    invariants: Sequence[object],
) -> None:
    check_function("subject_factory", subject_factory)
    check_function("shape", shape)
    for name, function in (("oracle", oracle), ("context", context)):
        if function is not None:
            check_function(name, function)
    for invariant in invariants:
        check_function("invariant", invariant)


def _exceptions(allowed: Iterable[type[Exception]]) -> tuple[type[Exception], ...]:
    kinds = tuple(allowed) if isinstance(allowed, Iterable) else (allowed,)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            raise ConfigurationError(
                f"allowed={allowed!r} must be classes of exceptions: allowed=(KeyError,)."
            )
    return kinds


def _coverage_of(make: Callable[[], Any], given: Modules | None) -> Coverage | None:
    if given is not None:
        return Coverage(given, predicates=True) if given else None
    try:
        return Coverage([type(make()).__module__], predicates=True)
    except ConfigurationError:
        return None  # A subject in C has no branches to see, only shapes.
