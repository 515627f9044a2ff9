"""Recording: an observer that counts episodes, and keeps some of them."""

from __future__ import annotations

from math import exp, log, log1p
from random import Random
from typing import NamedTuple

from rlcheck.episode import Episode, Outcome

#: How many episodes are kept to survey, valid or not, each as likely as any other.
_SAMPLED = 1_000

#: How many inputs are kept for the corpus. Inputs with the same number of choices are of one kind, and no
#: kind gets more than a sixteenth: what is common does not crowd out what is rare.
_CORPUS = 1_000_000
_KINDS = 16

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.


class Snapshot(NamedTuple):
    """How far a campaign is."""

    seconds: float
    episodes: int
    valid: int
    unique_valid: int
    overruns: int
    failures: int
    #: How many rows the learner's table has.
    states: int


class Recorder:
    """Counts episodes, samples them, and keeps unique valid inputs.

    Args:
        seed: Which episodes are sampled.
        share: The part of the corpus that is this recorder's, where there are several.
    """

    def __init__(self, seed: int, *, share: float = 1.0) -> None:
        self.episodes = self.valid = self.unique_valid = self.overruns = 0
        #: How many unique valid inputs there were of each number of choices.
        self.sizes: dict[int, int] = {}
        #: Unique valid inputs for the corpus that were not taken yet, how many options each of their choices
        #: had where that is kept, and the digests of all that were not.
        self.fresh: list[list[int]] = []
        self.options: list[list[int]] = []
        self.digests: list[int] = []
        #: Whether each sampled episode was valid, and its choices.
        self.sample: list[tuple[bool, list[int]]] = []
        self._room = int(_CORPUS * share)
        self._quota = self._room // _KINDS
        self._random = Random(seed).random
        # The next episode of the sample, and the highest of as many random numbers as it has.
        self._next = 0
        self._threshold = 1.0

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self._count(episode)

    def _count(self, episode: Episode) -> None:
        self.episodes += 1
        if episode.outcome is not _INVALID:
            self.valid += 1
            if episode.unique:
                self._keep(episode)
        elif episode.overrun:
            self.overruns += 1
        if self.episodes >= self._next:
            self._sample(episode)

    def take(self) -> tuple[list[list[int]], list[list[int]], list[int]]:
        """The inputs for the corpus, their options and the digests that came since they were last taken."""
        taken = self.fresh, self.options, self.digests
        self.fresh, self.options, self.digests = [], [], []
        return taken

    def _keep(self, episode: Episode) -> None:
        self.unique_valid += 1
        size = len(episode.choices)
        count = self.sizes.get(size, 0)
        self.sizes[size] = count + 1
        if count < self._quota and self._room:
            self._room -= 1
            self.fresh.append(episode.choices)
            self.options.append(episode.sizes)
        self.digests.append(episode.digest or 0)

    def _sample(self, episode: Episode) -> None:
        """Keep an episode in the sample, and draw which is the next one (Li 1994, algorithm L)."""
        kept = (episode.outcome is not _INVALID, episode.choices)
        if len(self.sample) < _SAMPLED:
            self.sample.append(kept)
        else:
            self.sample[int(self._random() * _SAMPLED)] = kept
        if len(self.sample) == _SAMPLED:
            self._threshold *= exp(log(1.0 - self._random()) / _SAMPLED)
            skipped = int(log(1.0 - self._random()) / log1p(-self._threshold))
            self._next = self.episodes + 1 + skipped
