"""Lock-step: episodes of one campaign side by side, so that a learner answers many choices at once.

Each episode runs in a greenlet, hence generators stay ordinary functions. One that asks waits until all the
others ask as well or have ended; then the learner answers them in one go. An episode that has ended makes
room for the next one at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

from rlcheck.choice import ChoicePoint


class Seat:
    """The learner of one guide among many: it waits for the answer.

    Args:
        lane: What the learner keeps of the running episode.
        hub: The greenlet that collects what is asked.
    """

    def __init__(self, lane: Any, hub: greenlet) -> None:
        self.lane = lane
        self.reward = lane.reward
        self.update = lane.update
        self.drop = lane.drop
        self.imitate = lane.imitate
        self._wait = hub.switch

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """The index of the option to take, once all the others ask too."""
        self.lane.ask(point, state, n)
        return self._wait()  # type: ignore[no-any-return]


def run(learner: Any, lanes: int, work: Callable[[Seat], None]) -> None:
    """Do the work in so many lanes at a time, each with a seat as its learner, until all have ended."""
    hub = getcurrent()
    tasks = []
    try:
        asking = []
        for place in range(lanes):
            seat = Seat(learner.lane(place), hub)
            task = greenlet(work)
            tasks.append(task)
            task.switch(seat)
            if not task.dead:
                asking.append((task, seat.lane))
        while asking:
            indices = learner.answer([lane for _, lane in asking])
            for (task, _), index in zip(asking, indices, strict=True):
                task.switch(index)
            asking = [pair for pair in asking if not pair[0].dead]
    finally:
        for task in tasks:
            if not task.dead:
                task.throw()  # Its episode is abandoned.
