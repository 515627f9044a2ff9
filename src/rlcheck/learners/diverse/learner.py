"""Diverse: the default. Makes valid inputs of different structure, and hardly ever the same one twice.

Valid episodes are kept, one for each shape. Most new episodes are edits of one of them: a span (a call of
a generator function) is changed, regrown, replaced or doubled, and values are fitted to their new place.
The model decides what the script of an episode leaves open: it is a logistic sum of votes of how likely each
option leads to a valid input. A trie of the choices taken rules out what is exhausted.

    archive ──► edit ──► script ──► recorder ──► choice ──► trie
    (shapes)    (spans)  (values)      │            ▲
                                       └─ nothing ──┴─ model (votes)

Ways to make an episode compete by how rare the shapes are that they lead to. See `docs/learners/diverse.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rlcheck.abilities import LearnerBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.donors import Donors
from rlcheck.learners.diverse.edits import WAYS, Editor
from rlcheck.learners.diverse.model import Model
from rlcheck.learners.diverse.recorder import Recorder
from rlcheck.learners.diverse.relations import Relations
from rlcheck.learners.diverse.trie import Trie
from rlcheck.learners.diverse.values import Values
from rlcheck.learners.diverse.variants import Variants
from rlcheck.learners.diverse.ways import AGAIN, ANY, MISS, MODEL, OTHERS, SWARM, Ways
from rlcheck.learners.diverse.worth import Aside, Worth
from rlcheck.protocols import State
from rlcheck.states import Place

_INVALID = Outcome.INVALID  # Looking it up in the enumeration is slow.

#: How far votes move, and how many times as far for a valid input while these are rare.
_STEP = 0.3
_BOOST = 10.0

#: A valid input of a common shape moves votes as if it were valid to this degree.
_COMMON = 0.3

#: What a valid input is worth to the way that made it, however common its shape is.
_PLAIN = 0.05

#: How far an edit may fall behind what was edited, and still be as good.
_WORSE = 0.2

#: Choices among more options than this are never kinds.
_KINDS = 256

#: The model learns from the choices of a script while less than this part of the inputs is valid, and from
#: this part of the scripts afterwards.
_RARE = 0.3
_NOTED = 0.2

#: Relations are learned from valid inputs that are rarer than this, and from this part of the others.
_TAUGHT = 0.2

#: Of more options than this, any one is taken that respects them.
_FAR = 64


class Diverse(LearnerBase):
    """The project's own learner.

    Args:
        max_states: How many rows of votes are kept; when there are more, all votes are forgotten.
        max_inputs: How many choice sequences are kept; when there are more, all are forgotten.
    """

    #: The call tree, with the frames kept apart.
    abstraction = "frames"
    imitates = True

    def __init__(
        self, *, max_states: int = 100_000, max_inputs: int = 500_000, seed: int | None = None
    ) -> None:
        self.max_states = check_integer("max_states", max_states)
        #: Whether every input there is was made.
        self.exhausted = False
        #: Whether the next episode needs neither points nor states: it is a variant, or drawn at random, or
        #: nearly everything is valid and worth the same, so that the learner has stepped aside.
        self.blind = False
        self.looking = True
        self.rng = Random(seed)
        self._model = Model(self.rng)
        self._trie = Trie(check_integer("max_inputs", max_inputs))
        random = self.rng.random
        self._archive = Archive(random)
        donors = Donors(random)
        self._editor = Editor(random, self._archive, donors)
        self._variants = Variants(random, self._editor.ranks)
        self._values = Values()
        self._recorder = Recorder(self._values, donors, Relations(random))
        self._worth = Worth()
        self._aside = Aside()
        self._ways = Ways(random, self._archive, self._variants, self._editor, self._values)
        self._valid_rate = 0.0
        # Whether the episode has made no choice yet.
        self._fresh = True
        # Whether the model learns from choices of the script.
        self._noting = True

    @property
    def climbs(self) -> bool:  # type: ignore[override]
        """Whether it edits rejected inputs by their signs now."""
        return self._ways.climbs

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many rows of votes there are."""
        return self._model.rows

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick what the script says, or an option that is likely to lead to a valid input."""
        dead = self._trie.dead(n)
        if self.blind:
            index = self._vary(n, dead) if self._variants.active else self._model.any_alive(n, dead)
        else:
            if self._fresh:
                self._begin()
            if isinstance(state, Place):
                place = state
                self._recorder.move(place.span)
            self._model.mark()
            if not point.ordered:
                self._values.unordered.add(point.number)
            index = self._choose(point, state, n, dead)
            self._recorder.add(point.number, n, index)
        self._trie.step(index)
        return index

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Do the same where options are taken in proportion to their weights as long as nothing is known."""
        self._model.weights = weights
        index = self.select(point, state, n)
        self._model.weights = None
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Record a choice that somebody else made."""
        if self._fresh:
            self._fresh = False
            self._ways.trial = -1
            self._recorder.begin(None)
        self.blind = False
        self._variants.drop()
        self._ways.scatter.drop()
        self._ways.mode = OTHERS
        if isinstance(state, Place):
            place = state
            self._recorder.move(place.span)
        self._model.mark()
        if not point.ordered:
            self._values.unordered.add(point.number)
        self._model.note(point, state, n, index)
        self._recorder.add(point.number, n, index)
        self._trie.dead(n)
        self._trie.step(index)

    def discard(self, since: int) -> None:
        """Move the votes against the choices from number `since` on; what comes is not theirs."""
        if not self.blind and not self._fresh:
            self._model.discard(since, _STEP)
            self._recorder.cut(since)

    def update(self, episode: Episode) -> None:
        """Remember the episode, and learn from it."""
        valid = episode.outcome is not _INVALID
        near = 1.0 if valid else min(max(episode.progress, 0.0), 0.99)
        if episode.compared is not None and not valid:
            near = 0.0  # Its signs say more.
        standing = self._worth.standing(episode.earned + episode.reward) if episode.unique else 1.0
        self._trie.close()
        self.exhausted = self._trie.exhausted
        if self._variants.active:
            self._variants.end(episode.unique)
        elif self._ways.scatter.active:
            if episode.unique:
                self._ways.scatter.end(episode.choices, episode.sizes)
        else:
            if not self.blind and not self._fresh:
                new = episode.unique or not valid or self._ways.mode == AGAIN
                self._learn(near, standing, new, episode)
            if self._ways.mode != OTHERS:
                self._aside.see(valid, self._worth.varies)
        self._end()

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Never make these choices, each of so many options: another worker has."""
        self._trie.enter(choices, sizes)
        self.exhausted = self._trie.exhausted

    def drop(self) -> None:
        """Forget the running episode."""
        self._trie.drop()
        self._variants.drop()
        self._ways.scatter.drop()
        self._end()

    def _learn(self, near: float, standing: float, new: bool, episode: Episode) -> None:  # noqa: FBT001
        """Learn how near an episode came, and how good it was."""
        root = self._recorder.finish()
        rare = 0.0
        warm = self._archive.best >= 1.0
        if near > 0.0 and new:
            rare = self._archive.add(root, near, standing)
            if rare > 0.0:
                self._recorder.give()
        self._ways.note(rare)
        if near < 1.0 and (self.looking or not warm) and (episode.signs or episode.rejection is not None):
            missed = self._archive.misses.add(root, episode)
            if not warm:
                if missed >= 1.0 and rare <= 0.0:
                    self._recorder.give()
                rare = max(rare, missed)
        elif near >= 1.0 and not warm:
            self._archive.misses.clear()
        recorder = self._recorder
        followed = self._ways.mode < WAYS and not recorder.diverted and not recorder.relations.bent
        if warm and followed and self._editor.standing >= 0.5:
            same = self._editor.leaves == root.leaves
            self._learn_edit(near >= 1.0 and standing > self._editor.standing - _WORSE, same)
        worth = max(rare, _PLAIN) if near >= 1.0 else rare
        if self._worth.varies and rare > 0.0:
            worth = max(0.0, 2.0 * standing - 1.0) * (_COMMON + (1.0 - _COMMON) * rare)
        self._ways.rates.learn(self._ways.mode, worth)
        if self._ways.trial < 0 and self._ways.mode != OTHERS:
            self._recorder.relations.rate(worth)
        if near >= 1.0 and new:
            if rare > _TAUGHT or self.rng.random() < _TAUGHT:
                self._recorder.relations.learn(root)
            if self._ways.mode in (ANY, AGAIN):
                self._archive.keep_fresh(root, standing)
        if self._ways.mode < WAYS and self._ways.trial < 0:
            self._editor.rate(worth, self._recorder.diverted)
        if near >= 1.0:
            self._variants.learn(1.0 if self._worth.varies else rare)  # Then shapes are not what counts.
        if near >= 1.0 and new and self._ways.mode != OTHERS and not self._worth.varies:
            self._variants.begin(root, rare)
        mean = self._valid_rate
        self._valid_rate += (near - mean) * 0.01
        if self._archive.empty:
            return  # What is worse than the rest is not known before something was better.
        pull = _STEP
        if near > mean and new:
            # The rarer valid inputs are, the more each of them counts: as if half of the inputs were valid.
            pull *= min(_BOOST, max(1.0, (1.0 - self._valid_rate) / (self._valid_rate + 0.001)))
        if near >= 1.0:
            near = standing if self._worth.varies else max(_COMMON, min(1.0, 2.0 * rare))
        self._model.learn(near, pull, mean)

    def _learn_edit(self, valid: bool, same: bool) -> None:  # noqa: FBT001 - compiled
        """Learn whether an edit, or a trial, was valid and no worse than what was edited."""
        recorder = self._recorder
        if self._ways.trial >= 0:
            if self._values.learn(self._ways.trial, valid and not recorder.strayed and same):
                self._refile()
        elif not recorder.strayed:
            self._editor.learn(valid, recorder.landed)
            for n in self._editor.ranks.domains:
                if n <= _KINDS and n not in self._values.kinds and self._editor.ranks.is_kind(n):
                    self._values.kinds.add(n)
                    self._refile()

    def _refile(self) -> None:
        """Sort past episodes in again, since what counts as a value has changed."""
        self._archive.refile(self._values)
        self._editor.kin.forget()

    def _end(self) -> None:
        self._fresh = True
        self._ways.mode = MODEL
        self.blind = self._aside.now or self._ways.blind()
        self.looking = not self.blind and self._ways.looks()
        self._model.end(self.max_states)

    def _begin(self) -> None:
        """Decide in which way the episode is made."""
        self._fresh = False
        script = self._ways.script(self.looking)
        self._recorder.relations.decide(self._ways.trial < 0 and self._ways.mode != AGAIN)
        self._noting = (self._valid_rate < _RARE or self.rng.random() < _NOTED) and not self._archive.empty
        self._model.begin(self._ways.mode == SWARM)
        self._recorder.begin(script)

    def _vary(self, n: int, dead: set[int]) -> int:
        """Pick what a variant takes, or any option where that does not fit."""
        index = self._variants.take()
        if 0 <= index < n and index not in dead and self._model.may_take(index):
            return index
        return self._model.any_alive(n, dead)

    def _choose(self, point: ChoicePoint, state: State, n: int, dead: set[int]) -> int:
        if self._ways.mode == AGAIN:
            index = self._ways.scatter.take(n)
            if index >= 0 and self._model.may_take(index):
                self._model.note(point, state, n, index)
                return index
        relations = self._recorder.relations
        held = relations.narrow(point.number, n)
        if self._ways.mode < WAYS or self._ways.mode == MISS:
            index = self._recorder.wanted(point.number, n)
            if held and index >= 0 and not relations.respects(index):
                index = -1
            if index >= 0 and self._model.may_take(index):
                if not dead or index not in dead:
                    if self._noting:
                        self._model.follow(point, state, n, index)
                    return index
                self._recorder.diverted = True
        self._values.meet(point.number, n)
        chance = self._ways.mode == ANY or self._recorder.chance
        if held and (chance or n > _FAR):
            index = relations.any(dead)
            if index >= 0 and self._model.may_take(index):
                self._model.note(point, state, n, index)
                return index
        elif held:
            others = relations.others(n, dead)
            if len(others) < n:
                dead = others
        if chance:
            return self._model.any_alive(n, dead)
        return self._model.choose(point, state, n, dead)
