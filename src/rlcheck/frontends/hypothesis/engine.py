"""The engine for Hypothesis tests: Hypothesis runs the loop, and the backend guides it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from time import perf_counter
from typing import Any

from rlcheck import registry
from rlcheck.engines import Listener, Plan, no_listener
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.failure import Failure, message_of, place_of
from rlcheck.report.record import Recorder, Snapshot

try:
    from hypothesis import reproduce_failure, seed, settings
    from hypothesis.errors import DidNotReproduce, HypothesisException

    from rlcheck.frontends.hypothesis import compat
    from rlcheck.frontends.hypothesis.configuration import Configuration, configured
except ModuleNotFoundError as error:
    raise registry.missing_extra("a Hypothesis test", error) from error

#: Seconds between two calls of the listener.
_LISTEN = 0.1

_BLOB = re.compile(r"@reproduce_failure\(('[^']*'), (b'[^']*')\)")

#: The heading of the note that shows the input, in several versions of Hypothesis.
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
        self.failures: dict[str, Failure] = {}
        self._plan = plan
        self._test = test
        self._recorder = Recorder(plan.seed)
        self.sizes = self._recorder.sizes
        self.distributions = self._recorder.distributions
        #: Empty: the guide's choices are not those of the test, so they cannot be surveyed.
        self.sample: list[tuple[bool, list[int]]] = []
        self._started = perf_counter()

    def step(self, seconds: float, listener: Listener = no_listener) -> None:
        """Run the whole test: Hypothesis does not pause."""
        test, used = self._test, compat.settings_of(self._test)
        most = self._plan.episodes or used.max_examples
        observers = (self._recorder, _every_so_often(listener))
        compat.set_settings(test, settings(used, backend="rlcheck", print_blob=True, max_examples=most))
        try:
            with configured(Configuration(self._plan.seconds or 0.0, observers=observers, at_once=True)):
                seed(self._plan.seed)(test)()
        except HypothesisException as error:
            raise ConfigurationError(f"{test.__name__} was not run: {message_of(error)}") from error
        except Exception as error:
            self.failures |= {found.place: found for found in failures_of(error)}
        finally:
            compat.set_settings(test, used)
        self.stopped = "failure" if self.failures else "seconds" if self._plan.seconds else "episodes"

    def snapshot(self) -> Snapshot:
        """The counts so far."""
        made = self._recorder
        spent = perf_counter() - self._started
        return Snapshot(
            spent, made.episodes, made.valid, made.unique_valid, made.overruns, len(self.failures), 0
        )

    def take(self) -> tuple[bytes, int]:
        """No inputs: Hypothesis' database keeps them."""
        self._recorder.take()
        return b"", 0

    def close(self) -> None:
        """Release nothing: a test holds no resources."""


def _every_so_often(listener: Listener) -> Callable[[Episode], None]:
    """An observer that calls a listener, but not with every episode."""
    due = perf_counter() + _LISTEN

    def listen(episode: Episode) -> None:
        nonlocal due
        if perf_counter() > due:
            due = perf_counter() + _LISTEN
            listener()

    return listen


def reproduce(test: Any, version: str, blob: str) -> BaseException | None:
    """What a test raises on a recorded input; None if it passes."""
    before = compat.reproduction_of(test)
    try:
        reproduce_failure(version, blob.encode())(test)()
    except DidNotReproduce:
        return None
    except HypothesisException as error:
        raise ConfigurationError(message_of(error)) from error
    except Exception as error:
        return error
    finally:
        compat.set_reproduction(test, before)
    return None


def failures_of(error: Exception) -> list[Failure]:
    """The failures that a test reports with an error: several if it found several."""
    return [_found(each) for each in (error.exceptions if isinstance(error, ExceptionGroup) else [error])]


def _found(error: BaseException) -> Failure:
    notes = "\n".join(getattr(error, "__notes__", ()))
    blob = _BLOB.search(notes)
    choices = [ast.literal_eval(blob[1]), ast.literal_eval(blob[2]).decode()] if blob else []
    shown = notes[: blob.start()] if blob else notes
    shown = _HEADING.sub("", shown.partition("\nYou can reproduce")[0].strip())
    return Failure(place_of(error), message_of(error), choices, input=shown)
