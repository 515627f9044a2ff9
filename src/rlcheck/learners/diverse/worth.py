"""Worth: how good a valid input is beside the others, and whether there is anything to learn at all."""

from __future__ import annotations

#: Rewards that differ by less than this part of their mean are equal.
_EQUAL = 1e-6

#: How much a new reward counts in the running mean, and in how far rewards are from it.
_STEP = 0.02

#: So many episodes decide whether learning pays, and so many of them have to be valid.
_LOOK = 20
_SHARE = 0.9


class Worth:
    """The running mean of rewards, and how far they are from it."""

    def __init__(self) -> None:
        self._seen = 0
        self._mean = 0.0
        self._apart = 0.0

    @property
    def varies(self) -> bool:
        """Whether rewards tell valid inputs apart."""
        return self._apart > _EQUAL * (1.0 + abs(self._mean))

    def standing(self, worth: float) -> float:
        """Return how good an input is by its reward: from 0 to 1, and 1 while all are equal."""
        if not self._seen:
            self._mean = worth
        self._seen += 1
        apart = worth - self._mean
        step = max(_STEP, 1.0 / self._seen)
        self._mean += step * apart
        self._apart += step * (abs(apart) - self._apart)
        if not self.varies:
            return 1.0
        return min(1.0, max(0.0, 0.5 + 0.25 * apart / self._apart))


class Aside:
    """Whether nearly all inputs are valid, so that it is best to step aside."""

    def __init__(self) -> None:
        self._episodes = 0
        self._valid = 0
        self.now = False

    def see(self, valid: bool, varies: bool) -> None:  # noqa: FBT001 - compiled
        """Count an episode; decide after the first 20, and again while stepping aside."""
        if self.now or self._episodes < _LOOK:
            self._episodes += 1
            self._valid += valid
            self.now = self._episodes >= _LOOK and self._valid > _SHARE * self._episodes and not varies
