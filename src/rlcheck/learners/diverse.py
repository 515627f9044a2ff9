"""Diverse: the default. Samples what is likely to be valid, spreads over it, and never repeats itself.

The chance that an option leads to a valid input is a logistic sum of votes, one row of weights per
feature of the state f: the choice point alone, the place in this frame, each of the last choices in it,
every enclosing frame, and the innermost frames together. After each episode, for each choice c in it,

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
6. Where nearly every input is valid anyway, it steps aside: options at random, the trie alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from random import Random

from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option
from rlcheck.learners._trie import Trie
from rlcheck.learners._votes import Site, Votes, features
from rlcheck.protocols import State

_SPLIT_AFTER = 8
_BOOST = 10.0
_SCAN = 100
_WAYS = 10_000
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
        self._valid_rate = 0.0
        # The running episode: what was taken where, and the votes for it.
        self._taken: list[int] = []
        self._points: list[int] = []
        self._votes: list[list[Votes]] = []
        self._branches: list[int] = []
        self._chances: list[float] = []
        # Whether it was taken because an episode of the past took it.
        self._followed: list[bool] = []
        self._last_reward = 0.0
        self._progress = 0.0
        self._best = 0.0
        self._fresh = True
        self._mode = _MODEL
        self._rates = [0.0, 0.0, 0.5, 0.0]
        self._to_imitate: list[list[int]] = []
        # The best episodes as (points, choices); the one that is being changed, and how far it was followed.
        self._archive: list[tuple[list[int], list[int]]] = []
        # How many of the best went each way: by the hash of the points that they passed.
        self._ways: dict[int, int] = {}
        self._script_points: list[int] = []
        self._script: list[int] = []
        self._place = 0
        self._leave = 0.0
        self._lost = False

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option that is likely to lead to a valid input, and was not taken too often."""
        dead = self._trie.dead(n)
        if self.blind:
            index = any_option(self.rng, n)
            if index in dead:
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
        valid = min(max(self._progress, 0.0), 0.99) if outcome is Outcome.INVALID else 1.0
        self._episodes += 1
        self._trie.close(self._taken)
        self.exhausted = self._trie.exhausted
        if not self.blind:
            self._learn(valid)
        if self.blind or self._episodes <= _LOOK:
            self._valid += outcome is not Outcome.INVALID
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
        for step in range(len(self._votes)):
            if self._followed[step] and not better:
                continue  # What was changed is to blame, not the valid input around it.
            votes = self._votes[step]
            branch = self._branches[step]
            change = (valid - self._chances[step]) * pull / sqrt(len(votes))
            for row in votes:
                row.weights[branch] += change
            votes[-1].counts[branch] += 1.0

    def _end(self) -> None:
        self._fresh = True
        self._last_reward = self._progress = 0.0
        self._taken, self._points, self._votes, self._branches = [], [], [], []
        self._chances, self._followed = [], []
        if self.states > self.max_states:
            self._sites, self._resized, self.states = {}, {}, 0

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        if self._to_imitate:
            self._mode = _IMITATE
            self._script = self._to_imitate.pop(0)
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
            self._script_points, self._script = self._parent()
            self._place = 0
            self._leave = 1.5 / len(self._script)

    def _parent(self) -> tuple[list[int], list[int]]:
        """One of the best episodes: of four, the one that went a way which the fewest of them went."""
        rarest = self._archive[any_option(self.rng, len(self._archive))]
        fewest = self._ways.get(hash(tuple(rarest[0])), 0)
        for _ in range(3):
            other = self._archive[any_option(self.rng, len(self._archive))]
            went = self._ways.get(hash(tuple(other[0])), 0)
            if went < fewest:
                rarest, fewest = other, went
        return rarest

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._fresh:
            self._begin()
        if self._mode == _IMITATE:
            place = len(self._taken)
            index = self._script[place] if place < len(self._script) else n
            if 0 <= index < n:
                self._note(self._site(point, n), state, index, followed=False)
                return index
            self._mode = _MODEL
        site = self._site(point, n)
        if self._mode == _MUTATE:
            index = self._follow(point, n)
            if index >= 0 and index not in dead:
                self._note(site, state, index, followed=True)
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
        self._lost = place >= end
        if self._lost:
            return self._graft(point, n) if self._random() < 0.5 else -1
        self._place = place + 1
        index = self._script[place]
        if index >= n or self._random() < self._leave:
            return -1
        return index

    def _graft(self, point: ChoicePoint, n: int) -> int:
        """What one of the best episodes chose at this point, to be followed from there on, or -1."""
        points, script = self._archive[any_option(self.rng, len(self._archive))]
        first = any_option(self.rng, len(script)) - len(script)
        for step in range(first, first + min(len(script), _SCAN)):  # Below 0 it counts from the end.
            if points[step] == point.number and script[step] < n:
                self._script_points, self._script = points, script
                self._place = step % len(script) + 1
                return script[step]
        return -1

    def _keep(self, valid: float) -> None:
        """Put the episode into the archive of the best ones: valid, or nearer to it than any before."""
        if not self._taken or valid < self._best:
            return
        if valid > self._best:
            self._archive.clear()
            self._ways.clear()
            self._best = valid
        kept = (self._points, self._taken)
        way = hash(tuple(self._points))
        self._ways[way] = self._ways.get(way, 0) + 1
        if len(self._ways) > _WAYS:
            self._ways.clear()
        if len(self._archive) < _ARCHIVED:
            self._archive.append(kept)
        else:
            self._archive[any_option(self.rng, _ARCHIVED)] = kept

    def _note(self, site: Site, state: State, index: int, *, followed: bool) -> None:
        """Record a choice that was not picked, so that it is learned from."""
        while True:
            branch = index // site.size
            self._record(self._gather(site, state), branch, followed=followed)
            index -= branch * site.size
            kid = site.kids.get(branch)
            if kid is None:
                return
            site = kid

    def _record(self, votes: list[Votes], branch: int, *, followed: bool) -> None:
        logit = 0.0
        for row in votes:
            logit += row.weights[branch]
        self._votes.append(votes)
        self._followed.append(followed)
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
        sharpen = self._mode == _MODEL or (self._mode == _MUTATE and self._lost)
        factors = self.sharpness - 1 if sharpen else 0
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
        if self._mode == _SWARM:
            total = self._bias(site, scores)
        if site.size > 1:  # The last range may be shorter than the others.
            rest = site.n - (n - 1) * site.size
            total -= scores[n - 1] * (1.0 - rest / site.size)
            scores[n - 1] *= rest / site.size
        if total <= 0.0 or self._random() < 0.01:
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
        self._record(votes, branch, followed=False)
        return branch

    def _descend(self, site: Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        for _ in range(8):
            depth = len(self._votes)
            index = self._fall(site, state)
            if index not in dead:
                return index
            del self._votes[depth:], self._branches[depth:], self._chances[depth:], self._followed[depth:]
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
                    return low + any_option(self.rng, span)
                kid = site.kids[branch] = Site(span)
            site = kid

    def _any_alive(self, n: int, dead: set[int]) -> int:
        if len(dead) >= n:  # Only when the generator is not a function of its choices.
            return any_option(self.rng, n)
        for _ in range(50):
            index = any_option(self.rng, n)
            if index not in dead:
                return index
        while index in dead:
            index = (index + 1) % n
        return index

    def _bias(self, site: Site, scores: list[float]) -> float:
        """Multiply scores by the random preferences of this episode."""
        if site.swarmed != self._episodes:
            site.swarmed = self._episodes
            site.swarm = [-log(1.0 - self._random()) for _ in range(site.branches)]
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
