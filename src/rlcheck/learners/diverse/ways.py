"""Ways: how the next episode is made."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.edits import CHANCE, NOVEL, TWEAK, VALUES, WAYS, Editor
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.scatter import Scatter
from rlcheck.learners.diverse.script import Script
from rlcheck.learners.diverse.values import Values
from rlcheck.learners.diverse.variants import NEW, Variants

#: Ways beside the edits: the model alone, the model with random preferences, what somebody else chose, any
#: option at every choice, a rejected episode with a choice changed, and once more what was drawn at random.
MODEL, SWARM, OTHERS, ANY, MISS, AGAIN = range(WAYS, WAYS + 6)

#: How many of the latest episodes made in a way say what it is worth.
_MEMORY = 100

#: While nothing is valid: how often nothing that was near is edited.
_COLD = 0.2

#: And how often what was near is changed in one place.
_SMALL_STEPS = 0.5

#: How often an input is drawn at random, once some are valid: it may be of a kind that neither edits nor the
#: model, which learned from the first kinds, would ever lead to. So it is more often where new shapes have
#: become seldom.
_AFRESH = 0.1
_AFRESH_SELDOM = 0.35

#: How often an episode is watched, while nothing is valid and where new shapes have become seldom. The others
#: are made as if rejected ones had no signs: where watching is slow, they get as far as they did without it.
_CLIMB = 0.5
_CLIMB_STUCK = 0.3

#: Once some inputs are valid: how many of those that are watched are edits of rejected ones; and in how many
#: of these edits one choice changes.
_CLIMBS = 0.6
_ONE_CHOICE = 0.75

#: How often it is tried whether a choice is a value, while that is not decided.
_TRIAL = 0.1

#: After so many episodes that brought nothing new, all of this is done so much less often.
_PATIENCE = 3_000
_TIRED = 0.2

#: Where new shapes have become seldom: how often another input, or a part of one, is made at random.
_LEAPS = 0.5


class Ways:
    """Picks a way; those that led to rare inputs are picked more often."""

    def __init__(
        self,
        random: Callable[[], float],
        archive: Archive,
        variants: Variants,
        editor: Editor,
        values: Values,
    ) -> None:
        #: What each way was worth.
        self.rates = Rates(WAYS + 6, _MEMORY)
        self.scatter = Scatter(random)
        self._random = random
        self._archive = archive
        self._variants = variants
        self._editor = editor
        self._values = values
        #: Of the running episode: its way, and the point of which it is tried whether its choices are values.
        self.mode = MODEL
        self.trial = -1
        # How many episodes in a row brought nothing new.
        self._idle = 0

    def script(self, looking: bool) -> Script | None:  # noqa: FBT001 - compiled
        """Decide how the next episode is made; return the script that it follows, if any."""
        archive = self._archive
        warm = archive.best >= 1.0
        self.trial = -1
        self.mode = self._pick()
        if self.mode == AGAIN:
            self.scatter.drop()
            return None
        if looking and not archive.misses.empty and (not warm or self._random() < _CLIMBS):
            return self._climb()
        if looking and warm:
            self.mode = self.leap()
        if warm and self.mode != ANY and self._values.open and self._random() < _TRIAL:
            trial = self._editor.renamed(self._values.open)
            if trial is not None:
                script, self.trial = trial
                self.mode = VALUES
                return script
        return self._editor.script(self.mode) if self.mode < WAYS else None

    def _climb(self) -> Script:
        """Return an edit of a rejected episode: one choice is changed, or a span."""
        if self._random() < _ONE_CHOICE:
            self.mode = MISS
            return self._archive.misses.script()
        self.mode = self.rates.pick(self._random, WAYS)
        self._archive.climbing = True
        script = self._editor.script(self.mode)
        self._archive.climbing = False
        return script

    def _pick(self) -> int:
        """Return the way of the next episode."""
        random = self._random
        if self.scatter.again:
            return AGAIN
        if self._archive.empty or (self._archive.best < 1.0 and random() < _COLD):
            return MODEL if random() < 0.5 else SWARM
        if self._archive.best < 1.0 and random() < _SMALL_STEPS:
            return TWEAK
        if self._variants.seldom and random() < self._effort(_LEAPS):
            return self.leap()
        return self.rates.pick(random, WAYS + 2)

    def blind(self) -> bool:
        """Decide whether the next episode needs neither points nor states."""
        if self._variants.active:
            return True
        often = 0.0
        if self._archive.best >= 1.0:
            often = max(_AFRESH, self._effort(_AFRESH_SELDOM)) if self._variants.seldom else _AFRESH
        self.scatter.decide(often)
        return self.scatter.active

    @property
    def climbs(self) -> bool:
        """Whether rejected episodes are edited: nothing is valid, or new shapes have become seldom."""
        return self._archive.best < 1.0 or self._variants.seldom

    def looks(self) -> bool:
        """Decide whether the next episode is watched, so that a rejected one has signs."""
        if self._archive.best < 1.0:
            return self._random() < _CLIMB
        if not self._variants.seldom:
            self._archive.misses.clear()
            return False
        return self._random() < self._effort(_CLIMB_STUCK)

    def note(self, rare: float) -> None:
        """Note what an episode brought."""
        self._idle = 0 if rare > NEW else self._idle + 1

    def _effort(self, often: float) -> float:
        """Return how often something is done where new shapes have become seldom."""
        return often if self._idle < _PATIENCE else _TIRED * often

    def leap(self) -> int:
        """Return a way that leads further than most edits do."""
        roll = self._random()
        return ANY if roll < 0.2 else CHANCE if roll < 0.5 else NOVEL
