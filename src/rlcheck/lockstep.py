"""Lock-step: episodes of one campaign side by side, so that a learner answers many choices at once.

Each episode runs in a greenlet, so generators stay ordinary functions. An episode that asks waits until all
others ask as well or have ended; then the learner answers them all at once. When an episode ends, the next
one starts immediately.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

from rlcheck.abilities import LearnerBase
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.protocols import Lockstep


class Slot(LearnerBase):
    """The learner of one guide among many: it waits for its answers.

    Args:
        lane: The learner's record of the running episode.
        hub: The greenlet that collects what is asked.
    """

    imitates = True

    def __init__(self, lane: Any, hub: greenlet) -> None:
        self.lane = lane
        self._wait = hub.switch

    def select(self, point: ChoicePoint, state: Any, n: int) -> int:
        """Wait until all other episodes ask too, then pick an option."""
        self.lane.ask(point, state, n)
        return self._wait()  # type: ignore[no-any-return]

    def observe(self, point: ChoicePoint, state: Any, n: int, index: int) -> None:
        """Record a choice that was made for the learner."""
        self.lane.observe(point, state, n, index)

    def reward(self, value: float) -> None:
        """Pass a reward on."""
        self.lane.reward(value)

    def update(self, episode: Episode) -> None:
        """Pass the finished episode on."""
        self.lane.update(episode)

    def drop(self) -> None:
        """Forget the running episode."""
        self.lane.drop()


def run(learner: Lockstep, lanes: int, work: Callable[[Slot], None]) -> None:
    """Run the work in this many lanes at a time, each with a slot as its learner, until all have ended."""
    hub = getcurrent()
    tasks = []
    try:
        asking = []
        for place in range(lanes):
            slot = Slot(learner.lane(place), hub)
            task = greenlet(work)
            tasks.append(task)
            task.switch(slot)
            if not task.dead:
                asking.append((task, slot.lane))
        while asking:
            indices = learner.answer([lane for _, lane in asking])
            for (task, _), index in zip(asking, indices, strict=True):
                task.switch(index)
            asking = [pair for pair in asking if not pair[0].dead]
    finally:
        for task in tasks:
            if not task.dead:
                task.throw()  # Its episode is abandoned.
