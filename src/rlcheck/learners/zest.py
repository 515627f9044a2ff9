"""Zest: mutates inputs that covered something new; without coverage, inputs that were valid.

Reference: Padhye, Lemieux, Sen, Papadakis, Le Traon, "Semantic Fuzzing with Zest", ISSTA 2019; the
constants are those of its implementation in JQF.

    saved <- saved + [choices]        when all, or when the input is valid and valid, gain by its trace

after each episode; `all` and `valid` are the traces so far: pairs of a branch and the power of two of how
often it was taken. The energy of an input is proportional to the number of its branches, and 20 times as
high while it is responsible for one of them: the first to take it, or the first valid one to take it. A child
repeats the choices of its parent, except at a geometric number of places, where a geometric number of choices
is made again, as is everything after the parent's last choice.

Departures from the paper:

1. Choices are mutated, not bytes. In JQF, four bytes make a choice: its mutations of four bytes on average
   are of one choice here. They are at two places on average, not eight: choice sequences are short.
2. A choice that does not fit, because there are fewer options, is made anew; bytes always fit.
3. Parents are drawn by their energy, one child each, instead of in turns of 50 to 1,000 children: a new find
   is used at once.
4. The trace of valid inputs gains by counts too; in JQF, by branches alone.
5. Without coverage, every valid input is saved. While nothing is valid, those that came nearest are.
6. An input that is worth less than valid ones usually are is not saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.learners._saved import FRESH, Saved
from rlcheck.protocols import State

#: How fast the running mean of what valid inputs are worth moves: over the last hundred of them.
_USUAL_STEP = 0.01


class Zest(LearnerBase):
    """Saved inputs, mutated.

    Args:
        places: At how many places an input is mutated, on average.
        length: How many choices are made again at each place, on average.
        max_inputs: How many inputs are saved; when there are more, one that is not favoured is forgotten.
    """

    #: It looks at neither points nor states, so the guide makes none.
    blind = True
    coverage = "counts"
    watches = True

    def __init__(
        self, *, places: float = 2.0, length: float = 1.0, max_inputs: int = 10_000, seed: int | None = None
    ) -> None:
        if not (places >= 1 and length >= 1):
            raise ConfigurationError(f"{places=} and {length=} must be at least 1.")
        check_integer("max_inputs", max_inputs)
        self.rng = Random(seed)
        self._saved = Saved(max_inputs, places, length)
        self._parent: Iterator[int] = iter(())
        # Without coverage: how near the best input came, 1 when it is valid.
        self._best = 0.0
        # What valid inputs are usually worth; None before the first one.
        self._usual: float | None = None
        # By branch, a bit for each power of two of how often an input took it: all inputs, and valid ones.
        self._all: dict[int, int] = {}
        self._valid: dict[int, int] = {}

    @property
    def saved(self) -> int:
        """How many inputs are saved."""
        return len(self._saved)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick what the parent chose, or a random option."""
        index = next(self._parent, FRESH)
        return index if 0 <= index < n else any_option(self.rng, n)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Pick what the parent chose, or a random option by weight."""
        index = next(self._parent, FRESH)
        return index if 0 <= index < n and weights[index] > 0.0 else weighted_option(self.rng, weights)

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Stay in step with the parent."""
        next(self._parent, FRESH)

    def update(self, episode: Episode) -> None:
        """Save the input if it is worth it, whoever made it, and draw the parent of the next one."""
        if episode.choices and self._is_worth_it(episode):
            if episode.counts is None:
                self._save_near(episode)
            else:
                self._save_new(episode, episode.counts)
        self.drop()

    def drop(self) -> None:
        """Draw the parent of the next input."""
        self._parent = iter(self._saved.child(self.rng))

    def _is_worth_it(self, episode: Episode) -> bool:
        """Return whether an input is invalid, or worth at least as much as valid ones usually are."""
        if episode.outcome is Outcome.INVALID:
            return True
        worth = episode.earned + episode.reward
        usual = worth if self._usual is None else self._usual
        self._usual = usual + (worth - usual) * _USUAL_STEP
        return worth >= self._usual

    def _save_near(self, episode: Episode) -> None:
        """Save an input that is valid, or as near to it as the best so far."""
        near = 1.0
        if episode.outcome is Outcome.INVALID:
            near = min(max(episode.progress, 0.0), 0.99)
        if near <= 0.0 or near < self._best:
            return
        if near > self._best:
            self._saved.clear()
            self._best = near
        self._saved.add(self.rng, tuple(episode.choices))

    def _save_new(self, episode: Episode, counts: dict[int, int]) -> None:
        """Save an input whose coverage is new."""
        owns, gained = _gain(self._all, counts)
        if episode.outcome is not Outcome.INVALID:
            first, more = _gain(self._valid, counts)
            owns, gained = first, gained or more
        if gained:
            self._saved.add(self.rng, tuple(episode.choices), len(counts), tuple(owns))


def _gain(seen: dict[int, int], counts: dict[int, int]) -> tuple[list[int], bool]:
    """Add the branches of an input; return the new ones, and whether any pair is new."""
    first = []
    gained = False
    for branch, count in counts.items():
        bit = 1 << count.bit_length()
        before = seen.get(branch, 0)
        if not before & bit:
            gained = True
            seen[branch] = before | bit
            if not before:
                first.append(branch)
    return first, gained
