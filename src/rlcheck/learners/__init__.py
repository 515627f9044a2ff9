"""The shelf of learners: one file each, copy `uniform.py` to add one."""

from typing import TYPE_CHECKING, Any

from rlcheck.learners.diverse import Diverse
from rlcheck.learners.monte_carlo import MonteCarlo
from rlcheck.learners.portfolio import Portfolio, Turns
from rlcheck.learners.rarity import Rarity
from rlcheck.learners.sarsa_lambda import RecentSarsa, SarsaLambda
from rlcheck.learners.swarm import Swarm
from rlcheck.learners.uniform import Uniform
from rlcheck.learners.zest import Zest

if TYPE_CHECKING:
    from rlcheck.learners.deep.dqn import Dqn as Dqn
    from rlcheck.learners.deep.dqn import DqnConfig as DqnConfig
    from rlcheck.learners.deep.recurrent import Recurrent as Recurrent
    from rlcheck.learners.deep.recurrent import RecurrentConfig as RecurrentConfig

#: These need PyTorch, which is heavy and optional. They are imported when they are first used, and
#: `from rlcheck.learners import *` leaves them out.
_DEEP = {"Dqn": "dqn", "DqnConfig": "dqn", "Recurrent": "recurrent", "RecurrentConfig": "recurrent"}

__all__ = [
    "Diverse",
    "MonteCarlo",
    "Portfolio",
    "Rarity",
    "RecentSarsa",
    "SarsaLambda",
    "Swarm",
    "Turns",
    "Uniform",
    "Zest",
]


def __getattr__(name: str) -> Any:
    if name not in _DEEP:
        raise AttributeError(f"module 'rlcheck.learners' has no attribute {name!r}")
    import importlib

    from rlcheck import registry

    try:
        return getattr(importlib.import_module(f"rlcheck.learners.deep.{_DEEP[name]}"), name)
    except ModuleNotFoundError as error:
        raise registry.missing_extra(f"rlcheck.learners.{name}", error) from error
