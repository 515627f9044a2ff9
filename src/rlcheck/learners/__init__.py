"""The shelf of learners: one file each, copy `uniform.py` to add one."""

from rlcheck.learners.diverse import Diverse
from rlcheck.learners.monte_carlo import MonteCarlo
from rlcheck.learners.uniform import Uniform

__all__ = ["Diverse", "MonteCarlo", "Uniform"]
