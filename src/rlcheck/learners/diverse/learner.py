"""Diverse: the default."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.edits import VALUES, WAYS, Editor
from rlcheck.learners.diverse.kin import Kin
from rlcheck.learners.diverse.model import Model
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.tree import FEW, Grafts, Recorder
from rlcheck.learners.diverse.trie import Trie
from rlcheck.protocols import State
from rlcheck.states import Place

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.
_BOOST = 10.0
_LOOK = 20
_MODEL, _SWARM, _IMITATE = WAYS, WAYS + 1, WAYS + 2
_MAX_STATES = 100_000
_LEAST = 3
_TRIALS = 12
_EQUAL = 1e-6


class Diverse(LearnerBase):
    """The project's own learner."""

    #: The call tree, with the frames kept apart.
    abstraction = "frames"
    imitates = True

    def __init__(self, *, max_inputs: int = 500_000, seed: int | None = None) -> None:
        self.exhausted = False
        self.blind = False
        self.rng = Random(seed)
        self._random = self.rng.random
        self._model = Model(self.rng)
        self._trie = Trie(max_inputs)
        self._archive = Archive(self._random)
        self._kin = Kin(self._random)
        self._values: set[int] = set()
        # Points that may be values: how often that was tried, and how often it was valid.
        self._candidates: dict[int, list[int]] = {}
        self._undecided: set[int] = set()
        self._trial = -1
        self._editor = Editor(self._random, self._archive, self._kin)
        self._recorder = Recorder(self._values)
        self._grafts = Grafts(self._random)
        self._episodes = 0
        self._looked = self._valid = 0
        self._valid_rate = 0.0
        self._aside = False
        self._marks: list[int] = []
        # What new valid inputs are worth: the running mean, and how far they are from it.
        self._mean = float("nan")
        self._spread = 0.0
        self._fresh = True
        self._diverted = False
        self._mode = _MODEL
        self.rates = Rates(WAYS + 3, 100)
        self.tried = [0] * (WAYS + 3)
        self.validated = [0] * (WAYS + 3)
        self._noting = True

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many rows of votes there are."""
        return self._model.features.rows

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """An option."""
        dead = self._trie.dead(n)
        if self.blind:
            index = self._model.any(n)
            if dead and index in dead:
                index = self._model.any_alive(n, dead)
        else:
            if self._fresh:
                self._begin()
            if isinstance(state, Place):
                self._recorder.move(state.span)
            self._marks.append(self._model.made)
            if _LEAST <= n <= FEW and point.number not in self._candidates:
                self._candidates[point.number] = [0, 0]
                self._undecided.add(point.number)
            index = self._choose(point, state, n, dead)
            self._recorder.add(point.number, n, index)
        self._trie.step(index)
        return index

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """The same, where options are taken in proportion to their weights as long as nothing is known."""
        self._model.weights = weights
        index = self.select(point, state, n)
        self._model.weights = None
        return index

    def discard(self, since: int) -> None:
        """Move the votes against the choices from number `since` on; what comes is not theirs."""
        if since < len(self._marks):
            self._model.move(self._marks[since], 0.0, 0.3, -1.0)
            self._model.made = self._marks[since]
            self._recorder.cut(since)

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that somebody else made."""
        if self._fresh:
            self._fresh = self._diverted = False
            self._trial = -1
            self._recorder.begin(None)
        self.blind = False
        self._mode = _IMITATE
        if isinstance(state, Place):
            self._recorder.move(state.span)
        self._marks.append(self._model.made)
        self._model.note(point, state, n, index, followed=False)
        self._recorder.add(point.number, n, index)
        self._trie.dead(n)
        self._trie.step(index)

    def update(self, episode: Episode) -> None:
        """Move the votes for every choice of the episode, and remember the episode."""
        invalid = episode.outcome is _INVALID
        valid = min(max(episode.progress, 0.0), 0.99) if invalid else 1.0
        standing = self._standing(episode.earned + episode.reward) if episode.unique else 1.0
        self._episodes += 1
        self._trie.close()
        self.exhausted = self._trie.exhausted
        if not self.blind and not self._fresh:
            self._learn(valid, standing, invalid or episode.unique)
        if self._mode != _IMITATE and (self._aside or self._looked < _LOOK):
            self._looked += 1
            self._valid += not invalid
            self._aside = self._looked >= _LOOK and self._valid > 0.9 * self._looked and self._spread < _EQUAL
        self._end()

    def _standing(self, worth: float) -> float:
        """How good a new valid input is beside the others, by its worth: from 0 to 1, and 1 when all are equal."""
        if self._mean != self._mean:
            self._mean = worth
        apart = worth - self._mean
        self._mean += 0.02 * apart
        self._spread += 0.02 * (abs(apart) - self._spread)
        if self._spread < _EQUAL * (1.0 + abs(self._mean)):
            return 1.0
        return min(1.0, max(0.0, 0.5 + 0.25 * apart / self._spread))

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Never make these choices, each of so many options: another worker has."""
        self._trie.enter(choices, sizes)
        self.exhausted = self._trie.exhausted

    def drop(self) -> None:
        """Forget the running episode."""
        self._trie.drop()
        self._end()

    def _learn(self, valid: float, standing: float, new: bool) -> None:  # noqa: FBT001 - compiled
        root = self._recorder.finish()
        mean = self._valid_rate
        self._valid_rate += (valid - self._valid_rate) * 0.01
        rare = 0.0
        if valid > 0.0 and new:
            rare = self._archive.add(root, valid, standing)
            if rare > 0.0:
                self._grafts.keep(root)
        mode = self._mode
        if self._trial >= 0:
            if not self._diverted:
                self._decide(valid >= 1.0 and not self._recorder.strayed)
        elif mode < WAYS and not self._diverted:
            if valid >= 1.0 and self._editor.run is not None and self._recorder.landed is not None:
                self._kin.link(*self._editor.run)
            if not self._recorder.strayed:
                self._editor.ranks.learn(1.0 if valid >= 1.0 else 0.0)
            landed, before = self._recorder.landed, self._editor.before
            if valid >= 1.0 and landed is not None and before is not None and before.fine:
                self._kin.link(before, landed)
        self.tried[mode] += 1
        self.validated[mode] += valid >= 1.0
        self.rates.learn(mode, rare * standing)
        if self._archive.empty:
            return  # What is worse than the rest is not known before something was better.
        pull = 0.3
        if valid > mean and new:
            # The rarer valid inputs are, the more each of them counts: as if half of the inputs were valid.
            pull *= min(_BOOST, max(1.0, (1.0 - self._valid_rate) / (self._valid_rate + 0.001)))
        target = max(0.3, min(1.0, 2 * rare)) * standing if valid >= 1.0 else valid
        self._model.move(0, target, pull, mean)

    def _decide(self, valid: bool) -> None:  # noqa: FBT001 - compiled
        """Count a trial, and decide whether the choices at its point are values."""
        tries = self._candidates[self._trial]
        tries[0] += 1
        tries[1] += valid
        if tries[0] >= _TRIALS:
            self._undecided.discard(self._trial)
            if tries[1] >= 0.75 * tries[0]:
                self._values.add(self._trial)
                self._archive.refile(self._values)

    def _end(self) -> None:
        self._fresh = True
        self._mode = _MODEL
        self.blind = self._aside
        self._marks = []
        self._model.made = 0
        if self._model.features.rows > _MAX_STATES:
            self._model.forget()

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        self._trial = -1
        self._diverted = False
        self._model.episode = self._episodes
        self._model.swarm = False
        self._model.sharpness = 4
        script = None
        if self._archive.empty:
            self._mode = _MODEL if self._random() < 0.5 else _SWARM
        else:
            way = self.rates.pick(self._random, WAYS + 2)
            self._mode = way
            if self._undecided and self._random() < 0.1:
                trial = self._editor.trial(self._undecided)
                if trial is not None:
                    script, self._trial = trial
                    self._mode = VALUES
            if script is None and way < WAYS:
                script = self._editor.script(way)
        if self._mode == _SWARM:
            self._model.swarm = True
            self._model.sharpness = 1
        self._recorder.grafts = None if script is None else self._grafts
        self._noting = self._valid_rate < 0.3 or self._random() < 0.2
        self._recorder.begin(script)

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._mode < WAYS:
            index = self._recorder.wanted(point.number, n)
            if index >= 0:
                if not (dead and index in dead):
                    if self._noting:
                        self._model.note(point, state, n, index, followed=True)
                    return index
                self._diverted = True
        return self._model.choose(point, state, n, dead)
