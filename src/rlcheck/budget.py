"""Budget: when a run of a campaign ends, and why."""

from __future__ import annotations

import math
import sys
import time

from rlcheck.abilities import LearnerBase
from rlcheck.episode import Episode, Outcome


class Budget:
    """Episodes, seconds, or what ends a run before these are spent.

    Args:
        episodes: How many may begin; None for any number.
        seconds: For how long they may begin; None for ever.
        stop_on_failure: Whether a failure ends the run.
        learner: One that is `exhausted` ends it too.
    """

    def __init__(
        self, episodes: int | None, seconds: float | None, *, stop_on_failure: bool, learner: LearnerBase
    ) -> None:
        #: How many episodes may still begin.
        self.left = sys.maxsize if episodes is None else episodes
        #: Why the run ended: "episodes", "seconds", "exhausted", "failure", "asked"; empty while it goes on.
        self.stopped = ""
        self._deadline = math.inf if seconds is None else time.perf_counter() + seconds
        self._stop_on_failure = stop_on_failure
        self._learner = learner

    def begin(self) -> bool:
        """Whether another episode may begin; it is counted."""
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
        """Take note of an episode that ended."""
        if self.stopped:
            return
        if self._stop_on_failure and episode.outcome is Outcome.FAILED:
            self.stopped = "failure"
        elif not (episode.choices or episode.overrun):
            self.stopped = "exhausted"  # It asked nothing, so it has nothing else to make.
