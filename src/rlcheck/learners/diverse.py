"""Diverse: the default. Samples what is likely to be valid, spreads over it, and never repeats itself.

The chance that an option leads to a valid input is a logistic sum of votes, one row of weights per
feature of the state f: the choice point alone, each of the last choices in this frame, every enclosing
frame, and the innermost frames together. After each episode, for each choice c in it,

    w[f, c] <- w[f, c] + step_size / math.sqrt(features) * (valid - P(valid | state, c))

An option is taken with probability proportional to P(valid | state, c) ** sharpness / visits(state, c).
Valid inputs count up to ten times while they are rare.

It began as RLCheck (see `monte_carlo.py`) and departs from it:

1. It samples options instead of taking the best, so it does not settle in one corner of the valid inputs.
2. Votes generalise over states that share a feature; a table learns each state by itself.
3. A trie of the choices taken masks what is exhausted, so no choice sequence is made twice.
4. Some episodes prefer options at random (swarm testing), some change a valid input in a few places.
   Each of these ways gets a share of the episodes that grows with its success.
5. Ranges of any size are split into at most 16 parts, and those again where they are visited.
6. Where nearly every input is valid anyway, it steps aside: options at random, the trie alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners import _exploration
from rlcheck.learners._trie import Trie
from rlcheck.learners._votes import ZEROS, Features, Site, Step, Votes
from rlcheck.protocols import State

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.
_SPLIT_AFTER = 8
_BOOST = 10.0
_LOOK = 20
_ARCHIVED = 500
_MODEL, _SWARM, _MUTATE, _IMITATE = 0, 1, 2, 3


class Diverse:
    """The project's own learner.

    Args:
        sharpness: How strongly likely options are preferred; an exploring episode does not sharpen.
        step_size: How fast votes move.
        explore: The least share of the episodes for each of the two ways to explore.
        max_states: How many rows of votes are kept; when there are more, all votes are forgotten.
        max_inputs: How many choice sequences are kept; when there are more, all are forgotten.
    """

    #: The call tree, with the frames kept apart.
    abstraction = "frames"

    def __init__(
        self,
        *,
        sharpness: int = 4,
        step_size: float = 0.3,
        explore: float = 0.07,
        max_states: int = 100_000,
        max_inputs: int = 500_000,
        seed: int | None = None,
    ) -> None:
        if not isinstance(sharpness, int) or sharpness < 1:
            raise ConfigurationError(f"sharpness={sharpness!r} must be an integer of at least 1.")
        if not 0 < step_size <= 10:
            raise ConfigurationError(f"step_size={step_size!r} must be above 0 and at most 10.")
        if not 0 <= explore <= 1:
            raise ConfigurationError(f"explore={explore!r} must lie between 0 and 1.")
        if max_states < 1 or max_inputs < 1:
            raise ConfigurationError(f"{max_states=} and {max_inputs=} must be at least 1.")
        self.sharpness = sharpness
        self.step_size = step_size
        self.explore = explore
        self.max_states = max_states
        #: How many rows of votes there are.
        self.states = 0
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
        self._valid = 0
        self._valid_rate = 0.0
        # The running episode: what was taken where.
        self._taken: list[int] = []
        self._points: list[int] = []
        # Its steps are used again in the next episode: so many of them are of this one.
        self._steps: list[Step] = []
        self._made = 0
        # Of each branch of the choice that is being made.
        self._chances: list[float] = ZEROS[:]
        self._scores: list[float] = ZEROS[:]
        self._last_reward = 0.0
        self._progress = 0.0
        self._best = 0.0
        self._fresh = True
        self._mode = _MODEL
        self._rates = [0.0, 0.0, 0.5, 0.0]
        self._to_imitate: list[list[int]] = []
        # The best episodes as (points, choices); the one that is being changed, and how far it was followed.
        self._archive: list[tuple[list[int], list[int]]] = []
        self._script_points: list[int] = []
        self._script: list[int] = []
        self._place = 0
        self._leave = 0.0

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option that is likely to lead to a valid input, and was not taken too often."""
        dead = self._trie.dead(n)
        if self.blind:
            index = _exploration.below(self._random, n)
            if dead and index in dead:
                index = self._any_alive(n, dead)
        else:
            index = self._choose(point, state, n, dead)
            self._points.append(point.number)
        self._trie.step(index)
        self._taken.append(index)
        return index

    def reward(self, value: float) -> None:
        """Rewards before the last one are progress towards a valid input; the last is the outcome's."""
        self._progress += self._last_reward
        self._last_reward = value

    def update(self, outcome: Outcome) -> None:
        """Move the votes for every choice of the episode, and remember the episode."""
        valid = min(max(self._progress, 0.0), 0.99) if outcome is _INVALID else 1.0
        self._episodes += 1
        self._trie.close(self._taken)
        self.exhausted = self._trie.exhausted
        if not self.blind:
            self._learn(valid)
        if self.blind or self._episodes <= _LOOK:
            self._valid += outcome is not _INVALID
            self.blind = self._episodes >= _LOOK and self._valid > 0.9 * self._episodes
        self._end()

    def imitate(self, choices: Sequence[int]) -> None:
        """Take these choices in an episode to come, as far as they fit."""
        self._to_imitate.append(list(choices))

    def drop(self) -> None:
        """Forget the running episode."""
        self._trie.close([])
        self._end()

    def _learn(self, valid: float) -> None:
        self._rates[self._mode] += (valid - self._rates[self._mode]) * 0.02
        pull = self.step_size
        better = valid > self._valid_rate
        self._valid_rate += (valid - self._valid_rate) * 0.01
        if better:
            # The rarer valid inputs are, the more each of them counts: as if half of the inputs were valid.
            pull *= min(_BOOST, max(1.0, (1.0 - self._valid_rate) / (self._valid_rate + 0.001)))
        if valid > 0.0:
            self._keep(valid)
        elif not self._archive:
            return  # What is worse than the rest is not known before something was better.
        for place in range(self._made):
            step = self._steps[place]
            change = (valid - step.chance) * pull / math.sqrt(len(step.votes))
            for row in step.votes:
                row.weights[step.branch] += change
            row.counts[step.branch] += 1.0  # The last one: the state as a whole.

    def _end(self) -> None:
        self._fresh = True
        self._last_reward = self._progress = 0.0
        self._taken, self._points = [], []
        self._made = 0
        if self.states > self.max_states:
            self._sites, self._resized, self.states = {}, {}, 0
            self._features.forget()

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        if self._to_imitate:
            self._mode = _IMITATE
            self._script = self._to_imitate.pop(0)
            return
        model = _cube(self._rates[_MODEL] + 0.05)
        swarm = _cube(self._rates[_SWARM] + 0.05)
        mutate = _cube(self._rates[_MUTATE] + 0.05) if self._archive else 0.0
        least = self.explore * (model + swarm + mutate)
        swarm += least
        if self._archive:
            mutate += least
        roll = self._random()
        left = roll * (model + swarm + mutate) - model
        self._mode = _MODEL if left < 0.0 else _SWARM if left < swarm else _MUTATE
        if self._mode == _MUTATE:
            kept = _exploration.below(self._random, len(self._archive))
            self._script_points, self._script = self._archive[kept]
            self._place = 0
            self._leave = 1.5 / len(self._script)

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._fresh:
            self._begin()
        if self._mode == _IMITATE:
            place = len(self._taken)
            index = self._script[place] if place < len(self._script) else n
            if 0 <= index < n:
                self._note(self._site(point, n), state, index)
                return index
            self._mode = _MODEL
        site = self._site(point, n)
        if self._mode == _MUTATE:
            index = self._follow(point, n)
            if index >= 0 and index not in dead:
                self._note(site, state, index)
                return index
        if not site.split:
            return self._pick(site, state, dead)
        return self._descend(site, state, dead)

    def _follow(self, point: ChoicePoint, n: int) -> int:
        """What the script chose at this point, or -1 to leave it; it may have lost its place a little."""
        place = self._place
        end = min(len(self._script), place + 6)
        while place < end:
            number = self._script_points[place]
            if number == point.number:
                break
            place += 1
        if place >= end:
            return -1
        self._place = place + 1
        index = self._script[place]
        if index >= n:
            return -1
        roll = self._random()
        return -1 if roll < self._leave else index

    def _keep(self, valid: float) -> None:
        """Put the episode into the archive of the best ones: valid, or nearer to it than any before."""
        if not self._taken or valid < self._best:
            return
        if valid > self._best:
            self._archive.clear()
            self._best = valid
        kept = (self._points, self._taken)
        if len(self._archive) < _ARCHIVED:
            self._archive.append(kept)
        else:
            self._archive[_exploration.below(self._random, _ARCHIVED)] = kept

    def _note(self, site: Site, state: State, index: int) -> None:
        """Record a choice that was not picked, so that it is learned from."""
        while site.split:
            branch = index // site.size
            self._note_branch(site, state, branch)
            index -= branch * site.size
            kid = site.kids.get(branch)
            if kid is None:
                return
            site = kid
        self._note_branch(site, state, index)

    def _note_branch(self, site: Site, state: State, branch: int) -> None:
        votes = self._gather(site, state)
        logit = 0.0
        for row in votes:
            logit += row.weights[branch]
        self._record(votes, branch, _chance(logit))

    def _record(self, votes: list[Votes], branch: int, chance: float) -> None:
        if self._made == len(self._steps):
            self._steps.append(Step())
        step = self._steps[self._made]
        step.votes = votes
        step.branch = branch
        step.chance = chance
        self._made += 1

    def _site(self, point: ChoicePoint, n: int) -> Site:
        site = self._sites.get(point)
        if site is not None and site.n == n:
            return site
        site = self._resized.get((point, n))
        if site is None:
            site = Site(n)
            self.states += 1
            self._features.split(point.number, site.size)
            if point in self._sites:
                self._resized[(point, n)] = site
            else:
                self._sites[point] = site
        return site

    def _pick(self, site: Site, state: State, dead: set[int]) -> int:
        """A branch of a site."""
        votes = self._gather(site, state)
        total = self._score(votes, site.branches, dead)
        if self._mode == _SWARM:
            total = self._bias(site)
        if site.split:
            total = self._shorten(site, total)
        branch = self._sample(site.branches, total, dead)
        self._record(votes, branch, self._chances[branch])
        return branch

    def _score(self, votes: list[Votes], n: int, dead: set[int]) -> float:
        """Set the chance and the score of every branch; the sum of the scores."""
        chances, scores = self._chances, self._scores
        for branch in range(n):
            chances[branch] = 0.0
        for row in votes:
            weights = row.weights
            for branch in range(n):
                chances[branch] += weights[branch]
        counts = row.counts
        factors = self.sharpness - 1 if self._mode == _MODEL else 0
        some_dead = len(dead) > 0
        total = 0.0
        for branch in range(n):
            chance = chances[branch] = _chance(chances[branch])
            if some_dead and branch in dead:
                score = 0.0
            else:
                score = chance / counts[branch]
                for _ in range(factors):
                    score *= chance
            scores[branch] = score
            total += score
        return total

    def _bias(self, site: Site) -> float:
        """Multiply the scores by the random preferences of this episode; their new sum."""
        scores, swarm = self._scores, site.swarm
        if site.swarmed != self._episodes:
            site.swarmed = self._episodes
            for branch in range(site.branches):
                roll = self._random()
                root = math.log(1.0 - roll)
                swarm[branch] = root * root
        total = 0.0
        for branch in range(site.branches):
            scores[branch] *= swarm[branch]
            total += scores[branch]
        return total

    def _shorten(self, site: Site, total: float) -> float:
        """Make up for the last range of a site, which may be shorter than the others."""
        last = site.branches - 1
        share = (site.n - last * site.size) / site.size
        total -= self._scores[last] * (1.0 - share)
        self._scores[last] *= share
        return total

    def _sample(self, n: int, total: float, dead: set[int]) -> int:
        """A branch with probability proportional to its score; now and then any."""
        if total <= 0.0:
            return self._any_alive(n, dead)
        roll = self._random()
        if roll < 0.01:
            return self._any_alive(n, dead)
        scores = self._scores
        roll = self._random()
        left = roll * total
        branch = n - 1
        for candidate in range(n):
            left -= scores[candidate]
            if left < 0.0:
                branch = candidate
                break
        if dead and branch in dead:  # By rounding alone.
            return self._any_alive(n, dead)
        return branch

    def _descend(self, site: Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        for _ in range(8):
            before = self._made
            index = self._fall(site, state)
            if index not in dead:
                return index
            self._made = before
        return self._any_alive(site.n, dead)

    def _fall(self, site: Site, state: State) -> int:
        low = 0
        while True:
            branch = self._pick(site, state, _NONE)
            low += branch * site.size
            span = min(site.size, site.n - branch * site.size)
            if span == 1:
                return low
            site.visits[branch] += 1
            kid = site.kids.get(branch)
            if kid is None:
                if site.visits[branch] < _SPLIT_AFTER:
                    return low + _exploration.below(self._random, span)
                kid = site.kids[branch] = Site(span)
                self.states += 1
            site = kid

    def _any_alive(self, n: int, dead: set[int]) -> int:
        if len(dead) >= n:  # Only when the generator is not a function of its choices.
            return _exploration.below(self._random, n)
        for _ in range(50):
            index = _exploration.below(self._random, n)
            if index not in dead:
                return index
        while index in dead:
            index = (index + 1) % n
        return index

    def _gather(self, site: Site, state: State) -> list[Votes]:
        """The rows of a state's features; the last one counts visits."""
        found: list[Any] = self._features.of(state)
        found[0] = site.common
        for place in range(1, len(found)):
            row = site.rows.get(found[place])
            if row is None:
                row = site.rows[found[place]] = Votes()
                self.states += 1
            found[place] = row  # In the place of its feature: no second list.
        return found


_NONE: set[int] = set()


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit if logit > -30.0 else 30.0))


def _cube(x: float) -> float:
    return x * x * x
