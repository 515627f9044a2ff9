"""Notes: where instrumented functions record the branches that they take."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from itertools import compress

#: The highest count of one branch in one input.
MOST = 2**16
#: The longest path, which takes 32 MB; of an input that takes more branches, the last ones are kept.
LONGEST = 2**22

# The bits of a note that hold the branch's number. `predicates` has them too, but is slow to load.
_BRANCH = 2**24 - 1


class Counted:
    """Branches without their order: one queue per branch, whose length is the count."""

    def __init__(self) -> None:
        self._queues: list[deque[int]] = []
        self._numbers: list[int] = []

    def of(self, branch: int) -> Callable[[int], None]:
        """Return the function that records a branch."""
        while len(self._queues) <= branch:
            self._numbers.append(len(self._queues))
            self._queues.append(deque(maxlen=MOST))
        return self._queues[branch].append

    def take(self) -> dict[int, int]:
        """Return how often each branch was taken since the last call, by ascending number."""
        # All loops are in C: there may be thousands of branches, and this runs after each input.
        taken = list(compress(self._queues, self._queues))
        counts = dict(zip(compress(self._numbers, self._queues), map(len, taken), strict=False))
        for queue in taken:
            queue.clear()
        return counts

    def digest(self) -> int:
        """Return a hash of what was recorded since the last call."""
        return hash(tuple(map(len, self._queues)))

    def clear(self) -> None:
        """Forget what was recorded."""
        for queue in compress(self._queues, self._queues):
            queue.clear()


class Ordered:
    """Branches in the order in which they were taken: one queue for all."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self._queue: deque[int] = deque(maxlen=LONGEST)

    def of(self, branch: int) -> Callable[[int], None]:
        """Return the function that records a branch."""
        return self._queue.append

    def take(self) -> dict[int, int]:
        """Return how often each branch was taken since the last call, by ascending number."""
        taken = self._branches()
        self._queue.clear()
        self.path = (self.path + taken)[-LONGEST:] if self.path else taken
        return dict(sorted(Counter(taken).items()))

    def digest(self) -> int:
        """Return a hash of what was recorded since the last call."""
        return hash(tuple(self._queue))

    def clear(self) -> None:
        """Forget what was recorded."""
        self.path = []
        self._queue.clear()

    def _branches(self) -> list[int]:
        return list(self._queue)


class Combined(Ordered):
    """Branches in their order, and the combinations of predicates that occurred at them."""

    def __init__(self, met: set[int]) -> None:
        super().__init__()
        self._met = met

    def _branches(self) -> list[int]:
        self._met.update(self._queue)
        return [noted & _BRANCH for noted in self._queue]
