"""Mutate: makes the choices of a valid input again, but for a few. Zest without coverage.

Reference: Padhye, Lemieux, Sen, Papadakis, Le Traon, "Semantic Fuzzing with Zest", ISSTA 2019, without
what it does with coverage.

    saved <- saved + [choices]        when the input is valid and its choices are not among the saved ones

after each episode. A child takes the choices of a parent, except at a geometric number of places, where a
geometric number of choices is made anew, as is what comes after the parent's last one.

Departures from the paper:

1. Choices are mutated, not bytes. In JQF, four bytes make a choice: its mutations of four bytes in the mean
   are of one choice here. They are at two places in the mean, not eight: sequences of choices are short.
2. A choice that does not fit, because there are fewer options, is made anew; bytes always fit.
3. Parents are drawn by their energy, one child each, instead of taken in turns of 50 to 1,000 children: what
   was just found is used at once.
4. While nothing is valid, inputs that are said to be nearer than any before are saved instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import ClassVar

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.learners._saved import FRESH, Saved
from rlcheck.protocols import State


class Mutate:
    """Valid inputs, mutated.

    Args:
        places: At how many places an input is mutated, in the mean.
        length: How many choices are made anew at each place, in the mean.
        max_inputs: How many inputs are saved; when there are more, one of them is forgotten.
    """

    #: Points and states are not looked at, so the guide need not make them.
    blind: ClassVar[bool] = True

    def __init__(
        self, *, places: float = 2.0, length: float = 1.0, max_inputs: int = 10_000, seed: int | None = None
    ) -> None:
        if not (places >= 1 and length >= 1):
            raise ConfigurationError(f"{places=} and {length=} must be at least 1.")
        if max_inputs < 1:
            raise ConfigurationError(f"{max_inputs=} must be at least 1.")
        self.rng = Random(seed)
        self._saved = Saved(max_inputs, places, length)
        self._lead: Iterator[int] = iter(())
        self._progress = 0.0
        self._best = 0.0

    @property
    def saved(self) -> int:
        """How many inputs are saved."""
        return len(self._saved)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """What the parent chose, or any option."""
        index = next(self._lead, FRESH)
        return index if 0 <= index < n else any_option(self.rng, n)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """The same, each option being as likely as its weight says."""
        index = next(self._lead, FRESH)
        return index if 0 <= index < n and weights[index] > 0.0 else weighted_option(self.rng, weights)

    def reward(self, value: float) -> None:
        """What is said before the input is seen is how near it came."""
        self._progress += value

    def see(self, episode: Episode) -> None:
        """Save the input of an episode, whoever made it, if it is valid, or as near as the best."""
        near = min(self._progress, 0.99) if episode.outcome is Outcome.INVALID else 1.0
        if near <= 0.0 or near < self._best or not episode.choices:
            return
        if near > self._best:
            self._saved.clear()
            self._best = near
        self._saved.add(self.rng, tuple(episode.choices))

    def update(self, outcome: Outcome) -> None:
        """Draw the parent of the next input."""
        self.drop()

    def imitate(self, choices: Iterable[int]) -> None:
        """Take these choices in the next episode, where they fit."""
        self._lead = iter(choices)

    def drop(self) -> None:
        """Forget the running episode."""
        self._progress = 0.0
        self._lead = iter(self._saved.child(self.rng))
