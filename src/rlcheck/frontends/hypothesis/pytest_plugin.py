"""The pytest plugin: runs the Hypothesis tests of a suite on our backend, and sums up what came of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from rlcheck import registry

try:
    from hypothesis import is_hypothesis_test, settings

    from rlcheck.frontends.hypothesis.provider import GuidedProvider
    from rlcheck.frontends.hypothesis.tally import Tally
except ModuleNotFoundError as error:
    raise pytest.UsageError(str(registry.missing_extra("--rlcheck", error))) from error


class Plugin:
    """What `--rlcheck` and `--rlcheck-seconds` turn on."""

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not 0.0 < seconds < float("inf"):
            raise pytest.UsageError(f"--rlcheck-seconds={seconds:g} must be above 0.")
        GuidedProvider.seconds = seconds or 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        """Guide a test, and take note of its tallies."""
        if not is_hypothesis_test(getattr(item, "obj", None)):
            return (yield)
        _guide(item)
        tallies: list[Tally] = []
        GuidedProvider.tallies = tallies
        try:
            return (yield)
        finally:
            GuidedProvider.tallies = None
            item.rlcheck = [[str(tally), tally.rejected_most()] for tally in tallies if tally.cases]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Put the tallies on the report: under pytest-xdist it is what reaches the terminal."""
        report = yield
        if call.when == "call" and hasattr(item, "rlcheck"):
            report.rlcheck = item.rlcheck
        return report

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print a line per test, and what rejected most."""
        reports = [
            report
            for reports in terminalreporter.stats.values()
            for report in reports
            if getattr(report, "rlcheck", None)
        ]
        if reports:
            terminalreporter.section("rlcheck")
        for report in reports:
            for tally, rejections in report.rlcheck:
                terminalreporter.write_line(f"{report.nodeid}: {tally}")
                if rejections:
                    terminalreporter.write_line(rejections)


def _guide(item: Any) -> None:
    """Put a test on our backend, unless it names another one."""
    machine: Any = getattr(item, "cls", None)
    if isinstance(getattr(machine, "settings", None), settings):  # The TestCase of a state machine.
        machine.settings = _guided(machine.settings)
        return
    function = getattr(item.obj, "__func__", item.obj)
    used = getattr(function, "_hypothesis_internal_use_settings", None) or settings()
    function._hypothesis_internal_use_settings = _guided(used)


def _guided(used: settings) -> settings:
    return settings(used, backend="rlcheck") if used.backend == "hypothesis" else used
