"""rlcheck: property-based tests that reach what random testing cannot.

A generator asks for choices; a guide that learns while the tests run answers them.
"""

from typing import TYPE_CHECKING, Any

from rlcheck import contexts
from rlcheck.campaign import Campaign, Failure, Summary, assume, target
from rlcheck.choice import ChoicePoint
from rlcheck.coverage import Coverage
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import RlcheckError
from rlcheck.frontends.adaptive_process import AdaptiveProcess
from rlcheck.frontends.guided_random import GuidedRandom, guided_random
from rlcheck.frontends.properties import given, settings
from rlcheck.generators import booleans, integers, lists, sampled_from
from rlcheck.guide import Guide
from rlcheck.replaying import replay

if TYPE_CHECKING:
    from rlcheck.frontends.api_test import ApiTest
    from rlcheck.frontends.gym_env import ChoiceEnv, ChoiceVectorEnv
    from rlcheck.frontends.strategies import to_strategy

__version__ = "0.1.0"

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


def __getattr__(name: str) -> Any:
    # What needs a package that is optional, or modules of its own, is imported when it is first asked for.
    if name == "ApiTest":
        from rlcheck.frontends.api_test import ApiTest

        return ApiTest
    if name == "to_strategy":
        from rlcheck.frontends.strategies import to_strategy

        return to_strategy
    if name in ("ChoiceEnv", "ChoiceVectorEnv"):
        from rlcheck.frontends import gym_env

        return getattr(gym_env, name)
    raise AttributeError(f"module 'rlcheck' has no attribute {name!r}")
