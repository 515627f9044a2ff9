"""The pytest plugin: runs the Hypothesis tests of a suite on our backend, and prints a summary."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from rlcheck import registry
from rlcheck.checks import check_positive
from rlcheck.errors import ConfigurationError

try:
    from hypothesis import is_hypothesis_test, settings

    from rlcheck.frontends.hypothesis.compat import set_settings, settings_of
    from rlcheck.frontends.hypothesis.configuration import Configuration, configured
    from rlcheck.frontends.hypothesis.memory_file import MemoryFile
    from rlcheck.frontends.hypothesis.tally import Tally
except ModuleNotFoundError as error:
    raise pytest.UsageError(str(registry.missing_extra("--rlcheck", error))) from error

#: The tallies of a test item, as lines, and whether anything was rejected or searched for.
_LINES = pytest.StashKey[list[tuple[str, str, bool]]]()


class Plugin:
    """The hooks that `--rlcheck`, `--rlcheck-seconds` and `--rlcheck-memory` turn on."""

    def __init__(self, seconds: float | None, memory: str | None) -> None:
        try:
            self._seconds = 0.0 if seconds is None else check_positive("--rlcheck-seconds", seconds)
            self._memory = None if memory is None else MemoryFile(Path(memory).absolute())
        except ConfigurationError as error:
            raise pytest.UsageError(str(error)) from error

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        """Guide a test, and keep its tallies."""
        if not is_hypothesis_test(getattr(item, "obj", None)):
            with configured(Configuration(self._seconds, self._memory)):
                return (yield)
        _guide(item)
        tallies: list[Tally] = []
        try:
            with configured(Configuration(self._seconds, self._memory, tallies)):
                return (yield)
        finally:
            item.stash[_LINES] = [
                (str(tally), tally.rejected_most(), bool(tally.rejections or tally.searched))
                for tally in tallies
                if tally.cases
            ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Put the lines on the report: pytest-xdist sends reports, and nothing else, to the terminal."""
        report = yield
        if call.when == "call":
            report.rlcheck = item.stash.get(_LINES, [])
        return report

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print a line for each test that failed or rejected inputs, and what rejected most of them."""
        if terminalreporter.verbosity < 0:
            return
        reports = [report for reports in terminalreporter.stats.values() for report in reports]
        found = [
            (report.nodeid, tally, rejections)
            for report in reports
            for tally, rejections, is_news in getattr(report, "rlcheck", ())
            if is_news or report.failed
        ]
        if found:
            terminalreporter.section("rlcheck")
        width = terminalreporter._tw.fullwidth
        for test, tally, rejections in found:
            terminalreporter.write_line(f"{test}: {tally}")
            for line in rejections.splitlines():
                terminalreporter.write_line(line if len(line) <= width else f"{line[: width - 1]}…")


def _guide(item: Any) -> None:
    """Run a test on our backend, unless it names another one."""
    machine: Any = getattr(item, "cls", None)
    if isinstance(getattr(machine, "settings", None), settings):  # The TestCase of a state machine.
        machine.settings = _guided(machine.settings)
        return
    function = getattr(item.obj, "__func__", item.obj)
    set_settings(function, _guided(settings_of(function)))


def _guided(used: settings) -> settings:
    return settings(used, backend="rlcheck") if used.backend == "hypothesis" else used
