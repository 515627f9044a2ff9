"""Recording: an observer that counts episodes and keeps some of them."""

from __future__ import annotations

from math import exp, log, log1p
from random import Random
from typing import NamedTuple

from rlcheck.episode import Episode, Outcome
from rlcheck.report.distributions import Distributions

#: How many episodes the survey gets, valid or not, each with the same probability.
_SAMPLED = 1_000

#: How many inputs the corpus holds. Inputs with the same number of choices are one kind, and each kind gets
#: at most a sixteenth, so that common kinds do not crowd out rare ones.
_CORPUS = 1_000_000
_KINDS = 16

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.


class Snapshot(NamedTuple):
    """The counts of a campaign at one moment."""

    seconds: float
    episodes: int
    valid: int
    unique_valid: int
    overruns: int
    failures: int
    #: How many states the learner keeps something about.
    states: int
    #: How many structures the valid inputs had, and how many that would be if all were equally frequent.
    shapes: int = 0
    effective_shapes: float = 0.0
    #: How many branches were covered, where they are noted.
    branches: int = 0


class Taken(NamedTuple):
    """What was recorded since it was last taken."""

    #: Inputs for the corpus, and how many options each of their choices had where that is kept.
    inputs: list[list[int]]
    options: list[list[int]]
    #: The digests of all unique valid inputs.
    digests: list[int]
    #: How many valid inputs there were of each shape.
    shapes: dict[int, int]


class Recorder:
    """Counts episodes, samples them, and keeps unique valid inputs.

    Args:
        seed: Decides which episodes are sampled.
        share: This recorder's share of the corpus, when several recorders fill it.
    """

    def __init__(self, seed: int, *, share: float = 1.0) -> None:
        self.episodes = self.valid = self.unique_valid = self.overruns = 0
        #: The number of unique valid inputs for each number of choices.
        self.sizes: dict[int, int] = {}
        #: How all inputs and the valid ones are distributed.
        self.distributions = Distributions()
        #: What was not taken yet.
        self.fresh = Taken([], [], [], {})
        #: Whether each sampled episode was valid, and its choices.
        self.sample: list[tuple[bool, list[int]]] = []
        self._shapes = self.fresh.shapes
        self._room = int(_CORPUS * share)
        self._quota = self._room // _KINDS
        self._random = Random(seed).random
        # The next episode to add to the sample, and the threshold of algorithm L.
        self._next = 0
        self._threshold = 1.0

    def __call__(self, episode: Episode) -> None:
        """Count an episode."""
        self._count(episode)

    def _count(self, episode: Episode) -> None:
        self.episodes += 1
        is_valid = episode.outcome is not _INVALID
        self.distributions.add(len(episode.choices), episode.labels, valid=is_valid)
        if is_valid:
            self.valid += 1
            self._shapes[episode.shape] = self._shapes.get(episode.shape, 0) + 1
            if episode.unique:
                self._keep(episode)
        elif episode.overrun:
            self.overruns += 1
        if self.episodes >= self._next:
            self._sample(episode)

    def take(self) -> Taken:
        """What was recorded since the last call."""
        taken, self.fresh = self.fresh, Taken([], [], [], {})
        self._shapes = self.fresh.shapes
        return taken

    def _keep(self, episode: Episode) -> None:
        self.unique_valid += 1
        size = len(episode.choices)
        count = self.sizes.get(size, 0)
        self.sizes[size] = count + 1
        if count < self._quota and self._room:
            self._room -= 1
            self.fresh.inputs.append(episode.choices)
            self.fresh.options.append(episode.sizes)
        self.fresh.digests.append(episode.digest or 0)

    def _sample(self, episode: Episode) -> None:
        """Add an episode to the sample, and draw the next one to add (Li 1994, algorithm L)."""
        kept = (episode.outcome is not _INVALID, episode.choices)
        if len(self.sample) < _SAMPLED:
            self.sample.append(kept)
        else:
            self.sample[int(self._random() * _SAMPLED)] = kept
        if len(self.sample) == _SAMPLED:
            self._threshold *= exp(log(1.0 - self._random()) / _SAMPLED)
            skipped = int(log(1.0 - self._random()) / log1p(-self._threshold))
            self._next = self.episodes + 1 + skipped
