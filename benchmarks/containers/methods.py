"""The methods of the study: random testing, shape search, ABP in six contexts, and the project's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlcheck import contexts
from rlcheck.frontends.api.portfolio import ApiPortfolio
from rlcheck.frontends.api.shape_search import ShapeSearch
from rlcheck.learners import RecentSarsa, Swarm

#: What the paper reports as ABP.
ABP = "ABP ShapeCover"

#: By name, what an ApiTest is given besides its subject. Learners are made anew for each run.
METHODS: dict[str, Callable[[], dict[str, Any]]] = {
    "RT": lambda: {"learner": "uniform"},
    "SA": lambda: {"learner": ShapeSearch()},
    ABP: lambda: {"context": None, "counted": True},
    "ABP Shape": lambda: {"context": None, "counted": False},
    "ABP ShapeMembersCover": lambda: {"context": contexts.shape_members, "counted": True},
    "ABP ShapeMembers": lambda: {"context": contexts.shape_members, "counted": False},
    "ABP ConcreteCover": lambda: {"context": contexts.concrete, "counted": True},
    "ABP Concrete": lambda: {"context": contexts.concrete, "counted": False},
    "diverse": lambda: {"learner": "diverse"},
    "swarm": lambda: {"learner": Swarm(at=["operation"])},
    "inheriting swarm": lambda: {"learner": Swarm(at=["operation"], inherit=0.9)},
    "recent": lambda: {"learner": RecentSarsa(2)},
    "portfolio": lambda: {"learner": ApiPortfolio()},
}

#: Real time over reported time, as in the paper: a search that copied subjects would not make calls again.
ALLOWANCE = {"SA": 2.0}
