"""ApiTest: tests of an interface as sequences of calls, without a loop to write."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from rlcheck import contexts
from rlcheck.checks import check_budget, check_function, check_integer, check_seed
from rlcheck.coverage import Coverage, Modules
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.failure import place_of
from rlcheck.frontends.api.adaptive_process import AdaptiveProcess
from rlcheck.frontends.api.calls import Call, check_calls, operations_of
from rlcheck.frontends.api.gains import Gains
from rlcheck.frontends.api.measures import Measures
from rlcheck.frontends.api.minimise import minimise
from rlcheck.frontends.api.shape_search import ShapeSearch
from rlcheck.frontends.api.snippet import snippet
from rlcheck.frontends.api.trial import Came, Rules, Trial, failure_of
from rlcheck.protocols import Learner


class ApiFailure:
    """A test that fails, made small: the first one at its place."""

    __slots__ = ("calls", "error", "found", "snippet", "where")

    def __init__(self, error: Exception, calls: Sequence[Call], found: Sequence[Call], text: str) -> None:
        self.error = error
        #: The calls of the small test, each a list: the operation's number, and the places of its arguments.
        self.calls = [[call.operation, *call.places] for call in calls]
        #: The calls as they were found.
        self.found = [[call.operation, *call.places] for call in found]
        #: A Python program that makes the calls, and fails.
        self.snippet = text
        #: Where it was raised.
        self.where = place_of(error)

    def __repr__(self) -> str:
        return f"<ApiFailure {self.where}: {len(self.calls)} calls>"


class ApiSummary:
    """What an ApiTest has done so far."""

    __slots__ = ("distribution", "episodes", "failures", "measures", "seconds", "seed", "stopped")

    def __init__(self, seed: int, measures: Measures) -> None:
        self.seed = seed
        self.episodes = 0
        self.seconds = 0.0
        #: Why the last run ended: "episodes", "seconds", "failure", "exhausted" or "interrupted".
        self.stopped = ""
        self.failures: list[ApiFailure] = []
        self.measures = measures
        #: How often each call was made; `ApiTest.written` writes one.
        self.distribution: Counter[Call] = Counter()

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self.distribution.total()

    @property
    def branches(self) -> int:
        """How many branches of the subject were taken."""
        return self.measures.branches

    @property
    def paths(self) -> int:
        """How many different sequences of branches a call has taken."""
        return len(self.measures.paths)

    @property
    def shapes(self) -> int:
        """How many different shapes the subject has had."""
        return len(self.measures.shapes)

    @property
    def combinations(self) -> int:
        """How many combinations of predicates were met: predicate-complete test coverage, PCT."""
        return self.measures.combinations

    def __repr__(self) -> str:
        return f"<ApiSummary {self}>"

    def __str__(self) -> str:
        text = (
            f"{self.episodes:,} tests, {self.calls:,} calls in {self.seconds:.1f} s: {self.branches:,}"
            f" branches, {self.paths:,} paths, {self.shapes:,} shapes, {self.combinations:,} combinations of"
            f" predicates; seed {self.seed}"
        )
        for failure in self.failures:
            text += f"\n{type(failure.error).__name__}: {failure.error}\n{failure.snippet}"
        return text


class ApiTest:
    """Tests an interface by sequences of calls that a learner chooses.

    Args:
        subject_factory: Makes a new subject.
        operations: What can be called: a mapping of method names to the options of each argument, or a
            sequence of method names, of functions of the subject, and of tuples of one of them and the
            options of each argument. Options are a sequence, a range, an Enum class, or a function of the
            subject that gives those it has now; without any, the operation is not called.
        oracle: Makes what the subject is compared with: the same call must give equal results, or raise the
            same type.
        length: How many calls a test makes.
        invariants: Functions of the subject that must not raise nor return False after a call.
        allowed: What a call may raise when there is no oracle.
        learner: A name, an object, or a `ShapeSearch`.
        shape: What tells two subjects apart: a function of them.
        context: What the next call may depend on: a function of the subject; None for the shape.
        counted: Whether the context also holds how many branches the running test has taken.
        coverage: The modules of the subject; None for the one of its class, () for none.
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
        learner: str | Learner[Any] | ShapeSearch = "sarsa-lambda",
        shape: Callable[[Any], Hashable] = contexts.shape,
        context: Callable[[Any], Hashable] | None = None,
        counted: bool = True,
        coverage: Modules | None = None,
        seed: int | None = None,
    ) -> None:
        rest = tuple(invariants)
        for name, function in (
            ("subject_factory", subject_factory),
            ("oracle", oracle),
            ("shape", shape),
            ("context", context),
            *(("invariant", invariant) for invariant in rest),
        ):
            if function is not None or name in ("subject_factory", "shape"):
                check_function(name, function)
        check_integer("length", length)
        self.length = length
        self.learner = learner
        self._rules = Rules(operations_of(operations), subject_factory, oracle, rest, _exceptions(allowed))
        self.seed = check_seed(seed)
        most = length * (1 + max(len(operation.sources) for operation in self._rules.operations))
        if not isinstance(learner, ShapeSearch):
            made = _portfolio(len(self._rules.operations)) if learner == "portfolio" else learner
            self.process = AdaptiveProcess(made, self.seed, max_choices=most)
        self._coverage = _coverage_of(subject_factory, coverage)
        self._measures = Measures(self._coverage, shape, context or shape, counted=counted)
        self.summary = ApiSummary(self.seed, self._measures)
        self._gains = Gains()
        self._kinds: set[str] = set()
        self._numbers = list(range(len(self._rules.operations)))
        self._steady = all(operation.steady is not None for operation in self._rules.operations)
        self._run_one: Callable[[], Trial | None] = self._test
        if isinstance(learner, ShapeSearch):
            self._run_one = partial(self._search, learner.tests(self._rules, self._measures, length))

    def run(
        self, episodes: int | None = None, seconds: float | None = None, *, stop_on_failure: bool = True
    ) -> ApiSummary:
        """Run until a budget is spent, 100 episodes when none is given, or a test fails; each is a test.

        Running again goes on where the last run ended; the summary is of all runs.
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
            failure.error.add_note(
                f"rlcheck: test {summary.episodes:,} of seed {summary.seed} failed; run this:"
            )
            failure.error.add_note(failure.snippet)
            raise failure.error

    def replay(self, calls: Iterable[Call | Sequence[int]]) -> None:
        """Make recorded calls on a new subject, and raise what they raise."""
        found = failure_of(self._rules, check_calls(calls, self._rules.operations))
        if found is not None:
            raise found[0]

    def written(self, call: Call) -> str:
        """A call of the summary's distribution in Python."""
        return self._rules.operations[call.operation].written("subject", call.places)

    def _run(self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool) -> str:
        budget = math.inf if episodes is None else episodes
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        done = 0
        while done < budget:
            if deadline is not math.inf and time.perf_counter() >= deadline:
                return "seconds"
            trial = self._run_one()
            if trial is None:
                return "exhausted"
            done += 1
            self.summary.episodes += 1
            if stop_on_failure and trial.has_failed:
                return "failure"
        return "episodes"

    def _test(self) -> Trial:
        """Run a test that the learner chooses."""
        process, trial = self.process, self._rules.begin()
        known = self._measures.sizes()
        self._measures.begin(trial.subject)
        try:
            for _ in range(self.length):
                call = self._next_call(trial.subject)
                if call is None:
                    break
                self._make(trial, call)
                if trial.has_failed:
                    break
            gained = tuple(now - then for now, then in zip(self._measures.sizes(), known, strict=True))
            process.made(self._gains.of(gained, self._work()))
            # A test that shows nothing new is what learners of valid inputs should not make.
            process.end_episode(
                Outcome.FAILED if trial.has_failed else Outcome.VALID if any(gained) else Outcome.INVALID
            )
        except BaseException:
            process.abandon()
            raise
        return trial

    def _work(self) -> float:
        """What the running test has cost, with the choices that were made for it."""
        price = self.process.guide.abilities.price
        return self._measures.work + price * len(self.process.guide.choices)

    def _next_call(self, subject: Any) -> Call | None:
        """What the learner calls next; None when nothing is possible."""
        operations, now, suggest = self._rules.operations, self._measures.now, self.process.suggest
        possible = self._numbers
        if not self._steady:
            possible = [number for number in possible if operations[number].is_possible(subject)]
            if not possible:
                return None
        number = suggest(now, possible, "operation")
        operation = operations[number]
        places = [
            suggest(now, range(len(options)), point)
            for options, point in zip(operation.options(subject), operation.points, strict=True)
        ]
        return Call(number, tuple(places))

    def _make(self, trial: Trial, call: Call) -> None:
        """Make a call, reward what is new by it, and judge it."""
        self.summary.distribution[call] += 1
        self._measures.before()
        came = trial.call(call)
        new = self._measures.after(trial.subject)
        if new:
            self.process.reward(new)
        self._judge(trial, call, came)

    def _search(self, search: Iterator[tuple[Trial, Call, Came]]) -> Trial | None:
        """Run the next test of a search, if there is one."""
        found = next(search, None)
        if found is None:
            return None
        trial, call, came = found
        self.summary.distribution[call] += 1
        self._judge(trial, call, came)
        return trial

    def _judge(self, trial: Trial, call: Call, came: Came) -> None:
        try:
            trial.judge(call, came)
        except Exception as error:
            trial.has_failed = True
            self._report(error, trial)

    def _report(self, error: Exception, trial: Trial) -> None:
        """Make the first failure at its place small, and write it down."""
        where = place_of(error)
        if where in self._kinds:
            return
        self._kinds.add(where)
        small = minimise(self._rules, trial.calls)
        if small is None:
            error.add_note("rlcheck: it did not fail again on the same calls: it depends on more than them.")
            small = trial.calls, error
        calls, error = small
        text = snippet(self._rules, calls)
        self.summary.failures.append(ApiFailure(error, calls, trial.calls, text))


def _exceptions(allowed: Iterable[type[Exception]]) -> tuple[type[Exception], ...]:
    kinds = tuple(allowed) if isinstance(allowed, Iterable) else (allowed,)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            raise ConfigurationError(
                f"allowed={allowed!r} must be classes of exceptions: allowed=(KeyError,)."
            )
    return kinds


def _portfolio(operations: int) -> Learner[Any]:
    """One that knows what tests of an interface are after."""
    from rlcheck.learners import Portfolio, RecentSarsa, Swarm, Turns  # Slow to load, and needed only here.

    # Two choices are a call with its argument. A context that members share would be that of one of them.
    members: list[str | Learner[Any]] = ["uniform", RecentSarsa(2)]
    if operations > 1:  # To prefer the only one is random testing.
        members.append(Swarm(at=["operation"], inherit=0.9))
    # Who learns needs more than one test to show it.
    return Portfolio(members, turns=Turns(4, discount=0.97, explore=0.0), gains=lambda episode: episode.value)


def _coverage_of(make: Callable[[], Any], given: Modules | None) -> Coverage | None:
    if given is not None:
        return Coverage(given, predicates=True) if given else None
    try:
        return Coverage([type(make()).__module__], predicates=True)
    except ConfigurationError:
        return None  # A subject in C: shapes are all there is to see.
