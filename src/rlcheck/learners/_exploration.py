"""How learners explore."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def any_option(rng: Random, n: int) -> int:
    """An index below n, each as likely as the others; three times as fast as `randrange`."""
    # A float has 53 random bits: below 2**32 options the bias is under 2**-20 of an option's chance.
    return int(rng.random() * n) if n <= 4294967296 else rng.randrange(n)


def weighted_option(rng: Random, weights: Sequence[float]) -> int:
    """An index, each as likely as its weight says; never one whose weight is 0."""
    total = 0.0
    for weight in weights:
        total += weight
    left = rng.random() * total
    last = 0
    for index, weight in enumerate(weights):
        if weight > 0.0:
            last = index
            left -= weight
            if left < 0.0:
                break
    return last
