"""What an ApiTest reports: counts, measures and failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rlcheck.failure import Failure, describe, message_of, place_of
from rlcheck.frontends.api.calls import Call
from rlcheck.frontends.api.measures import Measures


class ApiFailure(Failure):
    """A failing test, minimised: the first one at its place. Its snippet is a program that makes the calls.

    Args:
        error: What the minimised test raises.
        calls: The calls of the minimised test.
        found: The calls as they were found.
        snippet: The program.
    """

    def __init__(self, error: Exception, calls: Sequence[Call], found: Sequence[Call], snippet: str) -> None:
        #: Each call is a list: the operation's number, then the places of its arguments.
        self.calls = [[call.operation, *call.places] for call in calls]
        self.found = [[call.operation, *call.places] for call in found]
        super().__init__(place_of(error), message_of(error), self.calls, snippet=snippet)
        self.error: Exception = error


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
        #: How often each call was made; `ApiTest.written` writes a call as Python.
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
        """How many different sequences of branches the calls took."""
        return len(self.measures.paths)

    @property
    def shapes(self) -> int:
        """How many different shapes the subject had."""
        return len(self.measures.shapes)

    @property
    def combinations(self) -> int:
        """How many combinations of predicates occurred: predicate-complete test coverage, PCT."""
        return self.measures.combinations

    def __repr__(self) -> str:
        return f"<ApiSummary {self}>"

    def __str__(self) -> str:
        text = (
            f"{self.episodes:,} tests, {self.calls:,} calls in {self.seconds:.1f} s: {self.branches:,}"
            f" branches, {self.paths:,} paths, {self.shapes:,} shapes, {self.combinations:,} combinations of"
            f" predicates; seed {self.seed}"
        )
        return "\n".join([text, *map(describe, self.failures)])
