"""The study as data: subjects, rows of the tables, and how many inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.deep import javascript, maven
from benchmarks.strict import terms
from rlcheck.abstractions import Sequence
from rlcheck.generators import Generator
from rlcheck.learners import Diverse, MonteCarlo, Uniform, Zest
from rlcheck.learners.deep.dqn import Dqn, DqnConfig
from rlcheck.learners.deep.recurrent import Recurrent
from rlcheck.protocols import Abstraction, Learner
from rlcheck.rewards import Novelty

# The paper's parameters, spelt out so that another default changes nothing here.
REWARD = Novelty(unique=20, valid=0, invalid=-1)
_WINDOW = 4
_SEQUENCE = partial(Sequence, window=_WINDOW)
_PAPER = DqnConfig(window=_WINDOW, epsilon=0.25, temperature=0.0, replay=1, bootstrap=None)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is generated, and how much of it."""

    generator: Generator[Any]
    valid: Callable[[Any], bool]
    inputs: int
    #: The paper's table of it; None for what no setting of `dqn` was chosen on.
    table: int | None = None
    #: How large an input is.
    size: Callable[[Any], int] = len


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    learner: Callable[[], Learner[Any]]
    #: None is the default one: automatic.
    abstraction: Callable[[], Abstraction] | None = None
    #: How many seeds it has where it has more than the others, by subject.
    seeds: dict[str, int] | None = None


SUBJECTS = {
    "maven": Subject(maven.document, maven.is_project, 50_000, 1),
    "javascript": Subject(javascript.program, javascript.compiles, 100_000, 2),
    **{
        subject.name: Subject(subject.generator, subject.valid, 10_000, size=subject.size)
        for subject in terms.SUBJECTS
    },
}

ROWS = {
    "Random": Row(Uniform),
    "RLCheck": Row(partial(MonteCarlo, epsilon=0.25), _SEQUENCE),
    "RLCheck, call tree": Row(partial(MonteCarlo, epsilon=0.25)),
    "Zest": Row(Zest),
    "DQN, as in the paper": Row(partial(Dqn, _PAPER), _SEQUENCE),
    "DQN": Row(Dqn),
    "DQN, intrinsic reward": Row(partial(Dqn, DqnConfig(curiosity=0.1))),
    "DQN, bootstrapped": Row(partial(Dqn, DqnConfig(bootstrap="monte-carlo"))),
    "Recurrent": Row(Recurrent, seeds={"javascript": 10}),
    "Diverse": Row(Diverse),
}
