"""Tally: counts the test cases of one Hypothesis test by how they ended, and words the result."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping

from rlcheck.frontends.hypothesis.compat import Execution

#: How many values of each target are remembered.
_RECENT = 200

#: From fewer unguided test cases nothing is said about their share of valid ones.
_ENOUGH = 10


def _interval(successes: int, trials: int) -> tuple[float, float]:
    """Where the true share lies with 95 % confidence (Wilson 1927): few trials say little."""
    z = 1.96
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    margin = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return max(0.0, middle - margin), min(1.0, middle + margin)


class Tally:
    """Counts test cases by how they ended."""

    def __init__(self) -> None:
        self.cases = 0
        self.valid = 0
        self.unique_valid = 0
        #: Test cases of the default backend, before guidance, and how many of them were valid.
        self.unguided = 0
        self.unguided_valid = 0
        #: Test cases that Hypothesis did not see, and the seconds they took.
        self.searched = 0
        self.search_seconds = 0.0
        #: How often each place rejected an input, in the order in which the places first rejected one.
        self.rejections: Counter[str] = Counter()
        self._events: set[str] = set()
        self._targets: dict[str, deque[float]] = {}

    def count_unguided(self, execution: Execution) -> None:
        """Count the test cases so far, which the default backend made; it makes none twice."""
        self.unguided_valid = execution.cases("valid")
        self.unguided = self.unguided_valid + execution.cases("invalid") + execution.cases("overrun")
        self.cases += self.unguided
        self.valid += self.unguided_valid
        self.unique_valid += self.unguided_valid

    def count(self, *, valid: bool, unique: bool) -> None:
        """Count a guided test case."""
        self.cases += 1
        if valid:
            self.valid += 1
            self.unique_valid += unique

    def rejected(self, where: str) -> float:
        """Count a rejection; the result says how near to valid its place is, between 0 and 0.5.

        The place that rejects most inputs appears first, so that a place that appears later lies behind it.
        """
        self.rejections[where] += 1
        place = list(self.rejections).index(where)
        return 0.5 * place / len(self.rejections)

    def news(self, events: Mapping[str, object]) -> bool:
        """Whether an event happened for the first time."""
        fresh = {f"{name}: {value}" for name, value in events.items()} - self._events
        self._events |= fresh
        return bool(fresh)

    def standing(self, targets: Mapping[str, float]) -> float:
        """The share of recent test cases with targets no higher than these, averaged over the targets."""
        shares = []
        for label, value in targets.items():
            recent = self._targets.setdefault(label, deque(maxlen=_RECENT))
            recent.append(value)
            shares.append(sum(other <= value for other in recent) / len(recent))
        return sum(shares) / len(shares)

    def __str__(self) -> str:
        guided, guided_valid = self.cases - self.unguided, self.valid - self.unguided_valid
        text = f"{self.cases:,} test cases, {self.unique_valid:,} unique valid"
        if guided:
            text += f"; valid: {guided_valid / guided:.0%}"
            if self.unguided >= _ENOUGH:
                low, high = _interval(self.unguided_valid, self.unguided)
                text += f", {low:.0%} to {high:.0%} without guidance"
        if self.searched:
            text += f"; searched {self.searched:,} in {self.search_seconds:.1f} s"
        return text

    def rejected_most(self, places: int = 3) -> str:
        """The places that rejected most inputs, one line each."""
        return "\n".join(f"  {count:,} x {where}" for where, count in self.rejections.most_common(places))

    def complaint(self) -> str:
        """The message for too few valid inputs: what was tried, and what may help."""
        return (
            "It looks like this test is filtering out nearly all inputs."
            f" rlcheck searched {self.searched:,} test cases in {self.search_seconds:.1f} s for inputs that"
            f" satisfy the assumptions of this test, and found {self.valid:,}.\n\n"
            f"Rejected most often by:\n{self.rejected_most()}\n\n"
            "Report how near an input comes with hypothesis.target(), split a strict assume() into several,"
            " or make the strategy produce more valid inputs."
        )
