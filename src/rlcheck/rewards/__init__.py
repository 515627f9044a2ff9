"""The shelf of rewards: the worth of a finished episode."""

from rlcheck.rewards.combine import Combine
from rlcheck.rewards.coverage import Coverage
from rlcheck.rewards.failure import Failure
from rlcheck.rewards.new_branches import NewBranches
from rlcheck.rewards.novelty import Novelty
from rlcheck.rewards.validity import Validity

__all__ = ["Combine", "Coverage", "Failure", "NewBranches", "Novelty", "Validity"]
