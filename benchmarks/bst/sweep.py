"""The study as data: what is compared, how often, on how many trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.bst.subject import WINDOW, Tree, annotated, tree
from rlcheck.abstractions import Sequence
from rlcheck.generators import Generator
from rlcheck.learners import Diverse, MonteCarlo, Uniform
from rlcheck.protocols import Abstraction, Learner
from rlcheck.rewards import Novelty

TREES = 100_000
SEEDS = 10

# The paper's parameters, spelt out so that another default changes nothing here.
REWARD = Novelty(unique=20, valid=0, invalid=-1)
_guided = partial(MonteCarlo, epsilon=0.25)


@dataclass(frozen=True, slots=True)
class Variant:
    """A generator with or without states of its own, and who answers it."""

    generator: Generator[Tree]
    learner: Callable[[], Learner[Any]] = _guided
    #: None is the default one: automatic.
    abstraction: Callable[[], Abstraction] | None = None


VARIANTS = {
    "Random": Variant(tree, learner=Uniform),
    "Sequence": Variant(tree, abstraction=partial(Sequence, window=WINDOW)),
    # The paper's Tree: that there is a child is part of the state, on which side is not.
    "Tree": Variant(annotated(left=("child",), right=("child",))),
    "Tree L/R": Variant(annotated(left=("L",), right=("R",))),
    "Call tree": Variant(tree),
    # Not in the paper: the default learner.
    "Diverse": Variant(tree, learner=Diverse),
}
