"""The ballot: how votes become the choice of a branch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rlcheck.learners.diverse.votes import ZEROS, Site, Step

#: How often a branch is taken at random.
_RANDOM = 0.01


class Ballot:
    """Scores the branches of a step, and draws one in proportion to its score."""

    def __init__(self, random: Callable[[], float]) -> None:
        #: Of each branch, how likely it leads to a valid input.
        self.chances: list[float] = ZEROS[:]
        self._scores: list[float] = ZEROS[:]
        self._total = 0.0
        self._any = _RANDOM
        self._random = random

    def score(self, step: Step, n: int, dead: set[int], sharpness: int) -> None:
        """Count the votes: the score is chance ** sharpness / visits."""
        chances, scores = self.chances, self._scores
        for branch in range(n):
            chances[branch] = 0.0
        for number in range(step.voted):
            row = step.votes[number]
            weights = row.weights
            for branch in range(n):
                chances[branch] += weights[branch]
        counts = step.whole.counts
        for number in range(step.compared):
            pivot = step.pivots[number]
            row = step.orders[number]
            weights = row.weights
            for branch in range(n):
                chances[branch] += weights[side_of(branch, pivot)]
        some_dead = len(dead) > 0
        total = 0.0
        for branch in range(n):
            chance = chances[branch] = chance_of(chances[branch])
            if some_dead and branch in dead:
                score = 0.0
            else:
                score = chance / counts[branch]
                for _ in range(sharpness - 1):
                    score *= chance
            scores[branch] = score
            total += score
        self._total = total
        self._any = _RANDOM

    def weigh(self, site: Site, step: Step, weights: Sequence[float]) -> None:
        """Heed the weights of options: they balance at these, where others do at equal visits."""
        scores = self._scores
        counts = step.whole.counts
        of_branch = ZEROS[:]
        weighed = taken = total = 0.0
        for branch in range(site.branches):
            for index in range(branch * site.size, min((branch + 1) * site.size, site.n)):
                of_branch[branch] += weights[index]
            weighed += of_branch[branch]
            taken += counts[branch] - 1.0
        for branch in range(site.branches):
            share = of_branch[branch] / weighed
            # As if each had been taken once per branch, in proportion to its weight.
            visits = counts[branch] - 1.0 + share * site.branches
            if share > 0.0:
                scores[branch] *= counts[branch] * share * share * (taken + site.branches) / visits
            else:
                scores[branch] = 0.0
            total += scores[branch]
        self._total = total
        self._any = 0.0  # It may have no weight.

    def bias(self, site: Site, episode: int) -> None:
        """Heed the random preferences of an episode."""
        scores, swarm = self._scores, site.swarm
        if site.swarmed != episode:
            site.swarmed = episode
            for branch in range(site.branches):
                roll = self._random()
                swarm[branch] = -math.log(1.0 - roll)
        total = 0.0
        for branch in range(site.branches):
            scores[branch] *= swarm[branch]
            total += scores[branch]
        self._total = total

    def shorten(self, site: Site) -> None:
        """Make up for the last range of a site, which may be shorter than the others."""
        last = site.branches - 1
        share = (site.n - last * site.size) / site.size
        self._total -= self._scores[last] * (1.0 - share)
        self._scores[last] *= share

    def draw(self, n: int) -> int:
        """A branch with probability proportional to its score; -1 now and then, for any."""
        if self._total <= 0.0:
            return -1
        roll = self._random()
        if roll < self._any:
            return -1
        scores = self._scores
        roll = self._random()
        left = roll * self._total
        for branch in range(n):
            left -= scores[branch]
            if left < 0.0:
                return branch
        return n - 1


def chance_of(logit: float) -> float:
    """What a sum of votes means."""
    return 1.0 / (1.0 + math.exp(-logit if logit > -30.0 else 30.0))


def side_of(branch: int, pivot: int) -> int:
    """Whether a branch is before, at or after a pivot."""
    return 0 if branch < pivot else 1 if branch == pivot else 2
