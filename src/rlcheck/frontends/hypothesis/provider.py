"""The Hypothesis backend: draws become choices, spans become frames, the end of a test case an outcome.

What is learned is learned by the guide. This is the one file that imports Hypothesis' internals.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Any

from hypothesis.control import current_build_context, currently_in_test_context
from hypothesis.core import StateForActualGivenExecution
from hypothesis.errors import FailedHealthCheck, StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.data import ConjectureData, Status
from hypothesis.internal.conjecture.providers import PrimitiveProvider
from hypothesis.internal.healthcheck import fail_health_check
from hypothesis.strategies._internal.recursive import LimitReached

from rlcheck.abstractions.spans import Spans
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.hypothesis.draws import Draws, Want, Weights
from rlcheck.frontends.hypothesis.execution import Execution
from rlcheck.frontends.hypothesis.machines import context_of
from rlcheck.frontends.hypothesis.rejections import modules_that_reject
from rlcheck.frontends.hypothesis.replay_queue import Lead
from rlcheck.frontends.hypothesis.tally import Tally
from rlcheck.guide import Guide
from rlcheck.learners.diverse import Diverse
from rlcheck.protocols import Observer

#: How often the default backend is asked for what it knows to be tricky.
_CONSTANTS = 256



class GuidedProvider(Draws, PrimitiveProvider):
    """`@settings(backend="rlcheck")`: one for each run of a test function."""

    lifetime = "test_function"

    #: How long each test is searched for failures beyond `max_examples`; the pytest plugin sets it.
    seconds = 0.0

    #: The tallies of the tests that ran, where someone wants them.
    tallies: list[Tally] | None = None

    #: Called with each episode of the tests that begin now.
    observers: Sequence[Observer] = ()

    def __init__(self, conjecturedata: ConjectureData | None, /) -> None:
        super().__init__(conjecturedata)
        self.tally = Tally()
        if self.tallies is not None:
            self.tallies.append(self.tally)
        self._spans = Spans()
        self._learner = Diverse()
        self._guide = Guide(self._learner, self._spans, 0, max_choices=sys.maxsize, observers=self.observers)
        self._random = Random(0)
        self._execution: Execution | None = None
        self._data: ConjectureData | None = None
        # Inside a test case; in an episode; in one whose frames matter; in one that Hypothesis does not see.
        self._inside = self._running = self._watching = self._searching = False
        self._episode = Episode()
        self._made: list[int] = []
        # How many choices and how many nodes there were when each open span began; nodes thrown away.
        self._began: list[tuple[int, int]] = []
        self._thrown: list[tuple[int, int]] = []
        self._lead = Lead(self._random)
        self._samples: dict[Hashable, list[Any]] = {}
        # As long as nothing is valid: the modules that rejected inputs.
        self._rejecting: set[str] = set()

    def per_test_case_context_manager(self) -> AbstractContextManager[None]:
        """A test case is an episode."""
        return self._test_case()

    def replay_choices(self, choices: tuple[Any, ...]) -> None:
        """Draw these values in a test case to come, as far as they fit."""
        self._lead.queue.append(choices)

    def observe_test_case(self) -> dict[str, Any]:
        """What observers of Hypothesis are told with a test case."""
        return {"cases": self.tally.cases, "valid": self.tally.valid, "unique_valid": self.tally.unique_valid}

    def span_start(self, label: int, /) -> None:
        """A span is a frame."""
        if not self._inside:
            self._abandon()  # A test case begins before its context manager is entered, or has none.
        elif self._watching:
            self._spans.enter(label)
            self._began.append((len(self._made), self._nodes()))
            try:
                context = context_of(self._data, label)
            except ConfigurationError as error:
                raise _Misuse(error) from None
            if context is not None:
                self._spans.context(context)

    def span_end(self, discard: bool, /) -> None:  # noqa: FBT001 - so it is called
        """What was made in a discarded span is made again."""
        if self._watching and self._began:
            self._spans.leave()
            since, first = self._began.pop()
            # `st.recursive` begins again when it has made too much, and does not call that a discard.
            discard = discard or isinstance(sys.exc_info()[1], LimitReached)
            if discard and since < len(self._made):
                self._guide.discard(since)
                while self._thrown and self._thrown[-1][0] >= first:
                    self._thrown.pop()  # It was inside this one.
                self._thrown.append((first, self._nodes()))

    def _nodes(self) -> int:
        return 0 if self._data is None else len(self._data.nodes)

    def ask(self, n: int, at: str, *, weights: Weights = None, want: Want = None, quiet: bool = False) -> int:
        """A choice of the guide."""
        if not self._running:
            self._begin()  # Hypothesis' engine was driven without a test function.
        self._lead.want(n, weights, want)
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
        self._began.clear()
        self._thrown.clear()
        choices = self._lead.begin(searching=self._searching, unguided=self.tally.unguided)
        if choices is not None:
            self._guide.imitate(choices)
        self._episode = self._guide.start()
        self._made = self._episode.choices
        self._watching = choices is not None or not self._learner.blind
        if self._watching:
            self._spans.finish()  # A guide does not do it when an episode made no choice.
        self._running = True

    def _end(self, data: ConjectureData | None, error: BaseException | None) -> None:
        """Finish the episode, and count it."""
        if not self._running:
            return  # The engine was driven in some other way, and has begun something else.
        self._running = self._watching = False
        outcome = _outcome(data, error)
        if error is not None and not self.tally.valid:
            self._rejecting |= modules_that_reject(error)
        goal = outcome if data is None else self._reward(data, error, outcome)
        if data is not None and outcome is not Outcome.INVALID:
            self._guide.made(_drawn(data, self._thrown))
        episode = self._guide.finish(goal)
        self.tally.count(
            valid=outcome is not Outcome.INVALID,
            unique=episode.unique or goal is not outcome,
            unguided=self._lead.unguided,
        )
        if data is not None and self._execution is not None:
            drawn = _drawn(data)
            valid = outcome is not Outcome.INVALID
            self._execution.memory.check(self._lead.replayed, drawn if valid else None)
            if self._searching and valid:
                self._lead.found(drawn, failing=outcome is Outcome.FAILED)
            if valid and self.tally.valid * 2 < self.tally.cases:
                self._execution.memory.keep(drawn)

    def _reward(self, data: ConjectureData, error: BaseException | None, outcome: Outcome) -> Outcome:
        """Say how near to valid an input was; the outcome to learn from.

        Where a test has targets, a valid input that is behind most others is only near.
        """
        near = 0.0
        graded = False  # While nobody graded the input, new branches may count too.
        if outcome is Outcome.INVALID:
            near = self.tally.rejected(_place(data, error))
        if self.tally.news({name: value for name, value in data.events.items() if not _own(name)}):
            near = max(near, 0.5)
        if data.target_observations and (self._execution is None or self._execution.targets):
            graded = True
            standing = self.tally.standing(data.target_observations)
            near = 0.5 * standing if outcome is Outcome.INVALID else 0.5 + 0.4 * standing
            if outcome is Outcome.VALID and standing < 0.9:
                outcome = Outcome.INVALID
        if outcome is Outcome.INVALID and near:
            if graded:
                self._guide.near(near)
            else:
                self._episode.progress += near
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
        return self._lead.next(lambda value: type(value) is kind and self.permitted(value, constraints))

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
            drawn = [default._maybe_draw_constant(kind, constraints, p=1.0) for _ in range(_CONSTANTS)]
            distinct = {repr(value): value for value in drawn if value is not None}
            self._samples[key] = [distinct[text] for text in sorted(distinct)]
        return self._samples[key]

    def _prepare(self, data: ConjectureData) -> None:
        """Before a test case that Hypothesis sees: end what is exhausted, search where it would give up."""
        __tracebackhide__ = True
        if self._execution is None:
            self._meet(data)
        execution = self._execution
        lead, learner = self._lead, self._learner
        if execution is None or lead.queue:
            return
        wanted = execution.shortage()
        if lead.rehearsed and (wanted or learner.exhausted):
            lead.perform()
            return
        tries = execution.tries_left(self.tally)
        if wanted and tries > 0 and not learner.exhausted:
            self._search(wanted, tries, execution.seconds - self.tally.search_seconds)
            data.events[f"rlcheck searched {self.tally.searched} test cases"] = ""
            if not lead.queue and not learner.exhausted:
                execution.tries = 0
                if execution.may_fail:
                    fail_health_check(execution.settings, self.tally.complaint(), execution.check())
        if learner.exhausted and not lead.queue:
            execution.stop()

    def _meet(self, data: ConjectureData) -> None:
        """At the first test case: take Hypothesis' seed, and what the last run has left."""
        if data._random is not None:
            seed = data._random.getrandbits(64)
            self._random.seed(seed)
            self._learner.rng.seed(seed)
        self._execution = _execution_of(self)
        if self._execution is not None:
            recalled = self._execution.memory.recall()
            self._lead.meet(recalled, self._execution.max_examples)
            self._search(sys.maxsize, len(recalled), self._execution.seconds)
            if self.seconds:
                self._search(sys.maxsize, sys.maxsize, self.seconds)

    def _search(self, wanted: int, tries: int, seconds: float) -> None:
        """Run test cases that Hypothesis does not see; valid ones wait to be replayed, failing ones first."""
        assert self._execution is not None
        started = time.monotonic_ns()
        session = self._guide.session
        warm = False
        self._searching = True
        try:
            while tries and len(self._lead.queue) < wanted and not self._learner.exhausted:
                if self.tally.valid:
                    if session.unasked:
                        session.cool_down()
                elif not warm and self._execution.is_cold(self.tally):
                    warm = True
                    self._execution.warm_up(self._guide, self._rejecting)
                data = ConjectureData(random=self._random, provider=self)
                self._execution.run(data)
                self.tally.searched += 1
                tries -= 1
                if data.status is Status.INTERESTING:
                    self._lead.queue.rotate(1)
                    break
                if time.monotonic_ns() - started > seconds * 1e9:
                    break
        finally:
            self._searching = False
            if session.unasked:
                session.cool_down()
            self.tally.search_seconds += (time.monotonic_ns() - started) / 1e9


class _Misuse(ConfigurationError, FailedHealthCheck):
    """What a failed health check is to Hypothesis: it ends the run, and no input is to blame."""


def _execution_of(provider: PrimitiveProvider) -> Execution | None:
    """The execution that a provider is for: nothing that it is given leads there, but it is on the stack."""
    frame = sys._getframe()
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, StateForActualGivenExecution):
            return Execution(owner) if getattr(owner._runner, "provider", None) is provider else None
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _drawn(data: ConjectureData, but: Sequence[tuple[int, int]] = ()) -> tuple[Any, ...]:
    """The values that a provider drew, but for some ranges; Hypothesis forces the others by itself."""
    nodes = list(data.nodes)
    for first, last in reversed(but):
        del nodes[first:last]
    return tuple(node.value for node in nodes if not node.was_forced)


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
        return "a test case that is too large: it exceeds the maximum allowed entropy"
    return str(data.events.get("gave up because", "a rejected draw"))
