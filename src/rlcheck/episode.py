"""Episodes: one run of a generator and its outcome."""

from __future__ import annotations

import enum
from typing import Any

from rlcheck.reasons import Rejection

#: The bits of a sign above these say what kind of sign it is: 0 for a reason.
KIND_OF_SIGN = 40


class Outcome(enum.Enum):
    """How an episode ended. A failing input is a valid input."""

    INVALID = "invalid"
    VALID = "valid"
    FAILED = "failed"


class Episode:
    """The choices of one run, and how it ended.

    `choices` holds the index of each chosen option, in order: it replays the run without any learner.
    """

    __slots__ = (
        "choices",
        "compared",
        "counts",
        "digest",
        "earned",
        "labels",
        "new_branches",
        "outcome",
        "overrun",
        "path",
        "progress",
        "reason",
        "rejection",
        "reward",
        "shape",
        "signs",
        "sizes",
        "unique",
        "value",
    )

    def __init__(self) -> None:
        self.choices: list[int] = []
        #: How many options there were each time.
        self.sizes: list[int] = []
        self.outcome: Outcome | None = None
        #: A valid input whose characteristic was not seen before.
        self.unique = False
        #: The run was cut off at `max_choices`.
        self.overrun = False
        #: What the generator made; None when it made nothing.
        self.value: Any = None
        #: The shape of a valid input as a digest, where a campaign counts shapes.
        self.shape = 0
        #: The characteristic of the input, once it was asked for.
        self.digest: int | None = None
        #: How often each branch was taken, in the order of their numbers; None without coverage.
        self.counts: dict[int, int] | None = None
        #: The branches in the order in which they were taken; None unless a coverage keeps it.
        self.path: list[int] | None = None
        #: How many branches were taken, since the last step that was rewarded, that no input took before.
        self.new_branches = 0
        #: What the reward function gave at the end, and the sum of the rewards given before.
        self.reward = 0.0
        self.earned = 0.0
        #: How near an invalid input came to a valid one, from 0 to 1; 0 if unknown.
        self.progress = 0.0
        #: Why the input was rejected, without values; "" if unknown.
        self.reason = ""
        #: All that is known of it, if there is more.
        self.rejection: Rejection | None = None
        #: While nothing is valid: numbers that say how far a rejected input came. Some have each in common.
        self.signs: list[int] = []
        #: While nothing is valid: what the program compared this input with, if it was watched.
        self.compared: Any = None
        #: What `rlcheck.event` and `rlcheck.target` said about the input; None when they were not called.
        self.labels: dict[str, str | float] | None = None

    def reject(self, rejection: Rejection) -> None:
        """Say why it is about to end as invalid."""
        self.reason = rejection.reason
        self.rejection = rejection

    def __repr__(self) -> str:
        outcome = self.outcome.name if self.outcome else "running"
        return f"<Episode {outcome} {self.choices}>"
