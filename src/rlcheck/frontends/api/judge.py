"""Judges calls: records the first failure at each place, minimised and written as a program."""

from __future__ import annotations

from rlcheck.failure import place_of
from rlcheck.frontends.api.calls import Call
from rlcheck.frontends.api.minimise import minimise
from rlcheck.frontends.api.snippet import snippet
from rlcheck.frontends.api.summary import ApiFailure, ApiSummary
from rlcheck.frontends.api.trial import Result, Rules, Trial


class Judge:
    """Decides whether a call did the right thing, and adds failures to a summary."""

    def __init__(self, rules: Rules, summary: ApiSummary) -> None:
        self._rules = rules
        self._summary = summary
        self._failures: dict[str, ApiFailure] = {}

    def judge(self, trial: Trial, call: Call, result: Result) -> None:
        """Count a call, and compare its result with what it should be."""
        self._summary.distribution[call] += 1
        try:
            trial.judge(call, result)
        except Exception as error:
            trial.has_failed = True
            self._report(error, trial)

    def _report(self, error: Exception, trial: Trial) -> None:
        """Minimise the first failure at its place, and write it down; count the others."""
        place = place_of(error)
        if place in self._failures:
            self._failures[place].count += 1
            return
        small = minimise(self._rules, trial.calls)
        if small is None:
            error.add_note("rlcheck: the same calls did not fail again: it depends on more than them.")
            small = trial.calls, error
        calls, error = small
        failure = ApiFailure(error, calls, trial.calls, snippet(self._rules, calls))
        self._failures[place] = failure
        self._summary.failures.append(failure)
