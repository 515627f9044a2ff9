"""The border to Hypothesis: what this package does with its insides.

Hypothesis promises nothing about them. When a release changes them, `internals` and this file change, and
the other modules of this package do not.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from random import Random
from typing import Any, NoReturn

from hypothesis import HealthCheck, Phase, settings

from rlcheck.episode import Outcome
from rlcheck.frontends.hypothesis.internals import (
    BackendCannotProceed,
    ConjectureData,
    ConjectureRunner,
    ExampleDatabase,
    FailedHealthCheck,
    LimitReached,
    PrimitiveProvider,
    StateForActualGivenExecution,
    Status,
    StopTest,
    UnsatisfiedAssumption,
    choice_permitted,
    choices_from_bytes,
    choices_to_bytes,
    current_build_context,
    currently_in_test_context,
    fail_health_check,
    function_digest,
)

__all__ = [
    "MACHINE_ATTRIBUTES",
    "ConjectureData",
    "ExampleDatabase",
    "Execution",
    "FailedHealthCheck",
    "PrimitiveProvider",
    "begin_without",
    "choice_permitted",
    "choices_from_bytes",
    "choices_to_bytes",
    "constants",
    "current_data",
    "default_draws",
    "drawn_values",
    "execution_of",
    "is_continued",
    "is_failing",
    "is_overlong",
    "is_restarting",
    "machine_label",
    "machine_of",
    "outcome_of_case",
    "own_events",
    "place_of_rejection",
    "reproduction_of",
    "rules_of",
    "set_reproduction",
    "set_settings",
    "settings_of",
    "take_seed",
]

#: Attributes that Hypothesis gives to every state machine.
MACHINE_ATTRIBUTES = frozenset(
    ("rules", "invariants", "bundles", "names_counters", "names_list", "names_to_values")
)

#: The most characters of the reason of a rejection.
_REASON = 100

#: How the events of Hypothesis and of this package begin.
_OWN_EVENTS = ("gave up because", "invalid because", "Retried draw from", "rlcheck ")


class Execution:
    """One run of a test function by Hypothesis.

    Args:
        state: Hypothesis' own object for it.
    """

    def __init__(self, state: Any) -> None:
        self._state = state
        self._runner = state._runner
        self.settings: settings = state.settings
        #: The test function.
        self.test: Callable[..., Any] = state.test

    @property
    def may_remember(self) -> bool:
        """Whether this run may use what an earlier one has kept."""
        return Phase.reuse in self.settings.phases

    @property
    def database(self) -> ExampleDatabase | None:
        """The database, if this run may read and write it."""
        keeps = self._runner.database_key is not None and self.may_remember
        return self.settings.database if keeps else None

    @property
    def digest(self) -> bytes:
        """A key of the test, the same in every process as long as its source is the same."""
        return function_digest(self.test)

    @property
    def database_key(self) -> bytes:
        """The key of the test in the database."""
        return self._runner.database_key or b""

    def run(self, data: ConjectureData) -> None:
        """Run the test on a test case that Hypothesis does not count."""
        with suppress(StopTest):
            self._state._execute_once_for_engine(data)
        data.freeze()

    def cases(self, kind: str) -> int:
        """How many test cases of a kind there were: "valid", "invalid" or "overrun"."""
        return _cases(self._runner, kind)

    def checked_cases(self, kind: str) -> int | None:
        """The same, of those that the health check looks at; None once it has ended."""
        health = self._runner.health_check_state
        return None if health is None else _cases(health, kind)

    def generated(self, since: int) -> list[Any]:
        """The statistics of the generated test cases from this one on."""
        ended = self._runner.statistics.get("generate-phase", {}).get("test-cases")
        return list((ended or self._runner.stats_per_test_case)[since:])

    @property
    def has_targets(self) -> bool:
        """Whether the test calls `hypothesis.target`, and its settings let that count."""
        return bool(self._runner.best_observed_targets) and Phase.target in self.settings.phases

    def fail(self, message: str, check: HealthCheck) -> None:
        """Fail a health check, unless the settings suppress it."""
        fail_health_check(self.settings, message, check)

    def stop(self) -> NoReturn:
        """End the generation of test cases: nothing is left to try."""
        self._runner.should_generate_more = lambda: False  # Otherwise Hypothesis goes on by itself.
        raise BackendCannotProceed("exhausted")


def execution_of(provider: PrimitiveProvider) -> Execution | None:
    """The run that a provider belongs to. Hypothesis does not pass it on, but it is on the stack."""
    frame = sys._getframe()
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, StateForActualGivenExecution):
            return Execution(owner) if getattr(owner._runner, "provider", None) is provider else None
        frame = frame.f_back  # type: ignore[assignment]
    return None


def begin_without(provider: PrimitiveProvider, is_needed: Callable[[], bool]) -> None:
    """Let the default backend generate test cases until a provider is needed.

    Hypothesis has no way to say so. Its runner asks before each test case whether to go on, and it is the
    runner on the stack that makes the provider.
    """
    frame = sys._getframe()
    while frame is not None and not isinstance(frame.f_locals.get("self"), ConjectureRunner):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return
    runner: Any = frame.f_locals["self"]

    def should_generate_more() -> bool:
        if is_needed():
            del runner.should_generate_more
        runner._switch_to_hypothesis_provider = "should_generate_more" in vars(runner)
        return bool(runner_goes_on())

    runner_goes_on = runner.should_generate_more
    runner.should_generate_more = should_generate_more


def is_continued(data: ConjectureData) -> bool:
    """Whether a test case begins with choices that Hypothesis made."""
    return bool(data.prefix)


def current_data() -> ConjectureData | None:
    """The data of the test case that is running."""
    return current_build_context().data if currently_in_test_context() else None


def take_seed(data: ConjectureData) -> int | None:
    """A seed drawn from Hypothesis' own randomness, so that its seed decides."""
    return None if data._random is None else data._random.getrandbits(64)


def drawn_values(data: ConjectureData, dropped: Iterable[tuple[int, int]] = ()) -> tuple[Any, ...]:
    """The values that the provider drew, without those in the dropped ranges.

    Values that Hypothesis forced are left out: it forces them again.
    """
    nodes = list(data.nodes)
    for first, last in sorted(dropped, reverse=True):
        del nodes[first:last]
    return tuple(node.value for node in nodes if not node.was_forced)


def default_draws(rng: Random, kind: str, n: int, constraints: dict[str, Any]) -> list[Any]:
    """Values that the default backend draws."""
    draw = getattr(ConjectureData(random=rng).provider, f"draw_{kind}")
    return [draw(**constraints) for _ in range(n)]


def constants(rng: Random, kind: str, n: int, constraints: dict[str, Any]) -> list[Any]:
    """Values that the default backend considers tricky, or found in the code under test: at most n."""
    default: Any = ConjectureData(random=rng).provider
    drawn = [default._maybe_draw_constant(kind, constraints, p=1.0) for _ in range(n)]
    distinct = {repr(value): value for value in drawn if value is not None}
    return [distinct[text] for text in sorted(distinct)]


def is_restarting() -> bool:
    """Whether `st.recursive` is starting again because it made too much; it does not report a discard."""
    return isinstance(sys.exc_info()[1], LimitReached)


def outcome_of_case(data: ConjectureData | None, error: BaseException | None) -> Outcome:
    """How a test case ended."""
    if error is None:
        return Outcome.VALID
    if isinstance(error, UnsatisfiedAssumption):
        return Outcome.INVALID
    if isinstance(error, StopTest):
        return Outcome.INVALID if data is None or data.status < Status.VALID else Outcome.VALID
    return Outcome.FAILED


def is_overlong(data: ConjectureData) -> bool:
    """Whether a test case was ended because it had too many choices."""
    return data.status is Status.OVERRUN


def is_failing(data: ConjectureData) -> bool:
    """Whether a test case failed."""
    return data.status is Status.INTERESTING


def place_of_rejection(data: ConjectureData, error: BaseException | None) -> str:
    """What rejected an input."""
    if isinstance(error, UnsatisfiedAssumption):
        reason = (error.reason or "assume()").removeprefix("failed to satisfy ")
        return reason if reason.startswith("assume()") else _without_values(reason)
    if data.status is Status.OVERRUN:
        return "a test case that is too large: it exceeds the maximum allowed entropy"
    return _without_values(str(data.events.get("gave up because", "a rejected draw")))


def _without_values(reason: str) -> str:
    """A reason with numbers, texts and addresses taken out, so that one filter is one place; and shortened.

    Hypothesis names a filter by the whole strategy: its end says which function rejected.
    """
    reason = re.sub(r"0x[0-9a-f]+|\d+|'[^']*'|\"[^\"]*\"", "…", " ".join(reason.split()))
    half = _REASON // 2
    return reason if len(reason) <= _REASON else f"{reason[:half]} … {reason[-half:]}"


def own_events(events: Mapping[str, Any]) -> dict[str, Any]:
    """The events of the test itself, without those of Hypothesis and of this package."""
    return {name: value for name, value in events.items() if not name.startswith(_OWN_EVENTS)}


def machine_of(test: Any) -> Any:
    """What makes the state machine that a test runs: its class, or a function; None without a machine."""
    variables = inspect.getclosurevars(test).nonlocals if inspect.isfunction(test) else {}
    return variables.get("state_machine_factory")


def rules_of(test: Any) -> list[Any]:
    """The rules of the state machine whose TestCase has this test; none for any other test."""
    machine: Any = getattr(test, "_hypothesis_state_machine_class", None)
    state = machine and machine.setup_state()
    return [*state.initializers, *state.rules] if state else []


def machine_label() -> int | None:
    """The label of the spans in which a state machine takes a step; None where there is no machine."""
    stateful = sys.modules.get("hypothesis.stateful")  # A test with a machine has imported it.
    return None if stateful is None else stateful.STATE_MACHINE_RUN_LABEL


def settings_of(test: Any) -> settings:
    """The settings of a Hypothesis test."""
    return getattr(test, "_hypothesis_internal_use_settings", None) or settings()


def set_settings(test: Any, used: settings) -> None:
    """Change the settings of a Hypothesis test."""
    test._hypothesis_internal_use_settings = used


def reproduction_of(test: Any) -> Any:
    """The arguments of `reproduce_failure` that a test has, if any."""
    return getattr(test, "_hypothesis_internal_use_reproduce_failure", None)


def set_reproduction(test: Any, arguments: Any) -> None:
    """Change the arguments of `reproduce_failure` of a test."""
    test._hypothesis_internal_use_reproduce_failure = arguments


def _cases(counts: Any, kind: str) -> int:
    """The number of test cases of a kind; older versions of Hypothesis call them examples."""
    newer = hasattr(counts, "valid_test_cases")
    return int(getattr(counts, f"{kind}_test_cases" if newer else f"{kind}_examples"))
