"""The shelf of learners: one file each, copy `uniform.py` to add one."""

from rlcheck.learners.count_based import CountBased
from rlcheck.learners.diverse import Diverse
from rlcheck.learners.monte_carlo import MonteCarlo
from rlcheck.learners.mutate import Mutate
from rlcheck.learners.portfolio import Portfolio
from rlcheck.learners.sarsa_lambda import SarsaLambda
from rlcheck.learners.swarm import Swarm
from rlcheck.learners.uniform import Uniform
from rlcheck.learners.zest import Zest

__all__ = [
    "CountBased",
    "Diverse",
    "MonteCarlo",
    "Mutate",
    "Portfolio",
    "SarsaLambda",
    "Swarm",
    "Uniform",
    "Zest",
]
