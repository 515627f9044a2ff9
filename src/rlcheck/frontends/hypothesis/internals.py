"""What this package imports of Hypothesis' insides; one clear message where a version lacks a part."""

from __future__ import annotations

import hypothesis

from rlcheck.errors import ConfigurationError

try:
    from hypothesis.control import current_build_context, currently_in_test_context
    from hypothesis.core import StateForActualGivenExecution
    from hypothesis.database import ExampleDatabase, choices_from_bytes, choices_to_bytes
    from hypothesis.errors import BackendCannotProceed, FailedHealthCheck, StopTest, UnsatisfiedAssumption
    from hypothesis.internal.conjecture.choice import choice_permitted
    from hypothesis.internal.conjecture.data import MAX_DEPTH, ConjectureData, Status
    from hypothesis.internal.conjecture.engine import ConjectureRunner
    from hypothesis.internal.conjecture.providers import PrimitiveProvider
    from hypothesis.internal.healthcheck import fail_health_check
    from hypothesis.internal.reflection import function_digest
    from hypothesis.strategies._internal.lazy import unwrap_strategies
    from hypothesis.strategies._internal.recursive import LimitReached
    from hypothesis.strategies._internal.strategies import SampledFromStrategy
except ImportError as error:
    raise ConfigurationError(
        f"rlcheck does not know Hypothesis {hypothesis.__version__}: {error}. Run the tests without rlcheck,"
        " or install a version that it knows: pip install 'hypothesis<6.171'"
    ) from error

__all__ = [
    "MAX_DEPTH",
    "BackendCannotProceed",
    "ConjectureData",
    "ConjectureRunner",
    "ExampleDatabase",
    "FailedHealthCheck",
    "LimitReached",
    "PrimitiveProvider",
    "SampledFromStrategy",
    "StateForActualGivenExecution",
    "Status",
    "StopTest",
    "UnsatisfiedAssumption",
    "choice_permitted",
    "choices_from_bytes",
    "choices_to_bytes",
    "current_build_context",
    "currently_in_test_context",
    "fail_health_check",
    "function_digest",
    "unwrap_strategies",
]
