"""ApiPortfolio: a portfolio for tests of an interface, which compares its members by what the tests find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlcheck.frontends.api.gains import Gains
from rlcheck.protocols import Learner

#: How much of a turn's gains remains after the next turn, and how many tests a turn has: a member that learns
#: needs more than one test to show it.
_DISCOUNT, _TURN = 0.97, 4


class ApiPortfolio:
    """Makes a `Portfolio` for an ApiTest: give it as `learner=ApiPortfolio()`.

    The members are random testing, a swarm that prefers some operations in each test, and SARSA(λ) with the
    last two choices as its state. Each turn of four tests goes to the member whose tests find most paths,
    shapes and combinations of predicates for their cost.

    Args:
        members: Names or learners; None for the three above.
        turn: How many tests a turn has.
    """

    def __init__(self, members: Sequence[str | Learner[Any]] | None = None, *, turn: int = _TURN) -> None:
        self.members = members
        self.turn = turn

    def make(self, operations: int, gains: Gains) -> Learner[Any]:
        """The portfolio for an interface with this many operations, which reads the gains of each test."""
        from rlcheck.learners import Portfolio, Turns  # Slow to load, and needed only here.

        members = _members(operations) if self.members is None else self.members
        turns = Turns(self.turn, discount=_DISCOUNT, explore=0.0)
        return Portfolio(members, turns=turns, gains=lambda episode: gains.latest)


def _members(operations: int) -> list[str | Learner[Any]]:
    from rlcheck.learners import RecentSarsa, Swarm  # Slow to load, and needed only here.

    # Two choices are a call with its argument. Each member would need a context of its own.
    members: list[str | Learner[Any]] = ["uniform", RecentSarsa(2)]
    if operations > 1:  # Among one operation, nothing can be preferred.
        members.append(Swarm(at=["operation"], inherit=0.9))
    return members
