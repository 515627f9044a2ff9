"""Distributions: how sizes and labels are spread over all inputs and over valid ones, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Mapping

#: The most values that are told apart, the most labels, and the most characters of a value.
_VALUES, _LABELS, _TEXT = 700, 30, 60

#: What later values are counted as.
OTHER = "other values"

#: For each value: how many inputs had it, and how many of them were valid.
Counts = dict[str | float, list[int]]

#: Numbers below this are told apart if they are integers.
_EXACT = 250


class Distribution:
    """Counts the values of one thing."""

    def __init__(self) -> None:
        self.counts: Counts = {}

    def add(self, value: object, *, valid: bool) -> None:
        """Count an input with a value."""
        pair = self.pair(_key(value))
        pair[0] += 1
        pair[1] += valid

    def merge(self, other: Distribution) -> None:
        """Add the counts of another one."""
        for key, (inputs, valid) in other.counts.items():
            pair = self.pair(key)
            pair[0] += inputs
            pair[1] += valid

    def as_json(self) -> list[list[str | float]]:
        """Each value with its counts, numbers first and in order."""
        ordered = sorted(self.counts.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        return [[value, *pair] for value, pair in ordered]

    def pair(self, key: str | float) -> list[int]:
        """The counts of a rounded value."""
        pair = self.counts.get(key)
        if pair is None:
            if len(self.counts) >= _VALUES:
                key = OTHER
            pair = self.counts.setdefault(key, [0, 0])
        return pair


class Distributions:
    """Counts inputs by their size and by their labels."""

    def __init__(self) -> None:
        self.size = Distribution()
        self._sizes = self.size.counts
        self.labels: dict[str, Distribution] = {}

    def add(self, size: int, labels: Mapping[str, object] | None, *, valid: bool) -> None:
        """Count an input; one without choices has no size that means anything."""
        if size:
            pair = self._sizes.get(size) or self.size.pair(_key(size))  # Every input pays for this.
            pair[0] += 1
            pair[1] += valid
        if labels:
            for label, value in labels.items():
                found = self._label(label)
                if found is not None:
                    found.add(value, valid=valid)

    def merge(self, other: Distributions) -> None:
        """Add the counts of another process."""
        self.size.merge(other.size)
        for label, distribution in other.labels.items():
            found = self._label(label)
            if found is not None:
                found.merge(distribution)

    def as_json(self) -> dict[str, object]:
        """What the store keeps and `--json` prints."""
        labels = {label: found.as_json() for label, found in self.labels.items()}
        return {"size": self.size.as_json(), "labels": labels}

    def _label(self, label: str) -> Distribution | None:
        """The counts of a label; None for one too many."""
        found = self.labels.get(label)
        if found is None and len(self.labels) < _LABELS:
            found = self.labels[label] = Distribution()
        return found


def _key(value: object) -> str | float:
    """What a value is counted as: a number rounded to one and a half digits, or a short text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)[:_TEXT]
    if isinstance(value, int) and -_EXACT < value < _EXACT:
        return value
    if not math.isfinite(value if isinstance(value, float) else 0.0):
        return str(value)
    if abs(value) > 2**64:
        return "beyond 2**64"
    if not value:
        return 0
    half = 10.0 ** math.floor(math.log10(abs(value))) / 2.0
    rounded = round(value / half) * half
    return int(rounded) if isinstance(value, int) else float(f"{rounded:.3g}")
