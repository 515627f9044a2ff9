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
    from rlcheck.learners.deep.dqn import Dqn, DqnConfig
    from rlcheck.learners.deep.recurrent import Recurrent, RecurrentConfig

#: PyTorch is heavy and optional: what needs it is imported when it is first asked for.
_DEEP = {"Dqn": "dqn", "DqnConfig": "dqn", "Recurrent": "recurrent", "RecurrentConfig": "recurrent"}

__all__ = [
    "Diverse",
    "Dqn",
    "DqnConfig",
    "MonteCarlo",
    "Portfolio",
    "Rarity",
    "RecentSarsa",
    "Recurrent",
    "RecurrentConfig",
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
