"""Zest: mutates inputs that covered something new, or that were the first valid ones to cover it.

Reference: Padhye, Lemieux, Sen, Papadakis, Le Traon, "Semantic Fuzzing with Zest", ISSTA 2019; the
constants are those of its implementation in JQF.

    saved <- saved + [choices]        when all, or when the input is valid and valid, gain by its trace

after each episode; `all` and `valid` are the traces so far: pairs of a branch and the power of two of how
often it was taken. The energy of an input is in proportion to the number of its branches, and 20 times as
high while it is responsible for one of them: the first to take it, or the first valid one.

Departures from the paper:

1. to 3. as in `mutate.py`, from which this differs in what is saved.
4. The trace of valid inputs gains by counts too; in JQF, by branches alone.
5. Without coverage, it does what `Mutate` does.
"""

from __future__ import annotations

from typing import ClassVar

from rlcheck.episode import Episode, Outcome
from rlcheck.learners.mutate import Mutate


class Zest(Mutate):
    """Inputs with new branches, mutated.

    Args:
        places: At how many places an input is mutated, in the mean.
        length: How many choices are made anew at each place, in the mean.
        max_inputs: How many inputs are saved; when there are more, one that is not favoured is forgotten.
    """

    coverage: ClassVar[str] = "counts"

    def __init__(
        self, *, places: float = 2.0, length: float = 1.0, max_inputs: int = 10_000, seed: int | None = None
    ) -> None:
        super().__init__(places=places, length=length, max_inputs=max_inputs, seed=seed)
        # By branch, a bit for each power of two of how often inputs took it: all inputs, and valid ones.
        self._all: dict[int, int] = {}
        self._valid: dict[int, int] = {}

    def see(self, episode: Episode) -> None:
        """Save the input of an episode, whoever made it, if its coverage is new."""
        counts = episode.counts
        if counts is None:
            super().see(episode)
            return
        owns, gained = _gain(self._all, counts)
        if episode.outcome is not Outcome.INVALID:
            first, more = _gain(self._valid, counts)
            owns, gained = first, gained or more
        if gained and episode.choices:
            self._saved.add(self.rng, tuple(episode.choices), len(counts), tuple(owns))


def _gain(seen: dict[int, int], counts: dict[int, int]) -> tuple[list[int], bool]:
    """Add what an input took: the branches that were not there, and whether any pair was not."""
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
