"""The shelf of rewards: the worth of a finished episode."""

from rlcheck.rewards.novelty import Novelty
from rlcheck.rewards.validity import Validity

__all__ = ["Novelty", "Validity"]
