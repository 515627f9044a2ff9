"""The part of rlcheck that Hypothesis and pytest load when they start: names and flags, no other code."""

from __future__ import annotations

from typing import Any


def register_backend() -> None:
    """Make `@settings(backend="rlcheck")` known. Hypothesis calls this when it is imported."""
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["rlcheck"] = "rlcheck.frontends.hypothesis.provider.GuidedProvider"


def pytest_addoption(parser: Any) -> None:
    """Add the flags of the pytest plugin."""
    group = parser.getgroup("rlcheck", "guidance for Hypothesis tests")
    group.addoption(
        "--rlcheck",
        action="store_true",
        help="run every Hypothesis test on the backend 'rlcheck', and print a summary for each",
    )
    group.addoption(
        "--rlcheck-seconds",
        type=float,
        metavar="N",
        help="search each Hypothesis test for failures for N seconds, in addition to its max_examples",
    )
    group.addoption(
        "--rlcheck-memory",
        metavar="PATH",
        help="keep valid inputs of Hypothesis tests in this file, so that the next run starts with them",
    )
    group.addoption(
        "--rlcheck-dashboard",
        action="store_true",
        help="show the tests in a browser on this machine while they run, and keep what they did in .rlcheck",
    )


def pytest_configure(config: Any) -> None:
    """Load the plugin when a flag asks for it."""
    seconds, memory = config.getoption("--rlcheck-seconds"), config.getoption("--rlcheck-memory")
    dashboard = config.getoption("--rlcheck-dashboard")
    if config.getoption("--rlcheck") or seconds is not None or memory is not None or dashboard:
        from rlcheck.frontends.hypothesis.pytest_plugin import Plugin

        config.pluginmanager.register(
            Plugin(config, seconds, memory, dashboard=dashboard), "rlcheck-guidance"
        )
