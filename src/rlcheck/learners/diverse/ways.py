"""Ways: how the next episode is made."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.edits import CHANCE, TWEAK, WAYS
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.variants import Variants

#: Ways beside the edits: the model alone, the model with random preferences, what somebody else chose,
#: any option at every choice, and a rejected episode with a choice changed.
MODEL, SWARM, OTHERS, ANY, MISS = range(WAYS, WAYS + 5)

#: How many of the latest episodes made in a way say what it is worth.
_MEMORY = 100

#: While nothing is valid: how often nothing that was near is edited.
_COLD = 0.2

#: And how often what was near is changed in one place.
_SMALL_STEPS = 0.5

#: How often an input is made at random, once some are valid: it may be of a kind that neither edits nor the
#: model, which learned from the first kinds, would ever lead to.
_AFRESH = 0.1

#: Where new shapes have become seldom: how often an input, or a part of one, is made at random.
_LEAPS = 0.4


class Ways:
    """Picks a way; those that led to rare inputs are picked more often."""

    def __init__(self, random: Callable[[], float], archive: Archive, variants: Variants) -> None:
        #: What each way was worth.
        self.rates = Rates(WAYS + 5, _MEMORY)
        self._random = random
        self._archive = archive
        self._variants = variants

    def pick(self) -> int:
        """Return the way of the next episode."""
        random = self._random
        if self._archive.empty or (self._archive.best < 1.0 and random() < _COLD):
            return MODEL if random() < 0.5 else SWARM
        if self._archive.best < 1.0 and random() < _SMALL_STEPS:
            return TWEAK
        if self._variants.seldom:
            if random() < _LEAPS:
                return self._leap()
        elif random() < _AFRESH:
            return ANY
        return self.rates.pick(random, WAYS + 2)

    def _leap(self) -> int:
        """Return a way that leads further than most edits do."""
        roll = self._random()
        return ANY if roll < 0.33 else CHANCE if roll < 0.67 else TWEAK
