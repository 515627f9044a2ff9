"""Diverse: the default. Samples what is likely to be valid, spreads over it, and never repeats itself.

The chance that an option leads to a valid input is a logistic sum of votes, one row of weights per
feature of the state f: the choice point alone, the place in this frame, each of the last choices in it,
every enclosing frame, and the innermost frames together; and one weight each for options before, at and
after the last choice at this point, in this frame and in those around it. After each episode, for each
choice c in it,

    w[f, c] <- w[f, c] + step_size / sqrt(features) * (valid - P(valid | state, c))

An option is taken with probability proportional to P(valid | state, c) ** sharpness / visits(state, c).
Valid inputs count up to ten times while they are rare.

It began as RLCheck (see `monte_carlo.py`) and departs from it:

1. It samples options instead of taking the best, so it does not settle in one corner of the valid inputs.
2. Votes generalise over states that share a feature; a table learns each state by itself.
3. A trie of the choices taken masks what is exhausted, so no choice sequence is made twice.
4. Some episodes prefer options at random (swarm testing), some change a valid input in a few places.
   Each of these ways gets a share of the episodes that grows with its success. What was not changed is
   not blamed when the changed input is invalid.
5. Ranges of any size are split into at most 16 parts, and those again where they are visited.
6. Options are ordered: that a choice was below or above another one is learned for all of them at once.
7. Where nearly every input is valid anyway, it steps aside: options at random, the trie alone.
8. An input that was made before is no success, and moves votes less: other choices may make the same input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_above_zero, check_between
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners import _exploration
from rlcheck.learners._archive import Archive
from rlcheck.learners._ballot import Ballot, chance_of, side_of
from rlcheck.learners._trie import Trie
from rlcheck.learners._votes import Features, Site, Step
from rlcheck.protocols import State

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.
_SPLIT_AFTER = 8
_BOOST = 10.0
_LOOK = 20
_LEAST = 0.3
_MODEL, _SWARM, _MUTATE, _IMITATE = 0, 1, 2, 3


class Diverse(LearnerBase):
    """The project's own learner.

    Args:
        sharpness: How strongly likely options are preferred; an exploring episode does not sharpen.
        step_size: How fast votes move.
        explore: The least share of the episodes for each of the two ways to explore.
        spread: How much less a valid input counts when many went the same way, past the same choice points:
            1 / sqrt(1 + spread * many), at least 0.3. It makes inputs of more different shapes, and fewer.
        brevity: How much less a valid input counts when it is longer than others, in choices:
            (mean length / length) ** brevity, at least 0.3. Long ones are changed less often, too. It makes
            shorter inputs, and more in equal time, of fewer shapes.
        max_states: How many rows of votes are kept; when there are more, all votes are forgotten.
        max_inputs: How many choice sequences are kept; when there are more, all are forgotten.
    """

    #: The call tree, with the frames kept apart.
    abstraction = "frames"
    imitates = True

    def __init__(
        self,
        *,
        sharpness: int = 4,
        step_size: float = 0.3,
        explore: float = 0.07,
        spread: float = 0.0,
        brevity: float = 0.0,
        max_states: int = 100_000,
        max_inputs: int = 500_000,
        seed: int | None = None,
    ) -> None:
        check_above_zero(10, step_size=step_size)
        check_between(1, explore=explore)
        check_between(1_000, spread=spread)
        check_between(10, brevity=brevity)  # Of a long input, a power that a float holds.
        _check_counts(sharpness, max_states, max_inputs)
        self.sharpness = sharpness
        self.step_size = step_size
        self.explore = explore
        self.spread = spread
        self.brevity = brevity
        self.max_states = max_states
        #: Whether every input there is was made.
        self.exhausted = False
        #: Whether it has stepped aside, because after 20 episodes learning did not seem to pay.
        self.blind = False
        self.rng = Random(seed)
        self._random = self.rng.random
        self._sites: dict[ChoicePoint, Site] = {}
        self._resized: dict[tuple[ChoicePoint, int], Site] = {}
        self._features = Features()
        self._trie = Trie(max_inputs)
        self._episodes = 0
        # Of the episodes that decide whether learning pays: how many there were, and how many were valid.
        self._looked = self._valid = 0
        self._valid_rate = 0.0
        self._mean_length = 0.0
        self._aside = False
        # What of the running episode was not discarded, where, and how much there was before each choice.
        self._points: list[int] = []
        self._script: list[int] = []
        self._places: list[int] = []
        # Its steps are used again in the next episode: so many of them are of this one.
        self._steps: list[Step] = []
        self._made = 0
        # How many of them there were before each choice; one from a large range makes several.
        self._marks: list[int] = []
        # Of the choice that is being made: how likely each option is before anything is learned.
        self._weights: Sequence[float] | None = None
        self._ballot = Ballot(self._random)
        self._fresh = True
        self._mode = _MODEL
        self._worth_range = [math.inf, -math.inf]
        self._rates = [0.0, 0.0, 0.5, 0.0]
        self._archive = Archive(self._random)

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many rows of votes there are."""
        return self._features.rows

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option that is likely to lead to a valid input, and was not taken too often."""
        dead = self._trie.dead(n)
        if self.blind:
            index = self._any(n)
            if dead and index in dead:
                index = self._any_alive(n, dead)
        else:
            self._marks.append(self._made)
            self._places.append(len(self._points))
            index = self._choose(point, state, n, dead)
            self._points.append(point.number)
            self._script.append(index)
        self._trie.step(index)
        return index

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """The same, where options are taken in proportion to their weights as long as nothing is known."""
        self._weights = weights
        index = self.select(point, state, n)
        self._weights = None
        return index

    def discard(self, since: int) -> None:
        """Move the votes against the choices from number `since` on; what comes is not theirs."""
        if since < len(self._marks):
            self._move(self._marks[since], 0.0, self.step_size, -1.0)
            self._made = self._marks[since]
            del self._points[self._places[since] :]
            del self._script[self._places[since] :]

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that somebody else made."""
        self.blind = self._fresh = False
        self._mode = _IMITATE
        self._marks.append(self._made)
        self._places.append(len(self._points))
        self._note(self._site(point, n), state, index)
        self._points.append(point.number)
        self._script.append(index)
        self._trie.dead(n)
        self._trie.step(index)

    def update(self, episode: Episode) -> None:
        """Move the votes for every choice of the episode, and remember the episode."""
        outcome = episode.outcome
        valid = min(max(episode.progress, 0.0), 0.99) if outcome is _INVALID else 1.0
        worth = self._standing(episode.earned + episode.reward) if episode.unique else 1.0
        self._episodes += 1
        self._trie.close()
        self.exhausted = self._trie.exhausted
        if not self.blind:
            self._learn(valid * worth, outcome is _INVALID or episode.unique)
        if self._mode != _IMITATE and (self._aside or self._looked < _LOOK):
            self._looked += 1
            self._valid += outcome is not _INVALID
            low, high = self._worth_range
            self._aside = self._looked >= _LOOK and self._valid > 0.9 * self._looked and low >= high
        self._end()

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Never make these choices, each of so many options: another worker has."""
        self._trie.enter(choices, sizes)
        self.exhausted = self._trie.exhausted

    def drop(self) -> None:
        """Forget the running episode."""
        self._trie.drop()
        self._end()

    def _standing(self, worth: float) -> float:
        """Return what a new valid input counts by its worth, beside others: from 0.3 to 1."""
        low, high = self._worth_range
        low, high = min(low, worth), max(high, worth)
        self._worth_range = [low, high]
        return 1.0 if low == high else _LEAST + (1.0 - _LEAST) * (worth - low) / (high - low)

    def _learn(self, valid: float, new: bool) -> None:  # noqa: FBT001 - compiled
        success = valid if new else 0.0
        self._rates[self._mode] += (success - self._rates[self._mode]) * 0.02
        pull = self.step_size
        mean = self._valid_rate
        self._valid_rate += (valid - self._valid_rate) * 0.01
        if valid > mean:
            # The rarer valid inputs are, the more each of them counts: as if half of the inputs were valid.
            pull *= min(_BOOST, max(1.0, (1.0 - self._valid_rate) / (self._valid_rate + 0.001)))
        if success > 0.0:
            many = self._archive.keep(self._points, self._script, valid)
            if valid >= 1.0:  # What is only near may be the one way there is.
                valid *= max(_LEAST, self._worth(many))
        elif self._archive.empty:
            return  # What is worse than the rest is not known before something was better.
        self._move(0, valid, pull if new else self.step_size, mean)

    def _worth(self, many: int) -> float:
        """What a valid input counts that went the same way as so many."""
        length = max(1.0, float(len(self._script)))
        self._mean_length += (length - self._mean_length) * (0.02 if self._mean_length else 1.0)
        shorter = min(1.0, self._mean_length / length)
        return math.pow(shorter, self.brevity) / math.sqrt(1.0 + self.spread * many)

    def _move(self, first: int, valid: float, pull: float, bar: float) -> None:
        """Move the votes of the steps from the first on towards what came of them."""
        for place in range(first, self._made):
            step = self._steps[place]
            if step.followed and valid <= bar:
                continue  # What was changed is to blame, not the valid input around it.
            branch = step.branch
            change = (valid - step.chance) * pull / math.sqrt(step.voted)
            for number in range(step.voted):
                row = step.votes[number]
                row.weights[branch] += change
            step.whole.counts[branch] += 1.0
            for number in range(step.compared):
                row = step.orders[number]
                row.weights[side_of(branch, step.pivots[number])] += change

    def _end(self) -> None:
        self._fresh = True
        self._mode = _MODEL
        self.blind = self._aside
        self._points, self._script, self._marks, self._places = [], [], [], []
        self._made = 0
        if self._features.rows > self.max_states:
            self._sites, self._resized = {}, {}
            self._features.rows = 0

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        model = _cube(self._rates[_MODEL] + 0.05)
        swarm = _cube(self._rates[_SWARM] + 0.05)
        mutate = 0.0 if self._archive.empty else _cube(self._rates[_MUTATE] + 0.05)
        least = self.explore * (model + swarm + mutate)
        swarm += least
        if not self._archive.empty:
            mutate += least
        roll = self._random()
        left = roll * (model + swarm + mutate) - model
        self._mode = _MODEL if left < 0.0 else _SWARM if left < swarm else _MUTATE
        if self._mode == _MUTATE:
            self._archive.open(self.brevity)

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._fresh:
            self._begin()
        site = self._site(point, n)
        if self._mode == _MUTATE:
            index = self._archive.follow(point.number, n)
            if index >= 0 and not (dead and index in dead):
                self._note(site, state, index)
                return index
        if not site.split:
            return self._pick(site, state, dead)
        return self._descend(site, state, dead)

    def _note(self, site: Site, state: State, index: int) -> None:
        """Record a choice that was not picked, so that it is learned from."""
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
            step.followed = self._mode == _MUTATE
            if not site.split or branch not in site.kids:
                return
            index -= branch * site.size
            site = site.kids[branch]

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
        step.followed = False
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
        sharpen = self._mode == _MODEL or (self._mode == _MUTATE and self._archive.lost)
        ballot = self._ballot
        ballot.score(step, site.branches, dead, self.sharpness if sharpen else 1)
        if self._weights is not None:
            ballot.weigh(site, step, self._weights)
        else:
            if self._mode == _SWARM:
                ballot.bias(site, self._episodes)
            if site.split:
                ballot.shorten(site)
        branch = ballot.draw(site.branches)
        if branch < 0 or (dead and branch in dead):  # In them by rounding alone.
            branch = self._any_alive(site.branches, dead)
        self._record(step, branch, ballot.chances[branch])
        return branch

    def _descend(self, site: Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        weights = self._weights
        for _ in range(8):
            before = self._made
            index = self._fall(site, state)
            self._weights = weights
            if index not in dead:
                return index
            self._made = before
        return self._any_alive(site.n, dead)

    def _fall(self, site: Site, state: State) -> int:
        while True:
            branch = self._pick(site, state, _NONE)
            low = site.low + branch * site.size
            span = min(site.size, site.n - branch * site.size)
            if span == 1:
                return low
            site.visits[branch] += 1
            if self._weights is not None:
                start = branch * site.size
                self._weights = self._weights[start : start + span]
            kid = site.kids.get(branch)
            if kid is None:
                if site.visits[branch] < _SPLIT_AFTER:
                    return low + self._any(span)
                kid = site.kids[branch] = self._features.site(span, site.number, low)
            site = kid

    def _any(self, n: int) -> int:
        if self._weights is None or len(self._weights) != n:
            return _exploration.below(self._random, n)
        return _exploration.weighted_option(self.rng, self._weights)

    def _any_alive(self, n: int, dead: set[int]) -> int:
        if len(dead) >= n:  # Only when the generator is not a function of its choices.
            return self._any(n)
        for _ in range(50):
            index = self._any(n)
            if index not in dead:
                return index
        while index in dead:
            index = (index + 1) % n
        return index


_NONE: set[int] = set()


def _check_counts(sharpness: int, max_states: int, max_inputs: int) -> None:
    if not isinstance(sharpness, int) or sharpness < 1:
        raise ConfigurationError(f"sharpness={sharpness!r} must be an integer of at least 1.")
    if max_states < 1 or max_inputs < 1:
        raise ConfigurationError(f"{max_states=} and {max_inputs=} must be at least 1.")


def _cube(x: float) -> float:
    return x * x * x
