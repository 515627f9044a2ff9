"""Diverse: the default. Samples what is likely to be valid, spreads over it, and never repeats itself.

The chance that an option leads to a valid input is a logistic sum of votes, one row of weights per
feature of the state f: the choice point alone, each of the last choices in this frame, every enclosing
frame, and the innermost frames together. After each episode, for each choice c in it,

    w[f, c] <- w[f, c] + step_size / sqrt(features) * (valid - P(valid | state, c))

An option is taken with probability proportional to P(valid | state, c) ** sharpness / visits(state, c).

It began as RLCheck (see `monte_carlo.py`) and departs from it:

1. It samples options instead of taking the best, so it does not settle in one corner of the valid inputs.
2. Votes generalise over states that share a feature; a table learns each state by itself.
3. A trie of the choices taken masks what is exhausted, so no choice sequence is made twice.
4. Some episodes are biased at random (swarm testing): the more, the fewer inputs are valid.
5. Ranges of any size are split into at most 16 parts, and those again where they are visited.
6. Where nearly every input is valid and new, it steps aside and chooses at random.
"""

from __future__ import annotations

from math import exp, log, sqrt
from random import Random

from rlcheck.abstractions._states import KnownState
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._exploration import any_option
from rlcheck.learners._trie import Trie
from rlcheck.protocols import State

_FAN = 16
_SPLIT_AFTER = 8
_MODEL, _SWARM, _MUTATE = 0, 1, 2


class _Votes:
    """The weights of one feature, and how often each branch was taken with it."""

    __slots__ = ("counts", "weights")

    def __init__(self, n: int) -> None:
        self.weights: list[float] = [0.0] * n
        self.counts: list[float] = [1.0] * n


class _Site:
    """A choice among at most 16 branches: options, or ranges of `size` options."""

    __slots__ = ("branches", "kids", "n", "rows", "size", "swarm", "swarmed", "visits")

    def __init__(self, n: int) -> None:
        self.n = n
        self.size = 1
        while self.size * _FAN < n:
            self.size *= _FAN
        if self.size > 1:
            self.size = -(-n // _FAN) if n <= _FAN * _FAN else self.size
        self.branches = -(-n // self.size)
        self.rows: dict[State, _Votes] = {}
        self.kids: dict[int, _Site] = {}
        self.visits: list[int] = [0] * self.branches
        self.swarm: list[float] = []
        self.swarmed = -1


class Diverse:
    """The project's own learner.

    Args:
        sharpness: How strongly likely options are preferred (b).
        step_size: How fast votes move.
        swarm: The share of episodes that are biased at random while nothing is valid.
        max_states: How many rows of votes are kept; when there are more, all votes are forgotten.
        max_inputs: How many choice sequences are kept; when there are more, all are forgotten.
    """

    #: The call tree, with the frames kept apart.
    abstraction = "frames"

    def __init__(
        self,
        *,
        sharpness: float = 4.0,
        step_size: float = 0.3,
        swarm: float = 0.5,
        boost: float = 5.0,
        mutate: bool = True,
        focus: float = 3.0,
        target: float = 0.7,
        least: float = 0.5,
        floor: float = 0.1,
        wild: float = 1.5,
        max_states: int = 100_000,
        max_inputs: int = 500_000,
        seed: int | None = None,
    ) -> None:
        if not sharpness > 0:
            raise ConfigurationError(f"sharpness={sharpness!r} must be above 0.")
        if not 0 < step_size <= 10:
            raise ConfigurationError(f"step_size={step_size!r} must be above 0 and at most 10.")
        if not 0 <= swarm <= 1:
            raise ConfigurationError(f"swarm={swarm!r} must lie between 0 and 1.")
        self.sharpness = sharpness
        self.step_size = step_size
        self.swarm = swarm
        self.boost = boost
        self.mutate = mutate
        self.focus = focus
        self.target = target
        self.least = least
        self.floor = floor
        self.wild = wild
        self._sharp = sharpness
        self.max_states = max_states
        #: How many rows of votes there are.
        self.states = 0
        self.rng = Random(seed)
        self._random = self.rng.random
        self._sites: dict[ChoicePoint, _Site] = {}
        self._resized: dict[tuple[ChoicePoint, int], _Site] = {}
        self._grains: dict[int, int] = {}
        self._trie = Trie(max_inputs)
        self._taken: list[int] = []
        self._votes: list[list[_Votes]] = []
        self._branches: list[int] = []
        self._chances: list[float] = []
        self._episodes = 0
        self._valid_rate = 0.0
        self._fresh = True
        self._mode = _MODEL
        self._rates = [0.0, 0.0, 0.5]
        self._archive: list[tuple[list[int], list[int]]] = []
        self._points: list[int] = []
        self._script: list[int] = []
        self._script_points: list[int] = []
        self._place = 0
        self._leave = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether every input there is was made."""
        return self._trie.exhausted

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option that is likely to lead to a valid input, and was not taken too often."""
        if self._fresh:
            self._begin()
        site = self._sites.get(point)
        if site is None or site.n != n:
            site = self._site(point, n)
        dead = self._trie.dead(n)
        index = -1
        if self._mode == _MUTATE:
            index = self._follow(point, n)
            if index in dead:
                index = -1
        if index >= 0:
            self._note(site, state, index)
        elif site.size == 1:
            index = self._pick(site, state, dead)
        else:
            index = self._descend(site, state, dead)
        self._trie.step(index)
        self._taken.append(index)
        self._points.append(point.number)
        return index

    def reward(self, value: float) -> None:
        """Only the outcome counts."""

    def update(self, outcome: Outcome) -> None:
        """Move the votes for every choice of the episode, and remember the episode."""
        valid = 0.0 if outcome is Outcome.INVALID else 1.0
        self._episodes += 1
        self._valid_rate += (valid - self._valid_rate) * 0.01
        self._rates[self._mode] += (valid - self._rates[self._mode]) * 0.02
        if valid and self._taken:
            self._keep()
        if self._mode == _MODEL and self.target:
            self._sharp = min(6.0, max(self.least, self._sharp + 0.02 * (self.target - valid)))
        # The rarer valid inputs are, the more each of them counts: as if half of the inputs were valid.
        pull = self.step_size
        if valid:
            pull *= min(self.boost, max(1.0, (1.0 - self._valid_rate) / (self._valid_rate + 0.001)))
        for step in range(len(self._votes)):
            votes = self._votes[step]
            branch = self._branches[step]
            change = (valid - self._chances[step]) * pull / sqrt(len(votes))
            for row in votes:
                row.weights[branch] += change
            votes[-1].counts[branch] += 1.0
        self._trie.close(self._taken)
        self._end()

    def drop(self) -> None:
        """Forget the running episode."""
        self._trie.close([])
        self._end()

    def _begin(self) -> None:
        self._fresh = False
        rates = self._rates
        model = (rates[_MODEL] + 0.05) ** self.focus
        swarm = (rates[_SWARM] + 0.05) ** self.focus
        mutate = (rates[_MUTATE] + 0.05) ** self.focus if self._archive and self.mutate else 0.0
        floor = self.floor * (model + swarm + mutate)
        swarm += floor
        if mutate:
            mutate += floor
        left = self._random() * (model + swarm + mutate)
        self._mode = _MODEL if left < model else _SWARM if left < model + swarm else _MUTATE
        if self._mode == _MUTATE:
            self._script_points, self._script = self._archive[any_option(self.rng, len(self._archive))]
            self._place = 0
            # Where to leave the script: about two places, at least one.
            self._leave = 1.5 / len(self._script)

    def _follow(self, point: ChoicePoint, n: int) -> int:
        """The choice of the script at this point, or -1 to leave it."""
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

    def _keep(self) -> None:
        """Put the episode into the archive of valid ones."""
        kept = (self._points, self._taken)
        if len(self._archive) < 500:
            self._archive.append(kept)
        else:
            self._archive[any_option(self.rng, 500)] = kept

    def _note(self, site: _Site, state: State, index: int) -> None:
        """Record a choice that was not picked, so that it is learned from."""
        while True:
            branch = index // site.size
            self._record(self._gather(site, state), branch)
            index -= branch * site.size
            kid = site.kids.get(branch)
            if kid is None:
                return
            site = kid

    def _record(self, votes: list[_Votes], branch: int) -> None:
        logit = 0.0
        for row in votes:
            logit += row.weights[branch]
        self._votes.append(votes)
        self._branches.append(branch)
        self._chances.append(1.0 / (1.0 + exp(-logit if logit > -30.0 else 30.0)))

    def _end(self) -> None:
        self._fresh = True
        self._taken, self._points, self._votes, self._branches, self._chances = [], [], [], [], []
        if self.states > self.max_states:
            self._sites, self._resized, self.states = {}, {}, 0

    def _site(self, point: ChoicePoint, n: int) -> _Site:
        site = self._resized.get((point, n))
        if site is None:
            site = _Site(n)
            self._grains[point.number] = site.size
            if point in self._sites:
                self._resized[(point, n)] = site
            else:
                self._sites[point] = site
        return site

    def _pick(self, site: _Site, state: State, dead: set[int]) -> int:
        """A branch of a site."""
        votes = self._gather(site, state)
        n = site.branches
        counts = votes[-1].counts
        sharpness = self._sharp if self._mode == _MODEL else self.wild
        scores: list[float] = []
        total = 0.0
        for branch in range(n):
            if branch in dead:
                scores.append(0.0)
                continue
            logit = 0.0
            for row in votes:
                logit += row.weights[branch]
            score = (1.0 + exp(-logit if logit > -30.0 else 30.0)) ** -sharpness / counts[branch]
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
            if branch in dead:
                branch = self._any_alive(n, dead)
        self._record(votes, branch)
        return branch

    def _descend(self, site: _Site, state: State, dead: set[int]) -> int:
        """An option of a large site: a range of it, then a range of that, where it is worth it."""
        for _ in range(8):
            depth = len(self._votes)
            index = self._fall(site, state)
            if index not in dead:
                return index
            del self._votes[depth:], self._branches[depth:], self._chances[depth:]
        return self._any_alive(site.n, dead)

    def _fall(self, site: _Site, state: State) -> int:
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
                kid = site.kids[branch] = _Site(span)
            site = kid

    def _any_alive(self, n: int, dead: set[int]) -> int:
        if len(dead) >= n:  # Only when the generator is not a function of its choices.
            return any_option(self.rng, n)
        if 2 * len(dead) > n:
            alive = [index for index in range(n) if index not in dead]
            return alive[any_option(self.rng, len(alive))]
        while True:
            index = any_option(self.rng, n)
            if index not in dead:
                return index

    def _bias(self, site: _Site, scores: list[float]) -> float:
        """Multiply scores by the random preferences of this episode."""
        if site.swarmed != self._episodes:
            site.swarmed = self._episodes
            site.swarm = [log(1.0 - self._random()) ** 2 for _ in range(site.branches)]
        total = 0.0
        for branch in range(site.branches):
            scores[branch] *= site.swarm[branch]
            total += scores[branch]
        return total

    def _gather(self, site: _Site, state: State) -> list[_Votes]:
        """The rows of a state's features; the last one counts visits."""
        votes = []
        for feature in self._features(state):
            row = site.rows.get(feature)
            if row is None:
                row = site.rows[feature] = _Votes(site.branches)
                self.states += 1
            votes.append(row)
        return votes

    def _features(self, state: State) -> list[State]:
        """The features of a state; each kind of number has its own remainder by 8."""
        if not isinstance(state, tuple):
            return [-1, (state,)]
        if len(state) != 2 or not isinstance(state[1], KnownState):
            return [-1, *((age, part) for age, part in enumerate(reversed(state))), (state,)]
        outside: tuple[int, ...] = state[0]
        inner: KnownState = state[1]
        features: list[State] = [-1]
        age = 0
        for token in inner.parts[-1][-1:-4:-1]:
            age += 1
            features.append(token << 3 | age)
            grain = self._grains.get(token & 0xFFFF, 1)
            if grain > 1:
                features.append(((token >> 16) // grain << 16 | token & 0xFFFF) << 3 | age + 3)
        for number in outside:
            features.append(number << 3)
        last = outside[-1] if outside else 0
        features.append((inner.number << 32 | last) << 3 | 7)
        return features


_NONE: set[int] = set()
