"""A guide by hand: the loop drives a queue, and compares it with a list."""

from collections import deque

import rlcheck
from rlcheck.errors import Signal


class Queue:
    """A queue of at most four items. Once it has been full twice, it gives items from the wrong end."""

    def __init__(self):
        self.items = deque()
        self.times_full = 0

    def put(self, item):
        """Add an item at the end."""
        self.items.append(item)
        self.times_full += len(self.items) == 4

    def get(self):
        """Take the first item."""
        return self.items.popleft() if self.times_full < 2 else self.items.pop()


guide = rlcheck.Guide("monte-carlo", seed=0)
failures = []
for _ in range(2_000):
    episode = guide.start()
    queue, model = Queue(), []
    try:
        for step in range(10):
            op = guide.choose(["put", "get"], at="op", state=len(model))
            if op == "put":
                rlcheck.assume(len(model) < 4)
                queue.put(step)
                model.append(step)
                guide.reward(1.0 if len(model) == 4 else 0.0)
            else:
                rlcheck.assume(model)
                assert queue.get() == model.pop(0)
        outcome = rlcheck.Outcome.VALID
    except Signal:
        outcome = rlcheck.Outcome.INVALID
    except AssertionError:
        outcome = rlcheck.Outcome.FAILED
        failures.append(episode.choices)
    guide.finish(outcome)

print(f"{len(failures)} of 2000 episodes failed")
print(f"the first one: {failures[0]}")
