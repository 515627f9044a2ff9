"""The engine for Hypothesis tests: Hypothesis owns the loop, the backend guides it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from time import perf_counter
from typing import Any

from rlcheck import registry
from rlcheck.engines import Found, Plan
from rlcheck.engines.local import message_of, place_in
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.report.record import Recorder, Snapshot

try:
    from hypothesis import reproduce_failure, seed, settings
    from hypothesis.errors import DidNotReproduce, HypothesisException

    from rlcheck.frontends.hypothesis.provider import GuidedProvider
except ModuleNotFoundError as error:
    raise registry.missing_extra("a Hypothesis test", error) from error

#: Seconds between two calls of the listener.
_LISTEN = 0.1

_BLOB = re.compile(r"@reproduce_failure\(('[^']*'), (b'[^']*')\)")

#: Of the note that shows the input, in several versions.
_HEADING = re.compile(r"^(Falsifying example|Failing test case): ")


class HypothesisEngine:
    """Runs one Hypothesis test in a single step.

    Args:
        plan: Its budget; without one, the test's own `max_examples`.
        test: The test function, as `hypothesis.given` made it.
    """

    def __init__(self, plan: Plan, test: Callable[..., Any]) -> None:
        unfilled = list(inspect.signature(test).parameters)
        if unfilled:
            raise ConfigurationError(
                f"{test.__name__} has parameters that pytest fills: {', '.join(unfilled)}. Run it with"
                " pytest --rlcheck."
            )
        self.stopped = ""
        self.note = ""
        self.failures: dict[str, Found] = {}
        #: Called now and then while the test runs.
        self.listener: Callable[[], None] = lambda: None
        self._plan = plan
        self._test = test
        self._recorder = Recorder(plan.seed)
        self.sizes = self._recorder.sizes
        #: Choices of the guide are not those of the test: there is nothing to survey.
        self.sample: list[tuple[bool, list[int]]] = []
        self._started = self._listened = perf_counter()

    def step(self, seconds: float) -> None:
        """Run the whole test."""
        test: Any = self._test
        used = getattr(test, "_hypothesis_internal_use_settings", None) or settings()
        most = self._plan.episodes or used.max_examples
        test._hypothesis_internal_use_settings = settings(
            used, backend="rlcheck", print_blob=True, max_examples=most
        )
        before = GuidedProvider.seconds, GuidedProvider.observers
        GuidedProvider.seconds = self._plan.seconds or 0.0
        GuidedProvider.observers = (self._recorder, self._listen)
        try:
            seed(self._plan.seed)(test)()
        except HypothesisException as error:
            raise ConfigurationError(f"{test.__name__} was not run: {message_of(error)}") from error
        except Exception as error:
            for each in error.exceptions if isinstance(error, ExceptionGroup) else [error]:
                found = _found(each)
                self.failures[found.place] = found
        finally:
            GuidedProvider.seconds, GuidedProvider.observers = before
            test._hypothesis_internal_use_settings = used
        self.stopped = "failure" if self.failures else "seconds" if self._plan.seconds else "episodes"

    def snapshot(self) -> Snapshot:
        """How far it is."""
        made = self._recorder
        spent = perf_counter() - self._started
        return Snapshot(
            spent, made.episodes, made.valid, made.unique_valid, made.overruns, len(self.failures), 0
        )

    def take(self) -> tuple[bytes, int]:
        """Nothing: Hypothesis' database keeps its inputs."""
        self._recorder.take()
        return b"", 0

    def close(self) -> None:
        """Nothing outlives it."""

    def _listen(self, episode: Episode) -> None:
        now = perf_counter()
        if now - self._listened > _LISTEN:
            self._listened = now
            self.listener()


def reproduce(test: Any, version: str, blob: str) -> BaseException | None:
    """What a test raises on a recorded input; None when it passes."""
    before = getattr(test, "_hypothesis_internal_use_reproduce_failure", None)
    try:
        reproduce_failure(version, blob.encode())(test)()
    except DidNotReproduce:
        return None
    except HypothesisException as error:
        raise ConfigurationError(message_of(error)) from error
    except Exception as error:
        return error
    finally:
        test._hypothesis_internal_use_reproduce_failure = before
    return None


def _found(error: BaseException) -> Found:
    notes = "\n".join(getattr(error, "__notes__", ()))
    blob = _BLOB.search(notes)
    choices = [ast.literal_eval(blob[1]), ast.literal_eval(blob[2]).decode()] if blob else []
    shown = notes[: blob.start()] if blob else notes
    shown = _HEADING.sub("", shown.partition("\nYou can reproduce")[0].strip())
    return Found(place_in(error), message_of(error), choices, shown)
