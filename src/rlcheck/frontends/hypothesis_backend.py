"""The Hypothesis backend: draws become choices, spans become frames, the end of a test case an outcome.

What is learned is learned by the guide. This is the one file that imports Hypothesis' internals.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Any

from hypothesis import HealthCheck
from hypothesis.control import current_build_context, currently_in_test_context
from hypothesis.core import StateForActualGivenExecution
from hypothesis.database import choices_from_bytes, choices_to_bytes
from hypothesis.errors import StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.data import ConjectureData, Status
from hypothesis.internal.conjecture.engine import ExitReason
from hypothesis.internal.conjecture.providers import PrimitiveProvider
from hypothesis.internal.healthcheck import fail_health_check

from rlcheck.abstractions.spans import Spans
from rlcheck.episode import Outcome
from rlcheck.frontends._draws import Draws
from rlcheck.frontends._machines import context_of
from rlcheck.frontends._tally import Tally
from rlcheck.guide import Guide
from rlcheck.learners._exploration import any_option, weighted_option

#: How many test cases at first are drawn without guidance, to know what it is worth; at most a fifth.
_UNGUIDED = 20

#: Hypothesis gives up at 50 invalid or 20 overlong test cases before 10 valid ones. A search begins earlier.
_INVALID, _OVERLONG, _ENOUGH = 30, 12, 10

#: It also gives up at about 460 invalid ones, and 100 more for each valid one.
_PATIENCE, _MORE_PATIENCE = 400, 100

#: Test cases that Hypothesis does not see cost nothing of its budgets. This is their own, for each test.
_SEARCHED, _SEARCH_SECONDS = 6_000, 30.0

#: How many valid inputs are kept for the next run, of a test that rejects more than it accepts.
_KEPT = 20


class GuidedProvider(Draws, PrimitiveProvider):
    """`@settings(backend="rlcheck")`: one for each run of a test function."""

    lifetime = "test_function"

    #: How long each test is searched for failures beyond `max_examples`; the pytest plugin sets it.
    seconds = 0.0

    #: The tallies of the tests that ran, where someone wants them.
    tallies: list[Tally] | None = None

    def __init__(self, conjecturedata: ConjectureData | None, /) -> None:
        super().__init__(conjecturedata)
        self.tally = Tally()
        if self.tallies is not None:
            self.tallies.append(self.tally)
        self._spans = Spans()
        self._guide = Guide("diverse", self._spans, 0, max_choices=sys.maxsize)
        self._learner: Any = self._guide.learner
        self._random = Random(0)
        self._engine: _Engine | None = None
        self._data: ConjectureData | None = None
        # Inside a test case; in an episode; in one whose frames matter; in one that Hypothesis does not see.
        self._inside = self._running = self._watching = self._searching = False
        self._made: list[int] = []
        # How many choices there were when each open span began.
        self._began: list[int] = []
        # Inputs to replay, as the values drawn; the one being replayed; what the learner is to choose.
        self._queue: deque[Sequence[Any]] = deque()
        self._script: deque[Any] = deque()
        self._wanted: deque[int] = deque()
        self._leading = self._unguided = False
        self._unguided_cases = _UNGUIDED
        self._samples: dict[Hashable, list[Any]] = {}

    def per_test_case_context_manager(self) -> AbstractContextManager[None]:
        """A test case is an episode."""
        return self._test_case()

    def replay_choices(self, choices: tuple[Any, ...]) -> None:
        """Draw these values in a test case to come, as far as they fit."""
        self._queue.append(choices)

    def observe_test_case(self) -> dict[str, Any]:
        """What observers of Hypothesis are told with a test case."""
        return {"cases": self.tally.cases, "valid": self.tally.valid, "unique_valid": self.tally.unique_valid}

    def span_start(self, label: int, /) -> None:
        """A span is a frame."""
        if not self._inside:
            self._abandon()  # A test case begins before its context manager is entered, or has none.
        elif self._watching:
            self._spans.enter(label)
            self._began.append(len(self._made))
            context = context_of(self._data, label)
            if context is not None:
                self._spans.context(context)

    def span_end(self, discard: bool, /) -> None:  # noqa: FBT001 - so it is called
        """What was made in a discarded span is made again."""
        if self._watching and self._began:
            self._spans.leave()
            since = self._began.pop()
            if discard and since < len(self._made):
                self._guide.discard(since)

    def ask(
        self,
        n: int,
        at: str,
        *,
        weights: Sequence[float] | None = None,
        want: int | None = None,
        quiet: bool = False,
    ) -> int:
        """A choice of the guide."""
        if not self._running:
            self._begin()  # Hypothesis' engine was driven without a test function.
        if self._leading:
            self._lead(n, weights, want)
        if not self._watching:
            return self._guide.choose(range(n), weights=weights)
        self._spans.quiet = quiet
        return self._guide.choose(range(n), at=(at, self._spans.label), weights=weights)

    def enter(self, label: Hashable) -> None:
        """Begin a frame."""
        if self._watching:
            self._spans.enter(label)

    def leave(self) -> None:
        """End a frame."""
        if self._watching:
            self._spans.leave()

    @contextmanager
    def _test_case(self) -> Iterator[None]:
        __tracebackhide__ = True
        data = current_build_context().data if currently_in_test_context() else None
        if data is not None and not self._searching:
            self._prepare(data)
        self._data = data
        self._inside = True
        self._begin()
        try:
            yield
        except BaseException as error:
            self._end(data, error)
            raise
        else:
            self._end(data, None)
        finally:
            self._inside = False

    def _begin(self) -> None:
        """Start an episode: one that is replayed, one without guidance, or one that the learner makes."""
        self._wanted.clear()
        self._began.clear()
        self._script = deque(self._queue.popleft() if self._queue and not self._searching else ())
        self._unguided = not self._script and self.tally.unguided < self._unguided_cases
        self._leading = self._unguided or bool(self._script)
        if self._leading:
            self._learner.imitate(_drain(self._wanted))
        self._made = self._guide.start().choices
        self._watching = not self._learner.blind
        if self._watching:
            self._spans.start(None)
        self._running = True

    def _end(self, data: ConjectureData | None, error: BaseException | None) -> None:
        """Finish the episode, and count it."""
        if not self._running:
            return  # The engine was driven in some other way, and has begun something else.
        self._running = self._watching = False
        outcome = _outcome(data, error)
        goal = outcome if data is None else self._reward(data, error, outcome)
        episode = self._guide.finish(goal)
        self.tally.count(
            valid=outcome is not Outcome.INVALID,
            unique=episode.unique or goal is not outcome,
            unguided=self._unguided,
        )
        if data is not None and self._engine is not None:
            drawn = _drawn(data)
            if outcome is Outcome.INVALID:
                self._engine.forget(drawn)
                return
            if self._searching:
                self._queue.append(drawn)
            if self.tally.valid * 2 < self.tally.cases:
                self._engine.keep(drawn)

    def _reward(self, data: ConjectureData, error: BaseException | None, outcome: Outcome) -> Outcome:
        """Say how near to valid an input was; the outcome to learn from.

        Where a test has targets, a valid input that is behind most others is only near.
        """
        near = 0.0
        if outcome is Outcome.INVALID:
            near = self.tally.rejected(_place(data, error))
        if self.tally.news({name: value for name, value in data.events.items() if not _own(name)}):
            near = max(near, 0.5)
        if data.target_observations:
            standing = self.tally.standing(data.target_observations)
            near = 0.5 * standing if outcome is Outcome.INVALID else 0.5 + 0.4 * standing
            if outcome is Outcome.VALID and standing < 0.9:
                outcome = Outcome.INVALID
        if outcome is Outcome.INVALID and near:
            self._guide.reward(near)
        return outcome

    def _abandon(self) -> None:
        if self._running:
            self._running = self._watching = False
            self._guide.abandon()

    def random(self) -> float:
        """A number between 0 and 1 that is not learned."""
        return self._random.random()

    def permitted(self, value: Any, constraints: Any) -> bool:
        """Whether a value keeps to the constraints."""
        return choice_permitted(value, constraints)

    def replayed(self, kind: type, constraints: dict[str, Any]) -> Any:
        """The next value of the input that is being replayed; None when there is none, or it does not fit."""
        if not self._script:
            return None
        value = self._script.popleft()
        if type(value) is kind and self.permitted(value, constraints):
            return value
        self._script.clear()
        self._leading = False
        return None

    def _lead(self, n: int, weights: Sequence[float] | None, want: int | None) -> None:
        """Tell the learner what to choose."""
        if want is not None:
            self._wanted.append(want)
        elif self._unguided:
            rng = self._random
            self._wanted.append(any_option(rng, n) if weights is None else weighted_option(rng, weights))

    def sample(self, key: Hashable, kind: str, n: int, constraints: dict[str, Any]) -> list[Any]:
        """What the default backend draws."""
        if key not in self._samples:
            draw = getattr(ConjectureData(random=self._random).provider, f"draw_{kind}")
            self._samples[key] = [draw(**constraints) for _ in range(n)]
        return self._samples[key]

    def known(self, key: Hashable, kind: str, constraints: dict[str, Any]) -> list[Any]:
        """What the default backend knows to be tricky, and finds in the code under test."""
        if key not in self._samples:
            default: Any = ConjectureData(random=self._random).provider
            drawn = {default._maybe_draw_constant(kind, constraints, p=1.0) for _ in range(64)}
            self._samples[key] = sorted(drawn - {None})
        return self._samples[key]

    def _prepare(self, data: ConjectureData) -> None:
        """Before a test case that Hypothesis sees: end what is exhausted, search where it would give up."""
        __tracebackhide__ = True
        if self._engine is None:
            self._meet(data)
        engine = self._engine
        if engine is None or self._queue:
            return
        if self._learner.exhausted:
            engine.stop()
        wanted = engine.shortage()
        tries = _SEARCHED - self.tally.searched
        if wanted and tries > 0:
            self._search(wanted, tries, _SEARCH_SECONDS - self.tally.search_seconds)
            data.events[f"rlcheck searched {self.tally.searched} test cases"] = ""
            if not self._queue:
                engine.give_up(self.tally)

    def _meet(self, data: ConjectureData) -> None:
        """At the first test case: take Hypothesis' seed, and what the last run has left."""
        if data._random is not None:
            seed = data._random.getrandbits(64)
            self._random.seed(seed)
            self._learner.rng.seed(seed)
        self._engine = _Engine.of(self)
        if self._engine is not None:
            self._queue.extend(self._engine.recall())
            self._unguided_cases = 0 if self._queue else min(_UNGUIDED, self._engine.max_examples // 5)
            if self.seconds:
                self._search(sys.maxsize, sys.maxsize, self.seconds)

    def _search(self, wanted: int, tries: int, seconds: float) -> None:
        """Run test cases that Hypothesis does not see; valid ones wait to be replayed, failing ones first."""
        assert self._engine is not None
        started = time.perf_counter()
        self._searching = True
        try:
            while tries and len(self._queue) < wanted and not self._learner.exhausted:
                data = ConjectureData(random=self._random, provider=self)
                self._engine.run(data)
                self.tally.searched += 1
                tries -= 1
                if data.status is Status.INTERESTING:
                    self._queue.rotate(1)
                    break
                if time.perf_counter() - started > seconds:
                    break
        finally:
            self._searching = False
            self.tally.search_seconds += time.perf_counter() - started


class _Engine:
    """Who runs the test, as far as a search and a memory need it."""

    def __init__(self, execution: Any) -> None:
        self._execution = execution
        self._runner = execution._runner
        self._settings = execution.settings
        self._database: Any = None if self._runner.database_key is None else self._settings.database
        self._key = (self._runner.database_key or b"") + b".rlcheck"
        self._kept: set[bytes] = set()
        self.max_examples: int = self._settings.max_examples

    @classmethod
    def of(cls, provider: PrimitiveProvider) -> _Engine | None:
        """The engine of a provider: nothing that it is given leads there, but it is on the stack."""
        frame = sys._getframe()
        while frame is not None:
            owner = frame.f_locals.get("self")
            if isinstance(owner, StateForActualGivenExecution):
                return cls(owner) if getattr(owner._runner, "provider", None) is provider else None
            frame = frame.f_back  # type: ignore[assignment]
        return None

    def run(self, data: ConjectureData) -> None:
        """Run the test on a test case that is not counted."""
        try:
            self._execution._execute_once_for_engine(data)
        except StopTest:
            pass
        data.freeze()

    def stop(self) -> None:
        """End the test: there is nothing left to do."""
        self._runner.database_key = None  # What ends a run is saved as a failure.
        self._runner.exit_with(ExitReason.finished)

    def shortage(self) -> int:
        """How many valid inputs are missing, when Hypothesis is about to give up."""
        runner = self._runner
        health = runner.health_check_state
        if health is not None and (
            health.invalid_test_cases >= _INVALID or health.overrun_test_cases >= _OVERLONG
        ):
            return _ENOUGH - int(health.valid_test_cases)
        rejected = runner.invalid_test_cases + runner.overrun_test_cases
        return _ENOUGH if rejected > _PATIENCE + _MORE_PATIENCE * runner.valid_test_cases else 0

    def give_up(self, tally: Tally) -> None:
        """Fail as Hypothesis would have, and say what was tried."""
        __tracebackhide__ = True
        message = (
            f"rlcheck searched {tally.searched:,} test cases in {tally.search_seconds:.1f} s for inputs that"
            f" satisfy the assumptions of this test, and found {tally.valid:,}.\n\n"
            f"Rejected most often by:\n{tally.rejected_most()}\n\n"
            "Say how near an input is with hypothesis.target(), make one strict assume() several, or make the"
            " strategy come closer to what is valid."
        )
        fail_health_check(self._settings, message, HealthCheck.filter_too_much)

    def recall(self) -> list[list[Any]]:
        """The inputs that the last run kept, at most a fifth of this run."""
        if self._database is None:
            return []
        most = min(_KEPT, self.max_examples // 5)
        self._kept.update(self._database.fetch(self._key))
        found = [choices_from_bytes(encoded) for encoded in sorted(self._kept)]
        return [list(choices) for choices in found if choices is not None][:most]

    def keep(self, choices: Sequence[Any]) -> None:
        """Keep an input for the next run."""
        if self._database is not None and len(self._kept) < _KEPT:
            encoded = choices_to_bytes(choices)
            self._kept.add(encoded)
            self._database.save(self._key, encoded)

    def forget(self, choices: Sequence[Any]) -> None:
        """An input that was kept is not valid any more."""
        if self._kept and (encoded := choices_to_bytes(choices)) in self._kept:
            self._kept.remove(encoded)
            self._database.delete(self._key, encoded)


def _drain(wanted: deque[int]) -> Iterator[int]:
    while wanted:
        yield wanted.popleft()


def _drawn(data: ConjectureData) -> tuple[Any, ...]:
    """The values that a provider drew; Hypothesis forces the others by itself."""
    return tuple(node.value for node in data.nodes if not node.was_forced)


def _outcome(data: ConjectureData | None, error: BaseException | None) -> Outcome:
    if error is None:
        return Outcome.VALID
    if isinstance(error, UnsatisfiedAssumption):
        return Outcome.INVALID
    if isinstance(error, StopTest):
        return Outcome.INVALID if data is None or data.status < Status.VALID else Outcome.VALID
    return Outcome.FAILED


def _own(event: str) -> bool:
    """Whether an event is one of Hypothesis or of ours, and not of the test."""
    return event.startswith(("gave up because", "invalid because", "Retried draw from", "rlcheck "))


def _place(data: ConjectureData, error: BaseException | None) -> str:
    """Where an input was rejected."""
    if isinstance(error, UnsatisfiedAssumption):
        return (error.reason or "assume()").removeprefix("failed to satisfy ")
    if data.status is Status.OVERRUN:
        return "a test case that is too large"
    return str(data.events.get("gave up because", "a rejected draw"))
