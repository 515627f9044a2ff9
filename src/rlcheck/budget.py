"""Budget: when a run of a campaign ends, and why."""

from __future__ import annotations

import math
import sys
import time

from rlcheck.abilities import LearnerBase
from rlcheck.episode import Episode, Outcome


class Budget:
    """A number of episodes or seconds, and what ends a run before they are used up.

    Args:
        episodes: The most episodes; None for any number.
        seconds: No episode begins after this time; None for no limit.
        stop_on_failure: Whether a failure ends the run.
        learner: The run ends when this learner is `exhausted`.
    """

    def __init__(
        self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool, learner: LearnerBase
    ) -> None:
        #: How many episodes may still begin.
        self.left = sys.maxsize if episodes is None else episodes
        #: Why the run ended: "episodes", "seconds", "exhausted", "failure", "asked"; empty while it runs.
        self.stopped = ""
        self._deadline = math.inf if seconds is None else time.perf_counter() + seconds
        self._stop_on_failure = stop_on_failure
        self._learner = learner

    def begin(self) -> bool:
        """Return whether another episode may begin, and count it."""
        if self.stopped:
            return False
        if self._learner.exhausted:
            self.stopped = "exhausted"
        elif self.left <= 0:
            self.stopped = "episodes"
        elif self._deadline is not math.inf and time.perf_counter() >= self._deadline:
            self.stopped = "seconds"
        else:
            self.left -= 1
        return not self.stopped

    def end(self, episode: Episode) -> None:
        """Record that an episode has ended."""
        if self.stopped:
            return
        if self._stop_on_failure and episode.outcome is Outcome.FAILED:
            self.stopped = "failure"
        elif not (episode.choices or episode.overrun):
            self.stopped = "exhausted"  # A generator without choices makes only one input.
