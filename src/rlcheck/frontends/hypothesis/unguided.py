"""Test cases that Hypothesis makes by itself, as episodes without choices: observers see them too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rlcheck.episode import Episode, Outcome
from rlcheck.frontends.hypothesis.compat import Execution, own_events
from rlcheck.protocols import Observer

#: What the statistics of Hypothesis call an outcome.
_OUTCOMES = {
    "overrun": Outcome.INVALID,
    "invalid": Outcome.INVALID,
    "valid": Outcome.VALID,
    "interesting": Outcome.FAILED,
}


class Unguided:
    """Tells observers about each test case once."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers
        self._told = 0

    def tell(self, execution: Execution) -> None:
        """Tell about the test cases that are new."""
        cases = execution.generated(self._told) if self._observers else []
        self._told += len(cases)
        for case in cases:
            episode = _episode(case["status"], case["events"])
            for observer in self._observers:
                observer(episode)


def _episode(status: str, events: Iterable[str]) -> Episode:
    episode = Episode()
    episode.outcome = _OUTCOMES[status]
    episode.overrun = status == "overrun"
    episode.unique = episode.outcome is not Outcome.INVALID  # The default backend makes none twice.
    episode.labels = own_events(dict(map(_parsed, events)))
    return episode


def _parsed(event: str) -> tuple[str, Any]:
    """An event and its value, which the statistics keep as one text."""
    name, _, value = event.partition(": ")
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, value
