"""Saved inputs: choice sequences to mutate, each with an energy."""

from __future__ import annotations

from math import log
from random import Random

from rlcheck.learners._exploration import any_option

#: How much more often a favoured input becomes a parent.
_FAVOUR = 20

#: Stands for a choice to make again.
FRESH = -1


class Input:
    """A saved input."""

    __slots__ = ("branches", "choices", "owned")

    def __init__(self, choices: tuple[int, ...], branches: int) -> None:
        self.choices = choices
        #: How many branches it took; 1 without coverage.
        self.branches = branches
        #: How many branches it is responsible for; while there are any, it is favoured.
        self.owned = 0


class Saved:
    """Inputs to mutate.

    Args:
        most: How many are kept; when there are more, one that is not favoured makes room.
        places: How many places of a parent are mutated, on average.
        length: How many choices are made again at each place, on average.
    """

    def __init__(self, most: int, places: float, length: float) -> None:
        self._most = most
        self._places = places
        self._length = length
        self._favoured: list[Input] = []
        self._others: list[Input] = []
        self._known: set[tuple[int, ...]] = set()
        self._owners: dict[int, Input] = {}
        self._widest = 1

    def __len__(self) -> int:
        return len(self._known)

    def clear(self) -> None:
        """Forget all of them."""
        self._favoured, self._others, self._known, self._owners = [], [], set(), {}

    def add(
        self, rng: Random, choices: tuple[int, ...], branches: int = 1, owns: tuple[int, ...] = ()
    ) -> None:
        """Save an input, and make it responsible for the branches that it owns."""
        if choices in self._known:
            return
        self._known.add(choices)
        self._widest = max(self._widest, branches)
        added = Input(choices, branches)
        for branch in owns:
            self._disown(branch)
            self._owners[branch] = added
            added.owned += 1
        (self._favoured if owns else self._others).append(added)
        if len(self._known) > self._most and self._others:
            place = any_option(rng, len(self._others))
            self._known.discard(self._others[place].choices)
            self._others[place] = self._others[-1]
            self._others.pop()

    def child(self, rng: Random) -> list[int]:
        """Return the choices of an input with some of them FRESH; none at all if nothing is saved."""
        if not self._known:
            return []
        parent = self._parent(rng)
        child = list(parent.choices)
        for _ in range(_geometric(rng, self._places)):
            place = any_option(rng, len(child))
            end = min(place + _geometric(rng, self._length), len(child))
            while place < end:
                child[place] = FRESH
                place += 1
        return child

    def _parent(self, rng: Random) -> Input:
        """Return a random input by energy."""
        favoured = _FAVOUR * len(self._favoured)
        total = favoured + len(self._others)
        while True:
            at = any_option(rng, total)
            found = self._favoured[at // _FAVOUR] if at < favoured else self._others[at - favoured]
            if found.branches == self._widest or rng.random() * self._widest < found.branches:
                return found

    def _disown(self, branch: int) -> None:
        owner = self._owners.get(branch)
        if owner is not None:
            owner.owned -= 1
            if owner.owned == 0:
                self._favoured.remove(owner)
                self._others.append(owner)


def _geometric(rng: Random, mean: float) -> int:
    """Return a random number of at least 1 whose mean is `mean`."""
    if mean <= 1.0:
        return 1
    return 1 + int(log(1.0 - rng.random()) / log(1.0 - 1.0 / mean))
