"""Watch: a coverage that also records comparisons and exceptions, used while nothing is valid."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rlcheck.coverage.branches import Coverage
from rlcheck.coverage.hints import KIND, LESS, Compared, distance
from rlcheck.coverage.modules import imported
from rlcheck.coverage.switch import Switch
from rlcheck.coverage.watched import Watched
from rlcheck.episode import KIND_OF_SIGN, Episode
from rlcheck.reasons import Rejection

#: A site that compared no part of the input, this many inputs in a row, is ignored from then on.
_PATIENCE = 10

#: A site that compares more often than this in one input probably counts something.
_OFTEN = 20

#: The kinds of signs: branches, results of comparisons, and distances.
BRANCH, OUTCOME, DISTANCE = 1 << KIND_OF_SIGN, 2 << KIND_OF_SIGN, 3 << KIND_OF_SIGN
_LEVEL_BITS = 8


class Watch(Coverage):
    """Records why inputs are rejected.

    Args:
        modules: The modules to watch.
        roots: The modules of the precondition itself.
    """

    def __init__(self, modules: Sequence[str], roots: Sequence[str]) -> None:
        super().__init__(())
        self._watched = self._notes = Watched(roots)
        self.ordered = True
        given = [imported(module) for module in modules]
        self._switch = Switch(given, self._watched.of, marked="comparisons", whole=False)
        # For each site, in how many inputs in a row it compared no part of the input.
        self._idle: Counter[int] = Counter()
        # The results that the comparisons of each site had.
        self._ways: dict[int, set[bool]] = {}

    def extend(self, modules: Sequence[str]) -> None:
        """Watch these modules too."""
        known = set(self.modules)
        new = [imported(module) for module in modules if module not in known]
        if new:
            self._switch.off()
            self._switch.given += new
            self._switch.on()

    def describe(self, episode: Episode, options: list[Any]) -> None:
        """Give a rejected episode its signs, and what it was compared with.

        Args:
            episode: The rejected episode, which has ended.
            options: The options of each choice.
        """
        watched, signs = self._watched, episode.signs
        for branch, count in self.counts.items():
            exact = count < 16
            level = count if exact else 16 + count.bit_length()
            signs.append(BRANCH | branch << _LEVEL_BITS | level)
        comparisons = list(dict.fromkeys(watched.compared))
        known = list(options) if len(options) == len(episode.choices) else []  # Some front ends have none.
        compared = episode.compared = Compared(comparisons, known, episode.choices)
        outcomes = compared.outcomes()
        signs += [OUTCOME | sign for sign in outcomes]
        for site, left, right in {comparison[0]: comparison for comparison in comparisons}.values():
            apart = distance(left, right)
            if apart:
                signs.append(DISTANCE | site << _LEVEL_BITS | apart)
        for text in dict.fromkeys(watched.caught):
            signs.append(Rejection([text]).signs()[0])
        episode.reason = episode.reason or self.reason()
        self._mute(compared, outcomes)

    def reason(self) -> str:
        """Return why the last input was rejected: what was caught last, or the last branch before it."""
        switch = self._switch
        if self._watched.caught:
            return self._watched.caught[-1]
        for branch in reversed(self.path):
            module, line = switch.places[branch]
            if module in self._watched.roots:
                file, start, end = switch.spots[branch]
                source = linecache.getline(file, line).encode()
                part = source[start:end] if end > start else source[start:]
                return f"{module}:{line}: {part.decode(errors='replace').strip()}"
        return ""

    def _mute(self, compared: Compared, outcomes: dict[int, tuple[int, bool]]) -> None:
        """Mute sites that compare no part of the input and always have the same result."""
        for site, came_out in outcomes.values():
            self._ways.setdefault(site, set()).add(came_out)
        used = compared.sites()
        often = Counter([comparison[0] for comparison in self._watched.compared])
        for site, times in often.items():
            if site in used:
                self._idle[site] = 0
            elif times > _OFTEN or (len(self._ways[site]) < 2 and site & KIND != LESS):
                self._idle[site] += 1
                if self._idle[site] == _PATIENCE:
                    self._watched.muted.add(site)
