"""Variants: a structure that was valid, with other values.

It is known what the generator will ask, so these episodes need neither points nor states, and cost little.
"""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners.diverse.ranks import Ranks
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.script import Script
from rlcheck.learners.diverse.tree import Leaf, Span

#: How many variants an episode has while they are valid, and where shapes are hardly ever new.
_EACH = 1
_MORE = 3

#: A shape is rare above this, and this often it has variants.
_RARE = 0.2
_OFTEN = 0.5

#: Shapes are hardly ever new when less than this part of the latest valid episodes had a new one, of about so
#: many.
_SELDOM = 0.02
NEW = 0.24
_LATEST = 80

#: How many of the latest variants say whether they pay.
_MEMORY = 50


class Variants:
    """The variants of one episode, one after the other."""

    def __init__(self, random: Callable[[], float], ranks: Ranks) -> None:
        #: Whether the next episode is one.
        self.active = False
        self._random = random
        self._ranks = ranks
        self._rates = Rates(1, _MEMORY)
        # The part of the latest episodes whose shape was new.
        self._new = 1.0
        self._root = Span(0, [])
        self._left = 0
        # The choices of the next one, and how many of them were made.
        self._choices: list[int] = []
        self._made = 0

    @property
    def seldom(self) -> bool:
        """Whether new shapes have become seldom."""
        return self._new < _SELDOM

    def learn(self, rare: float) -> None:
        """Note how rare the shape of a valid episode was that is no variant."""
        self._new += ((1.0 if rare > NEW else 0.0) - self._new) / _LATEST

    def begin(self, root: Span, rare: float) -> None:
        """Have variants of a valid episode come next, the more often the more of them were valid."""
        more = self._new < _SELDOM
        if not (root.leaves > root.small and (more or rare > _RARE)):
            return
        if self._random() < self._rates.means[0] * (1.0 if more else _OFTEN):
            self._root = root
            self._left = _MORE if more else _EACH
            self._make()

    def take(self) -> int:
        """Return the next choice; -1 when it is not known."""
        made = self._made
        self._made = made + 1
        return self._choices[made] if made < len(self._choices) else -1

    def end(self, valid: bool) -> None:  # noqa: FBT001 - compiled
        """Learn whether one was valid, and make the next."""
        self._rates.learn(0, 1.0 if valid else 0.0)
        self.active = False
        if valid and self._left:
            self._make()

    def drop(self) -> None:
        """Make no more of them."""
        self.active = False

    def _make(self) -> None:
        script = self._ranks.varied(self._root)
        if script is not None:
            self._left -= 1
            self._made = 0
            self._choices = []
            _flatten(self._root, script, self._choices)
            self.active = True


def _flatten(span: Span, script: Script, found: list[int]) -> None:
    """Collect the choices of a script."""
    for item in span.items:
        if isinstance(item, Leaf):
            found.append(script.index_of(item))
        elif isinstance(item, Span):
            _flatten(item, script, found)
