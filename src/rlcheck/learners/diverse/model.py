"""The model: how likely each option leads to a valid input, and the choice of one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from rlcheck.choice import ChoicePoint
from rlcheck.learners import _exploration
from rlcheck.learners.diverse.ballot import Ballot, chance_of, side_of
from rlcheck.learners.diverse.votes import Features, Site, Step
from rlcheck.protocols import State

#: A range of options is split when it was visited so often.
_SPLIT_AFTER = 8

#: How strongly likely options are preferred.
_SHARPNESS = 4

_NONE: set[int] = set()


class Model:
    """Rows of votes, and the steps of the running episode that they voted in."""

    def __init__(self, rng: Random) -> None:
        #: Of the choice that is being made: how likely each option is before anything is learned.
        self.weights: Sequence[float] | None = None
        self._rng = rng
        self._random = rng.random
        self._features = Features()
        self._sites: dict[ChoicePoint, Site] = {}
        self._resized: dict[tuple[ChoicePoint, int], Site] = {}
        self._ballot = Ballot(self._random)
        # Steps are used again in the next episode: so many of them are of this one.
        self._steps: list[Step] = []
        self._made = 0
        # How many of them there were before each choice; one from a large range makes several.
        self._marks: list[int] = []
        # The choices that follow a script, each with its number in the episode: a rejected episode is not
        # their fault, so that what votes in them is gathered only when one is better than most.
        self._followed: list[tuple[int, ChoicePoint, State, int, int]] = []
        self._swarm = False
        self._sharpness = _SHARPNESS
        self._episode = 0

    @property
    def rows(self) -> int:
        """How many rows of votes there are."""
        return self._features.rows

    def begin(self, swarm: bool) -> None:  # noqa: FBT001 - compiled
        """Start an episode, perhaps with random preferences, which votes only weigh."""
        self._swarm = swarm
        self._sharpness = 1 if swarm else _SHARPNESS
        self._episode += 1

    def end(self, most: int) -> None:
        """End an episode; forget all votes when there are more rows than so many."""
        self._made = 0
        self._marks.clear()
        self._followed.clear()
        self._swarm = False
        self._sharpness = _SHARPNESS
        if self._features.rows > most:
            self._sites, self._resized = {}, {}
            self._features.rows = 0

    def mark(self) -> None:
        """Say that the next choice begins."""
        self._marks.append(self._made)

    def discard(self, since: int, pull: float) -> None:
        """Move the votes against the choices from number `since` on, and forget them."""
        if since < len(self._marks):
            first = self._marks[since]
            self._move(first, 0.0, pull)
            self._made = first
            del self._marks[since:]
            while self._followed and self._followed[-1][0] >= since:
                self._followed.pop()

    def choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        """An option that is likely to lead to a valid input."""
        site = self._site(point, n)
        if not site.split:
            return self._pick(site, state, dead)
        return self._descend(site, state, dead)

    def follow(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that an earlier episode made."""
        self._followed.append((len(self._marks) - 1, point, state, n, index))

    def note(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that was not picked, so that it is learned from."""
        site = self._site(point, n)
        while True:
            branch = index // site.size if site.split else index
            step = self._step(site, state)
            logit = 0.0
            for number in range(step.voted):
                row = step.votes[number]
                logit += row.weights[branch]
            for number in range(step.compared):
                row = step.orders[number]
                logit += row.weights[side_of(branch, step.pivots[number])]
            self._record(step, branch, chance_of(logit))
            if not site.split or branch not in site.kids:
                return
            index -= branch * site.size
            site = site.kids[branch]

    def learn(self, valid: float, pull: float, bar: float) -> None:
        """Move the votes towards what came of the episode; those of a script only if that is above a bar."""
        if valid > bar:
            for _, point, state, n, index in self._followed:
                self.note(point, state, n, index)
        self._move(0, valid, pull)

    def _move(self, first: int, valid: float, pull: float) -> None:
        """Move the votes of the steps from the first on."""
        for place in range(first, self._made):
            step = self._steps[place]
            branch = step.branch
            change = (valid - step.chance) * pull / math.sqrt(step.voted)
            for number in range(step.voted):
                row = step.votes[number]
                row.weights[branch] += change
            step.whole.counts[branch] += 1.0
            for number in range(step.compared):
                row = step.orders[number]
                row.weights[side_of(branch, step.pivots[number])] += change

    def _step(self, site: Site, state: State) -> Step:
        """The next step, with the rows that vote in it."""
        if self._made == len(self._steps):
            self._steps.append(Step())
        step = self._steps[self._made]
        self._features.gather(step, site, state)
        return step

    def _record(self, step: Step, branch: int, chance: float) -> None:
        step.branch = branch
        step.chance = chance
        self._made += 1

    def _site(self, point: ChoicePoint, n: int) -> Site:
        site = self._sites.get(point)
        if site is not None and site.n == n:
            return site
        site = self._resized.get((point, n))
        if site is None:
            site = self._features.site(n, point.number, 0)
            self._features.split(point.number, site.size)
            if point in self._sites:
                self._resized[(point, n)] = site
            else:
                self._sites[point] = site
        return site

    def _pick(self, site: Site, state: State, dead: set[int]) -> int:
        """A branch of a site."""
        step = self._step(site, state)
        ballot = self._ballot
        ballot.score(step, site.branches, dead, self._sharpness)
        if self.weights is not None:
            ballot.weigh(site, step, self.weights)
        else:
            if self._swarm:
                ballot.bias(site, self._episode)
            if site.split:
                ballot.shorten(site)
        branch = ballot.draw(site.branches)
        if branch < 0 or (dead and branch in dead):  # In them by rounding alone.
            branch = self.any_alive(site.branches, dead)
        self._record(step, branch, ballot.chances[branch])
        return branch

    def _descend(self, site: Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        weights = self.weights
        for _ in range(8):
            before = self._made
            index = self._fall(site, state)
            self.weights = weights
            if index not in dead:
                return index
            self._made = before
        return self.any_alive(site.n, dead)

    def _fall(self, site: Site, state: State) -> int:
        while True:
            branch = self._pick(site, state, _NONE)
            low = site.low + branch * site.size
            span = min(site.size, site.n - branch * site.size)
            if span == 1:
                return low
            site.visits[branch] += 1
            if self.weights is not None:
                start = branch * site.size
                self.weights = self.weights[start : start + span]
            kid = site.kids.get(branch)
            if kid is None:
                if site.visits[branch] < _SPLIT_AFTER:
                    return low + self.any(span)
                kid = site.kids[branch] = self._features.site(span, site.number, low)
            site = kid

    def may_take(self, index: int) -> bool:
        """Whether an option has a weight, where options have weights."""
        return self.weights is None or self.weights[index] > 0.0

    def any(self, n: int) -> int:
        """Any option."""
        if self.weights is None or len(self.weights) != n:
            return _exploration.below(self._random, n)
        return _exploration.weighted_option(self._rng, self.weights)

    def any_alive(self, n: int, dead: set[int]) -> int:
        """Return any option that is not exhausted."""
        index = self.any(n)
        if not dead or index not in dead:
            return index
        if len(dead) >= n:  # Only when the generator is not a function of its choices.
            return index
        for _ in range(50):
            index = self.any(n)
            if index not in dead:
                return index
        while index in dead:
            index = (index + 1) % n
        return index
