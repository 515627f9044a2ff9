"""Lock-step: episodes of one campaign side by side, so that a learner answers many choices at once.

Each episode runs in a greenlet, hence generators stay ordinary functions. One that asks waits until all the
others ask as well or have ended; then the learner answers them in one go. An episode that has ended makes
room for the next one at once.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from greenlet import getcurrent, greenlet

from rlcheck.choice import ChoicePoint

if TYPE_CHECKING:
    from rlcheck.budget import Budget
    from rlcheck.campaign import Campaign


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


def fits(campaign: Campaign) -> bool:
    """Whether episodes of a campaign may run side by side now: not when each choice looks at branches."""
    guide = campaign.guide
    many = getattr(guide.learner, "lanes", 1) > 1
    return many and hasattr(guide.abstraction, "beside") and not guide.steps


def run(campaign: Campaign, budget: Budget) -> None:
    """Run episodes side by side while the budget lasts and the campaign fits."""
    learner: Any = campaign.guide.learner
    hub = getcurrent()
    tasks = []
    try:
        asking = []
        for place in range(min(learner.lanes, budget.left)):
            seat = Seat(learner.lane(place), hub)
            task = greenlet(_work)
            tasks.append(task)
            task.switch(campaign, _beside(campaign, seat), budget)
            if not task.dead:
                asking.append((task, seat.lane))
        while asking:
            indices = learner.answer([lane for _, lane in asking])
            ended = False
            for (task, _), index in zip(asking, indices, strict=True):
                task.switch(index)
                ended = ended or task.dead
            if ended:
                asking = [pair for pair in asking if not pair[0].dead]
    finally:
        for task in tasks:
            if not task.dead:
                task.throw()  # Its episode is abandoned.


def _beside(campaign: Campaign, seat: Seat) -> Campaign:
    """The same campaign for one of several episodes at a time: what is counted is shared."""
    guide = campaign.guide
    other = copy(campaign)
    other.guide = guide.beside(seat, guide.abstraction.beside())  # type: ignore[attr-defined]
    other.targets = {}
    return other


def _work(campaign: Campaign, beside: Campaign, budget: Budget) -> None:
    """Run one episode after the other."""
    while fits(campaign) and budget.begin():
        # It may be turned on and off in the course of a campaign. No choice is made while it counts.
        beside.guide.coverage = campaign.guide.coverage
        budget.end(beside._episode())
        if beside.guide.graded:
            campaign.guide.graded = True
