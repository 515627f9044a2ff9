"""The tests of an ApiTest, one at a time: a learner chooses their calls, or a search does."""

from __future__ import annotations

from typing import Any, Protocol

from rlcheck.abilities import LearnerBase
from rlcheck.episode import Outcome
from rlcheck.frontends.api.adaptive_process import AdaptiveProcess
from rlcheck.frontends.api.calls import Call
from rlcheck.frontends.api.gains import Gains
from rlcheck.frontends.api.judge import Judge
from rlcheck.frontends.api.measures import Measures
from rlcheck.frontends.api.shape_search import ShapeSearch
from rlcheck.frontends.api.trial import Rules, Trial
from rlcheck.reasons import Rejection, text_of, without_values


class Tests(Protocol):
    """Runs tests."""

    @property
    def learner(self) -> LearnerBase:
        """The learner that chooses the calls."""
        ...

    def run_one(self) -> Trial | None:
        """Run the next test; None when there is none left."""
        ...


class GuidedTests:
    """Tests whose calls a learner chooses.

    Args:
        process: Suggests the calls.
        rules: How subjects are made and judged.
        measures: Measures each call.
        gains: Receives what each test found.
        judge: Judges each call.
        length: How many calls a test has.
    """

    def __init__(
        self,
        process: AdaptiveProcess,
        rules: Rules,
        measures: Measures,
        gains: Gains,
        judge: Judge,
        length: int,
    ) -> None:
        self.learner = process.guide.abilities
        self._process = process
        self._rules = rules
        self._measures = measures
        self._gains = gains
        self._judge = judge
        self._length = length
        # What the calls of the running test raised, without values.
        self._errors: list[str] = []
        self._numbers = list(range(len(rules.operations)))
        self._is_fixed = all(operation.fixed is not None for operation in rules.operations)

    def run_one(self) -> Trial:
        """Run a test, and teach the learner."""
        process, trial = self._process, self._rules.begin()
        self._errors.clear()
        known = self._measures.sizes()
        self._measures.begin(trial.subject)
        try:
            for _ in range(self._length):
                call = self._next_call(trial.subject)
                if call is None:
                    break
                self._make(trial, call)
                if trial.has_failed:
                    break
            gained = [now - then for now, then in zip(self._measures.sizes(), known, strict=True)]
            self._gains.add(gained, self._work())
            # A test that finds nothing new is what learners of valid inputs should not make again.
            found = Outcome.VALID if any(gained) else Outcome.INVALID
            if self._errors and process.episode is not None:
                process.episode.reject(Rejection(self._errors))
            process.end_episode(Outcome.FAILED if trial.has_failed else found)
        except BaseException:
            process.abandon()
            raise
        return trial

    def _next_call(self, subject: Any) -> Call | None:
        """The call that the learner chooses; None when no call is possible."""
        operations, now, suggest = self._rules.operations, self._measures.now, self._process.suggest
        possible = self._numbers
        if not self._is_fixed:
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
        """Make a call, reward the learner for what is new, and judge the result."""
        self._measures.before()
        result = trial.call(call)
        if result[1] is not None:
            self._errors.append(without_values(text_of(result[1])))
        new = self._measures.after(trial.subject)
        if new:
            self._process.reward(new)
        self._judge.judge(trial, call, result)

    def _work(self) -> float:
        """The cost of the running test, including the learner's choices."""
        price = self.learner.price
        return self._measures.work + price * len(self._process.guide.choices)


class SearchTests:
    """Tests that a systematic search makes."""

    def __init__(
        self, search: ShapeSearch, rules: Rules, measures: Measures, judge: Judge, length: int
    ) -> None:
        #: It chooses nothing.
        self.learner = LearnerBase()
        self._found = search.tests(rules, measures, length)
        self._judge = judge

    def run_one(self) -> Trial | None:
        """Run the next test of the search; None when it has ended."""
        found = next(self._found, None)
        if found is None:
            return None
        trial, call, result = found
        self._judge.judge(trial, call, result)
        return trial
