"""Misses: rejected episodes, kept by what they share with few others, to be edited until one is valid.

A rejected episode has signs: the reason, the branches that were taken and how often, how comparisons came out
and how far apart their operands were. Each sign is a niche that keeps a small episode. The rarer a sign is,
the later it stands among the checks of a program: its episodes are edited first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rlcheck.episode import KIND_OF_SIGN, Episode
from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.script import Script
from rlcheck.learners.diverse.tree import Item, Leaf, Span

#: How many niches there may be; further signs are not kept.
_MOST = 20_000

#: The next niche is the least used of this many.
_OF = 12

#: From so many reasons on, they are preferred to other signs.
_REASONS = 3

#: How often an episode takes the place of one that is no larger.
_REPLACE = 0.1


class Miss:
    """A rejected episode, and which changes of single choices were tried or are worth a try."""

    __slots__ = ("compared", "depth", "hints", "leaves", "moving", "reason", "root", "still")

    def __init__(self, root: Span, depth: int, reason: str, compared: Any) -> None:
        self.root = root
        #: How many signs it has: an input that passes the first checks goes through more of the program.
        self.depth = depth
        self.reason = reason
        self.compared = compared
        #: Changes that comparisons suggest: the number of a choice, and its new index. None: not asked yet.
        self.hints: list[tuple[int, int]] | None = None
        #: Choices whose change moved the reason, and those whose change did not.
        self.moving: list[int] = []
        self.still: set[int] = set()
        self.leaves: list[Leaf] = []


class Niche:
    """The episodes with one sign: how many there were, one of them, and how often it was edited."""

    __slots__ = ("count", "miss", "uses")

    def __init__(self, miss: Miss) -> None:
        self.count = 0
        self.uses = 0
        self.miss = miss

    def score(self) -> float:
        """Return how late its turn comes: what is rare, small and was seldom edited comes first."""
        miss = self.miss
        return (self.uses + 1.0) * self.count * miss.root.leaves / miss.depth**2


class Misses:
    """Rejected episodes by their signs."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._niches: dict[int, Niche] = {}
        # The signs of each kind, in the order in which they came.
        self._order: dict[int, list[Niche]] = {}
        # The episode that is being edited, and the choice that was changed; -1 if there are several.
        self._parent: Miss | None = None
        self._changed = -1

    @property
    def empty(self) -> bool:
        """Whether there is nothing to edit."""
        return not self._niches

    def clear(self) -> None:
        """Forget everything: some input is valid."""
        self._niches.clear()
        self._order.clear()
        self._parent = None

    def add(self, root: Span, episode: Episode) -> float:
        """Keep a rejected episode; return how rare its rarest sign is, from 0 to 1."""
        parent, reason, signs = self._parent, episode.reason, episode.signs
        if episode.rejection is not None:
            signs = signs + episode.rejection.signs()
        if parent is not None and self._changed >= 0:
            if parent.reason == reason:
                parent.still.add(self._changed)
            else:
                parent.moving.append(self._changed)
        self._parent = None
        if not root.leaves:
            return 0.0
        made = Miss(root, len(signs), reason, episode.compared)
        rare = 0
        for sign in signs:
            niche = self._niches.get(sign)
            if niche is None:
                if len(self._niches) >= _MOST:
                    continue
                niche = self._niches[sign] = Niche(made)
                self._order.setdefault(sign >> KIND_OF_SIGN, []).append(niche)
            elif root.leaves < niche.miss.root.leaves or (
                root.leaves == niche.miss.root.leaves and self._random() < _REPLACE
            ):
                niche.miss = made
            niche.count += 1
            rare = niche.count if not rare else min(rare, niche.count)
        return 1.0 / rare if rare else 0.0

    def parent(self) -> Span:
        """Return the episode to edit next: a small one of a rare sign."""
        kinds = list(self._order.values())
        reasons = self._order.get(0, [])
        if len(reasons) >= _REASONS:  # Several of them are a ladder: they say more than branches do.
            kinds += [reasons, reasons]
        group = kinds[below(self._random, len(kinds))]
        best = group[below(self._random, len(group))]
        for _ in range(_OF - 1):
            other = group[below(self._random, len(group))]
            if other.score() < best.score():
                best = other
        best.uses += 1
        self._parent = best.miss
        self._changed = -1
        return best.miss.root

    def script(self) -> Script:
        """Return an episode with one choice changed, or a few that comparisons suggest."""
        root = self.parent()
        miss = self._parent
        assert miss is not None
        if not miss.leaves:
            _leaves(root, miss.leaves)
        if miss.hints is None:
            miss.hints = [] if miss.compared is None else miss.compared.hints()
            miss.compared = None
        changes = self._suggested(miss) if miss.hints and self._random() < 0.7 else self._tweaked(miss)
        return Script(_replaced(root, iter(range(len(miss.leaves))), changes))

    def _suggested(self, miss: Miss) -> dict[int, int]:
        """Take one of the hints, or several."""
        assert miss.hints is not None
        changes: dict[int, int] = {}
        while miss.hints:
            # Those of the latest comparisons come first: they are the ones that decided.
            roll = self._random()
            number, index = miss.hints[int(roll * roll * len(miss.hints))]
            changes[number] = index
            self._changed = number if len(changes) == 1 else -1
            if self._random() < 0.6:
                break
        return changes

    def _tweaked(self, miss: Miss) -> dict[int, int]:
        """Change one choice: rather one whose change moved the reason, or was not tried."""
        leaves = miss.leaves
        number = -1
        if miss.moving and self._random() < 0.5:
            number = miss.moving[below(self._random, len(miss.moving))]
        else:
            for _ in range(4):
                number = below(self._random, len(leaves))
                if number not in miss.still and leaves[number].n > 1:
                    break
        leaf = leaves[number]
        if leaf.n < 2:
            return {}
        index = below(self._random, leaf.n - 1)
        self._changed = number
        return {number: index + 1 if index >= leaf.index else index}


def _leaves(span: Span, found: list[Leaf]) -> None:
    """Collect the choices of an episode, in order."""
    for item in span.items:
        if isinstance(item, Leaf):
            found.append(item)
        elif isinstance(item, Span):
            _leaves(item, found)


def _replaced(span: Span, numbers: Iterator[int], changes: dict[int, int]) -> Span:
    """Return a span with other choices, by their number."""
    made: list[Item] = []
    for item in span.items:
        if isinstance(item, Span):
            made.append(_replaced(item, numbers, changes))
        elif isinstance(item, Leaf):
            index = changes.get(next(numbers), item.index)
            made.append(item if index == item.index else Leaf(item.head, item.n, index, item.value))
    return Span(span.head, made)
