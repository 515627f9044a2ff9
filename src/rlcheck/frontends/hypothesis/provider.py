"""The Hypothesis backend: draws become choices, spans become frames, the end of a test case an outcome.

The guide does the learning. Where Hypothesis would give up on a test, `search` runs more test cases.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Any

from rlcheck.abstractions.spans import Spans
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.execution import named_targets
from rlcheck.frontends.hypothesis import compat, configuration
from rlcheck.frontends.hypothesis.compat import ConjectureData, Execution
from rlcheck.frontends.hypothesis.draws import Draws, Want, Weights
from rlcheck.frontends.hypothesis.machines import context_of
from rlcheck.frontends.hypothesis.memory import Memory, memory_of
from rlcheck.frontends.hypothesis.need import asks_for_guidance, needs_guidance
from rlcheck.frontends.hypothesis.replay_queue import ReplayQueue
from rlcheck.frontends.hypothesis.search import Search
from rlcheck.frontends.hypothesis.search_data import SearchData, Strategies
from rlcheck.frontends.hypothesis.tally import Tally
from rlcheck.frontends.hypothesis.unguided import Unguided
from rlcheck.guide import Guide
from rlcheck.learners.diverse import Diverse
from rlcheck.reasons import Rejection

#: How often the default backend is asked for values that it considers tricky.
_CONSTANTS = 256


#: Where a test case is to end soon, the first of so few options is taken: it is the simplest one, with which
#: lists end. What has not ended after this many times as many choices is given up.
_FEW = 16
_FIRST = {n: (1.0, *(0.0,) * (n - 1)) for n in range(2, _FEW + 1)}
_LONGER = 8


class Phase(enum.Enum):
    """Where a provider is in the life of a test case."""

    #: No episode is running.
    IDLE = enum.auto()
    #: An episode is running outside a test case: Hypothesis' engine is driven without a test function.
    BARE = enum.auto()
    #: A test case is running, and the learner ignores its spans.
    BLIND = enum.auto()
    #: A test case is running, and its spans are part of the state.
    GUIDED = enum.auto()


class GuidedProvider(Draws, compat.PrimitiveProvider):
    """`@settings(backend="rlcheck")`: Hypothesis makes one for each run of a test function."""

    lifetime = "test_function"

    def __init__(self, conjecturedata: ConjectureData | None, /) -> None:
        super().__init__(conjecturedata)
        self._configuration = configuration.current()
        self.tally = Tally()
        if self._configuration.tallies is not None:
            self._configuration.tallies.append(self.tally)
        self._spans = Spans()
        self._learner = Diverse()
        self._observers = self._configuration.observers
        self._guide = Guide(self._learner, self._spans, 0, max_choices=sys.maxsize)
        self._random = Random(0)
        self._queue = ReplayQueue()
        self._search: Search | None = None
        self._execution: Execution | None = None
        #: From this many choices on, the search has the running test case end soon.
        self._most: int | None = None
        self._is_first = True
        self._phase = Phase.IDLE
        self._data: ConjectureData | None = None
        self._episode = Episode()
        # The number of choices and nodes when each open span began, and ranges of discarded nodes.
        self._open: list[tuple[int, int]] = []
        self._discarded: list[tuple[int, int]] = []
        self._samples: dict[Hashable, list[Any]] = {}
        #: What a search draws from.
        self.strategies = Strategies()
        self._unguided = Unguided(self._observers)
        if not self._configuration.seconds and not self._configuration.at_once:
            compat.begin_without(self, self._is_needed)
            if self._observers:
                self._configuration.at_end.append(self._tell_unguided)

    def per_test_case_context_manager(self) -> AbstractContextManager[None]:
        """Run a test case as an episode."""
        return self._test_case()

    def replay_choices(self, choices: tuple[Any, ...]) -> None:
        """Draw these values in a later test case, as far as they fit."""
        self._queue.waiting.append(choices)

    def observe_test_case(self) -> dict[str, Any]:
        """The counts that Hypothesis' observers receive with a test case."""
        return {"cases": self.tally.cases, "valid": self.tally.valid, "unique_valid": self.tally.unique_valid}

    def span_start(self, label: int, /) -> None:
        """Begin a frame."""
        if self._phase is Phase.BARE:
            self._abandon()  # Another test case begins, without the context manager of this one.
            return
        self._open.append((len(self._episode.choices), self._nodes()))
        if self._phase is Phase.GUIDED:
            self._spans.enter(label)
            if label == compat.machine_label() and self._data is not None:
                self._spans.context(self._context(self._data.hypothesis_runner))

    def span_end(self, discard: bool, /) -> None:  # noqa: FBT001 - Hypothesis passes it by position
        """End a frame; what was drawn in a discarded span is drawn again."""
        if self._phase not in (Phase.GUIDED, Phase.BLIND) or not self._open:
            return
        if self._phase is Phase.GUIDED:
            self._spans.leave()
        since, first = self._open.pop()
        if (discard or compat.is_restarting()) and since < len(self._episode.choices):
            self._guide.discard(since)
            while self._discarded and self._discarded[-1][0] >= first:
                self._discarded.pop()  # It is inside this one.
            self._discarded.append((first, self._nodes()))

    def ask(self, n: int, at: str, *, weights: Weights = None, want: Want = None, quiet: bool = False) -> int:
        """Ask the guide for one of n options."""
        if self._phase is Phase.IDLE:
            self._begin(in_test_case=False)
        if self._most is not None and 1 < n <= _FEW and len(self._episode.choices) >= self._most:
            weights = _FIRST[n]
        if self._phase is Phase.BLIND:
            return self._guide.choose(range(n), weights=weights)
        self._spans.quiet = quiet
        take = None if want is None else int(want)  # It may be a bool.
        return self._guide.choose(range(n), at=(at, self._spans.label), weights=weights, take=take)

    def sample_from(self, label: int, elements: Sequence[Any]) -> None:
        """Take note of what a span samples: the guide is asked for the number of an element alone."""
        if elements:
            self._guide.points.named(("integer", label)).meet(elements)

    def enter(self, label: Hashable) -> None:
        """Begin a frame within a draw."""
        if self._phase is not Phase.BLIND:
            self._spans.enter(label)

    def leave(self) -> None:
        """End a frame within a draw."""
        if self._phase is not Phase.BLIND:
            self._spans.leave()

    def random(self) -> float:
        """A number between 0 and 1 that is not learned."""
        return self._random.random()

    def permitted(self, value: Any, constraints: Any) -> bool:
        """Whether a value satisfies the constraints."""
        return compat.choice_permitted(value, constraints)

    def replayed(self, kind: type, constraints: dict[str, Any]) -> Any:
        """The next value of the input that is being replayed; None when there is none, or it does not fit."""
        return self._queue.next_value(
            lambda value: type(value) is kind and self.permitted(value, constraints)
        )

    def sample(self, key: Hashable, kind: str, n: int, constraints: dict[str, Any]) -> list[Any]:
        """Values that the default backend draws."""
        if key not in self._samples:
            self._samples[key] = compat.default_draws(self._random, kind, n, constraints)
        return self._samples[key]

    def known(self, key: Hashable, kind: str, constraints: dict[str, Any]) -> list[Any]:
        """Values that the default backend considers tricky, or found in the code under test."""
        if key not in self._samples:
            self._samples[key] = compat.constants(self._random, kind, _CONSTANTS, constraints)
        return self._samples[key]

    @contextmanager
    def _test_case(self) -> Iterator[None]:
        __tracebackhide__ = True
        data = compat.current_data()
        if data is not None and compat.is_continued(data):
            yield  # Hypothesis decides this test case: it was about to make it when the guide took over.
            return
        if data is not None and (self._search is None or not self._search.active):
            self._prepare(data)
        self._data = data
        self._begin(in_test_case=True)
        try:
            yield
        except BaseException as error:
            self._end(data, error)
            raise
        else:
            self._end(data, None)

    def _is_needed(self) -> bool:
        """Whether to take over from the default backend: asked before each test case until it is so."""
        if self._execution is None:
            self._execution = compat.execution_of(self)
            if self._execution is None:
                return True
            return asks_for_guidance(self._execution, self._memory_of(self._execution))
        self._tell_unguided()
        return needs_guidance(self._execution)

    def _tell_unguided(self) -> None:
        """Tell the observers about test cases that the default backend made before the first guided one."""
        if self._execution is not None and self._is_first:
            self._unguided.tell(self._execution)

    def _prepare(self, data: ConjectureData) -> None:
        """Before a test case that Hypothesis sees: set up the first time, and search if necessary."""
        __tracebackhide__ = True
        if self._is_first:
            self._is_first = False
            self._set_up(data)
        if self._search is not None:
            self._search.before_case(data)

    def _set_up(self, data: ConjectureData) -> None:
        """Take the seed, count the test cases so far, and use the time that the user gives to a search."""
        seed = compat.take_seed(data)
        if seed is not None:
            self._random.seed(seed)
            self._learner.rng.seed(seed)
        execution = self._execution or compat.execution_of(self)
        if execution is not None:
            self.tally.count_unguided(execution)
            parts = self._guide, self._learner, self._queue, self.tally, self._memory_of(execution)
            self._search = Search(execution, *parts, self._new_data)
            self._search.begin(self._configuration.seconds)

    def _memory_of(self, execution: Execution) -> Memory:
        return memory_of(execution, self._configuration.memory)

    def _new_data(self, most: int | None) -> ConjectureData:
        self._most = most
        return SearchData(random=self._random, provider=self, max_choices=most and _LONGER * most)

    def _begin(self, *, in_test_case: bool) -> None:
        """Start an episode: one that is replayed, one without guidance, or one that the learner makes."""
        self._open.clear()
        self._discarded.clear()
        searching = self._search is not None and self._search.active
        replays = self._queue.begin(searching=searching)
        if replays:
            self._guide.imitate(())  # The learner watches this episode, so that it cannot be blind.
        self._episode = self._guide.start()
        self._spans.finish()  # A guide leaves this out after an episode without choices.
        if not in_test_case:
            self._phase = Phase.BARE
        else:
            self._phase = Phase.BLIND if self._learner.blind and not replays else Phase.GUIDED

    def _end(self, data: ConjectureData | None, error: BaseException | None) -> None:
        """Finish the episode, and count it."""
        if self._phase not in (Phase.BLIND, Phase.GUIDED):
            return  # The engine was driven in another way meanwhile.
        self._phase = Phase.IDLE
        if self._most is not None and data is not None and compat.is_overlong(data):
            self._guide.abandon()  # It was ended on purpose, so that nothing speaks against its choices.
            return
        outcome = compat.outcome_of_case(data, error)
        if error is not None and self._search is not None and not self.tally.valid:
            self._search.rejected(error)
        goal = outcome if data is None else self._grade(data, error, outcome)
        if data is not None and outcome is not Outcome.INVALID:
            self._guide.made(compat.drawn_values(data, self._discarded))
        episode = self._guide.finish(goal)
        episode.unique = episode.unique or goal is not outcome
        self.tally.count(valid=outcome is not Outcome.INVALID, unique=episode.unique)
        if data is not None and self._observers:
            episode.outcome = outcome  # The goal is for the learner only.
            episode.labels = {**compat.own_events(data.events), **named_targets(data.target_observations)}
            for observer in self._observers:
                observer(episode)
        if data is not None and self._search is not None:
            self._search.after_case(data, outcome)

    def _grade(self, data: ConjectureData, error: BaseException | None, outcome: Outcome) -> Outcome:
        """Grade an input by how near it came to a valid one; returns the outcome to learn from.

        If a test has targets, a valid input with lower targets than most counts as invalid but near.
        """
        near = 0.0
        is_graded = False
        if outcome is Outcome.INVALID:
            place = compat.place_of_rejection(data, error)
            near = self.tally.rejected(place)
            self._episode.reject(Rejection([place]))
        if self.tally.news(compat.own_events(data.events)):
            near = max(near, 0.5)
        if data.target_observations and (self._search is None or self._search.uses_targets):
            is_graded = True
            standing = self.tally.standing(data.target_observations)
            near = 0.5 * standing if outcome is Outcome.INVALID else 0.5 + 0.4 * standing
            if outcome is Outcome.VALID and standing < 0.9:
                outcome = Outcome.INVALID
        if outcome is Outcome.INVALID and near:
            if is_graded:
                self._guide.near(near)
            else:
                self._episode.progress += near  # Nobody graded the input, so that new branches may count too.
        return outcome

    def _abandon(self) -> None:
        self._phase = Phase.IDLE
        self._guide.abandon()

    def _context(self, machine: Any) -> Hashable:
        """Return what the next rule of a state machine may depend on."""
        try:
            return context_of(machine)
        except ConfigurationError as error:
            raise _Misuse(error) from None

    def _nodes(self) -> int:
        return 0 if self._data is None else len(self._data.nodes)


class _Misuse(ConfigurationError, compat.FailedHealthCheck):
    """A mistake of the user; Hypothesis treats it as a failed health check, which blames no input."""
