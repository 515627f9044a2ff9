"""How learners explore."""

from __future__ import annotations

from collections.abc import Callable
from random import Random


def any_option(rng: Random, n: int) -> int:
    """An index below n, each as likely as the others; three times as fast as `randrange`."""
    return below(rng.random, n)


def below(random: Callable[[], float], n: int) -> int:
    """The same by the method `random` of a generator: learners that hold it need not look it up."""
    if n > 4294967296:
        return random.__self__.randrange(n)  # type: ignore[attr-defined, no-any-return]
    # A float has 53 random bits: below 2**32 options the bias is under 2**-20 of an option's chance.
    few = n
    roll = random()
    return int(roll * few)
