"""rlcheck: property-based tests that reach what random testing cannot.

A generator asks for choices; a guide that learns while the tests run answers them.
"""

from typing import TYPE_CHECKING, Any

from rlcheck.campaign import Campaign
from rlcheck.choice import ChoicePoint
from rlcheck.coverage import Coverage
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import RlcheckError
from rlcheck.execution import assume, event, target
from rlcheck.failure import Failure
from rlcheck.frontends.properties import given, settings
from rlcheck.generators import booleans, integers, lists, sampled_from
from rlcheck.guide import Guide
from rlcheck.replaying import replay
from rlcheck.summary import Summary

if TYPE_CHECKING:
    from rlcheck import contexts
    from rlcheck.frontends.agents.gym_env import ChoiceEnv, ChoiceVectorEnv
    from rlcheck.frontends.api.adaptive_process import AdaptiveProcess
    from rlcheck.frontends.api.api_test import ApiTest
    from rlcheck.frontends.hypothesis.strategies import to_strategy
    from rlcheck.frontends.random.generator import GuidedRandom
    from rlcheck.frontends.random.guided_random import guided_random

__version__ = "0.2.0"

__all__ = [
    "AdaptiveProcess",
    "ApiTest",
    "Campaign",
    "ChoiceEnv",
    "ChoicePoint",
    "ChoiceVectorEnv",
    "Coverage",
    "Episode",
    "Failure",
    "Guide",
    "GuidedRandom",
    "Outcome",
    "RlcheckError",
    "Summary",
    "assume",
    "booleans",
    "contexts",
    "event",
    "given",
    "guided_random",
    "integers",
    "lists",
    "replay",
    "sampled_from",
    "settings",
    "target",
    "to_strategy",
]


#: What needs an optional package, or modules of its own, is imported when it is first asked for.
_LATER = {
    "AdaptiveProcess": "frontends.api.adaptive_process",
    "ApiTest": "frontends.api.api_test",
    "ChoiceEnv": "frontends.agents.gym_env",
    "ChoiceVectorEnv": "frontends.agents.gym_env",
    "GuidedRandom": "frontends.random.generator",
    "guided_random": "frontends.random.guided_random",
    "to_strategy": "frontends.hypothesis.strategies",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER and name != "contexts":
        raise AttributeError(f"module 'rlcheck' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"rlcheck.{_LATER.get(name, name)}")
    return getattr(module, name) if name in _LATER else module
