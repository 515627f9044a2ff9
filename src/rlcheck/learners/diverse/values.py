"""Values: which choices among few options are values all the same, decided by trial.

That a choice is one of eleven does not say whether it is a kind of node or a key. A trial takes a valid
episode and gives the choices at one point other indices in the same order. Where that is nearly always valid,
and nothing else is asked, they are values: keys, sizes, digits. Choices among many numbers are values, unless
other indices in the same order are seldom valid: then they are kinds, such as the tags of a document.
"""

from __future__ import annotations

#: Choices among at most this many options are structure, unless trials say otherwise; others are values.
FEW = 12

#: Choices among fewer options are never values.
_LEAST = 3

#: How many trials decide, and how many of them have to be valid.
_TRIALS = 12
_VALID = 9

#: More points than this are not tried.
_POINTS = 1_000


class Values:
    """Points whose choices are values."""

    def __init__(self) -> None:
        #: Those whose options are no numbers.
        self.unordered: set[int] = set()
        #: Those decided to be.
        self.known: set[int] = set()
        #: Those that are not decided.
        self.open: set[int] = set()
        #: Numbers of options, above the few, whose choices are kinds.
        self.kinds: set[int] = set()
        # How many trials of each there were, and how many were valid.
        self._tries: dict[int, list[int]] = {}

    def is_value(self, head: int, n: int) -> bool:
        """Whether a choice is a value."""
        if n > FEW and head not in self.unordered:
            return n not in self.kinds
        return head in self.known

    def meet(self, head: int, n: int) -> None:
        """Take note of a choice."""
        if n < _LEAST or head in self._tries or len(self._tries) >= _POINTS:
            return
        if n <= FEW or head in self.unordered:
            self._tries[head] = [0, 0]
            self.open.add(head)

    def learn(self, head: int, valid: bool) -> bool:  # noqa: FBT001 - compiled
        """Note a trial; return whether the choices of its point turned out to be values."""
        tries = self._tries[head]
        tries[0] += 1
        tries[1] += valid
        if tries[0] < _TRIALS:
            return False
        self.open.discard(head)
        if tries[1] >= _VALID:
            self.known.add(head)
            return True
        return False
