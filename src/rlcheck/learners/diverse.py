"""Diverse: the default. Samples what is likely to be valid, spreads over it, and never repeats itself.

The chance that an option leads to a valid input is a logistic sum of votes, one row of weights per
feature of the state f: the choice point alone, each of the last choices in this frame, every enclosing
frame, and the innermost frames together. After each episode, for each choice c in it,

    w[f, c] <- w[f, c] + step_size / sqrt(features) * (valid - P(valid | state, c))

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

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log, sqrt
from random import Random

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option, weighted_option
from rlcheck.learners._trie import Trie
from rlcheck.learners._votes import Site, Votes, features
from rlcheck.protocols import State

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
        # How many options of a point are one range, by the point's number.
        self._grains: dict[int, int] = {}
        self._trie = Trie(max_inputs)
        self._episodes = 0
        self._valid = 0
        self._aside = False
        self._valid_rate = 0.0
        # The running episode: what was taken where, and the votes for it.
        self._taken: list[int] = []
        self._points: list[int] = []
        self._votes: list[list[Votes]] = []
        self._branches: list[int] = []
        self._chances: list[float] = []
        # How many votes there were at each choice; a choice from a large range is several.
        self._marks: list[int] = []
        self._weights: Sequence[float] | None = None
        self._last_reward = 0.0
        self._progress = 0.0
        self._best = 0.0
        self._fresh = True
        self._mode = _MODEL
        self._rates = [0.0, 0.0, 0.5, 0.0]
        self._to_imitate: list[Iterator[int]] = []
        self._lead: Iterator[int] = iter(())
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
            index = self._any(n)
            if index in dead:
                index = self._any_alive(n, dead)
        else:
            self._marks.append(len(self._votes))
            index = self._choose(point, state, n, dead)
            self._points.append(point.number)
        self._trie.step(index)
        self._taken.append(index)
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
            mark = self._marks[since]
            self._move(mark, 0.0, self.step_size)
            del self._votes[mark:], self._branches[mark:], self._chances[mark:]

    def reward(self, value: float) -> None:
        """Rewards before the last one are progress towards a valid input; the last is the outcome's."""
        self._progress += self._last_reward
        self._last_reward = value

    def update(self, outcome: Outcome) -> None:
        """Move the votes for every choice of the episode, and remember the episode."""
        valid = min(max(self._progress, 0.0), 0.99) if outcome is Outcome.INVALID else 1.0
        self._episodes += 1
        self._trie.close(self._taken)
        self.exhausted = self._trie.exhausted
        if not self.blind:
            self._learn(valid)
        if self._aside or self._episodes <= _LOOK:
            self._valid += outcome is not Outcome.INVALID
            self._aside = self._episodes >= _LOOK and self._valid > 0.9 * self._episodes
        self._end()

    def imitate(self, choices: Iterable[int]) -> None:
        """Take these choices in an episode to come, as far as they fit."""
        self._to_imitate.append(iter(choices))
        if self._fresh:
            self.blind = False

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
        self._move(0, valid, pull)

    def _move(self, mark: int, valid: float, pull: float) -> None:
        """Move the votes from a mark on towards what came of them."""
        for step in range(mark, len(self._votes)):
            votes = self._votes[step]
            branch = self._branches[step]
            change = (valid - self._chances[step]) * pull / sqrt(len(votes))
            for row in votes:
                row.weights[branch] += change
            votes[-1].counts[branch] += 1.0

    def _end(self) -> None:
        self._fresh = True
        self._marks = []
        self.blind = self._aside and not self._to_imitate
        self._last_reward = self._progress = 0.0
        self._taken, self._points, self._votes, self._branches, self._chances = [], [], [], [], []
        if self.states > self.max_states:
            self._sites, self._resized, self.states = {}, {}, 0

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        if self._to_imitate:
            self._mode = _IMITATE
            self._lead = self._to_imitate.pop(0)
            return
        shares = [(self._rates[way] + 0.05) ** 3 for way in (_MODEL, _SWARM, _MUTATE)]
        if not self._archive:
            shares[_MUTATE] = 0.0
        least = self.explore * (shares[_MODEL] + shares[_SWARM] + shares[_MUTATE])
        shares[_SWARM] += least
        if self._archive:
            shares[_MUTATE] += least
        left = self._random() * (shares[_MODEL] + shares[_SWARM] + shares[_MUTATE]) - shares[_MODEL]
        self._mode = _MODEL if left < 0.0 else _SWARM if left < shares[_SWARM] else _MUTATE
        if self._mode == _MUTATE:
            self._script_points, self._script = self._archive[any_option(self.rng, len(self._archive))]
            self._place = 0
            self._leave = 1.5 / len(self._script)

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._fresh:
            self._begin()
        if self._mode == _IMITATE:
            index = next(self._lead, n)
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
        if site.size == 1:
            return self._pick(site, state, dead)
        return self._descend(site, state, dead)

    def _follow(self, point: ChoicePoint, n: int) -> int:
        """What the script chose at this point, or -1 to leave it; it may have lost its place a little."""
        place = self._place
        end = min(len(self._script), place + 6)
        while place < end and self._script_points[place] != point.number:
            place += 1
        if place >= end:
            return -1
        self._place = place + 1
        index = self._script[place]
        if index >= n or self._random() < self._leave:
            return -1
        return index

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
            self._archive[any_option(self.rng, _ARCHIVED)] = kept

    def _note(self, site: Site, state: State, index: int) -> None:
        """Record a choice that was not picked, so that it is learned from."""
        while True:
            branch = index // site.size
            self._record(self._gather(site, state), branch)
            index -= branch * site.size
            kid = site.kids.get(branch)
            if kid is None:
                return
            site = kid

    def _record(self, votes: list[Votes], branch: int) -> None:
        logit = 0.0
        for row in votes:
            logit += row.weights[branch]
        self._votes.append(votes)
        self._branches.append(branch)
        self._chances.append(1.0 / (1.0 + exp(-logit if logit > -30.0 else 30.0)))

    def _site(self, point: ChoicePoint, n: int) -> Site:
        site = self._sites.get(point)
        if site is not None and site.n == n:
            return site
        site = self._resized.get((point, n))
        if site is None:
            site = Site(n)
            self._grains[point.number] = site.size
            if point in self._sites:
                self._resized[(point, n)] = site
            else:
                self._sites[point] = site
        return site

    def _pick(self, site: Site, state: State, dead: set[int]) -> int:
        """A branch of a site."""
        votes = self._gather(site, state)
        n = site.branches
        counts = votes[-1].counts
        factors = self.sharpness - 1 if self._mode == _MODEL else 0
        some_dead = len(dead) > 0
        scores: list[float] = []
        total = 0.0
        for branch in range(n):
            if some_dead and branch in dead:
                scores.append(0.0)
                continue
            logit = 0.0
            for row in votes:
                logit += row.weights[branch]
            chance = 1.0 / (1.0 + exp(-logit if logit > -30.0 else 30.0))
            score = chance / counts[branch]
            for _ in range(factors):
                score *= chance
            scores.append(score)
            total += score
        if self._weights is not None:
            total = self._weigh(site, scores, counts)
        elif self._mode == _SWARM:
            total = self._bias(site, scores)
        if site.size > 1 and self._weights is None:  # The last range may be shorter than the others.
            rest = site.n - (n - 1) * site.size
            total -= scores[n - 1] * (1.0 - rest / site.size)
            scores[n - 1] *= rest / site.size
        if total <= 0.0 or (self._weights is None and self._random() < 0.01):
            branch = self._any_alive(n, dead)
        else:
            left = self._random() * total
            branch = n - 1
            for candidate in range(n):
                left -= scores[candidate]
                if left < 0.0:
                    branch = candidate
                    break
            if some_dead and branch in dead:  # By rounding alone.
                branch = self._any_alive(n, dead)
        self._record(votes, branch)
        return branch

    def _descend(self, site: Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        weights = self._weights
        for _ in range(8):
            depth = len(self._votes)
            index = self._fall(site, state)
            self._weights = weights
            if index not in dead:
                return index
            del self._votes[depth:], self._branches[depth:], self._chances[depth:]
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
            if self._weights is not None:
                start = branch * site.size
                self._weights = self._weights[start : start + span]
            kid = site.kids.get(branch)
            if kid is None:
                if site.visits[branch] < _SPLIT_AFTER:
                    return low + self._any(span)
                kid = site.kids[branch] = Site(span)
            site = kid

    def _any(self, n: int) -> int:
        if self._weights is None or len(self._weights) != n:
            return any_option(self.rng, n)
        return weighted_option(self.rng, self._weights)

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

    def _weigh(self, site: Site, scores: list[float], counts: list[float]) -> float:
        """Make scores heed the weights: options balance at their weights, where others do at equal visits."""
        assert self._weights is not None
        weights: list[float] = []
        weighed = taken = total = 0.0
        for branch in range(site.branches):
            weight = 0.0
            for index in range(branch * site.size, min((branch + 1) * site.size, site.n)):
                weight += self._weights[index]
            weights.append(weight)
            weighed += weight
            taken += counts[branch] - 1.0
        for branch in range(site.branches):
            share = weights[branch] / weighed
            # As if each had been taken once per branch in proportion to its weight.
            visits = counts[branch] - 1.0 + share * site.branches
            if share > 0.0:
                scores[branch] *= counts[branch] * share * share * (taken + site.branches) / visits
            else:
                scores[branch] = 0.0
            total += scores[branch]
        return total

    def _bias(self, site: Site, scores: list[float]) -> float:
        """Multiply scores by the random preferences of this episode."""
        if site.swarmed != self._episodes:
            site.swarmed = self._episodes
            site.swarm = [log(1.0 - self._random()) ** 2 for _ in range(site.branches)]
        total = 0.0
        for branch in range(site.branches):
            scores[branch] *= site.swarm[branch]
            total += scores[branch]
        return total

    def _gather(self, site: Site, state: State) -> list[Votes]:
        """The rows of a state's features; the last one counts visits."""
        votes = []
        for feature in features(state, self._grains):
            row = site.rows.get(feature)
            if row is None:
                row = site.rows[feature] = Votes(site.branches)
                self.states += 1
            votes.append(row)
        return votes


_NONE: set[int] = set()
