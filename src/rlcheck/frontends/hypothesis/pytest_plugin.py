"""The pytest plugin: runs the Hypothesis tests of a suite on our backend, and prints a summary."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rlcheck import registry
from rlcheck.checks import check_positive
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.properties import observed
from rlcheck.protocols import Observer

try:
    from hypothesis import is_hypothesis_test, settings

    from rlcheck.frontends.hypothesis.compat import set_settings, settings_of
    from rlcheck.frontends.hypothesis.configuration import Configuration, configured
    from rlcheck.frontends.hypothesis.machines import noted_rules
    from rlcheck.frontends.hypothesis.memory_file import MemoryFile
    from rlcheck.frontends.hypothesis.pytest_dashboard import TestRuns, serve
    from rlcheck.frontends.hypothesis.tally import Tally
except ModuleNotFoundError as error:
    raise pytest.UsageError(str(registry.missing_extra("--rlcheck", error))) from error
except ConfigurationError as error:  # A version of Hypothesis that rlcheck does not know.
    raise pytest.UsageError(str(error)) from error

#: What to say about a test item: a line, more lines, and whether to say it of a test that passed too.
_LINES = pytest.StashKey[list[tuple[str, str, bool]]]()


class Plugin:
    """The hooks that `--rlcheck` and the other flags turn on.

    Args:
        config: The configuration of the session.
        seconds: How long to search each test for failures.
        memory: The file that keeps valid inputs.
        dashboard: Whether to show the tests in a browser.
    """

    def __init__(
        self, config: pytest.Config, seconds: float | None, memory: str | None, *, dashboard: bool
    ) -> None:
        self._tests: TestRuns | None = None
        try:
            if dashboard:
                self._show(config)
            self._seconds = 0.0 if seconds is None else check_positive("--rlcheck-seconds", seconds)
            self._memory = None if memory is None else MemoryFile(Path(memory).absolute())
        except ConfigurationError as error:
            raise pytest.UsageError(str(error)) from error

    def _show(self, config: pytest.Config) -> None:
        """Store the tests, and serve them, but not in each worker of pytest-xdist."""
        folder = Path.cwd()
        self._tests = TestRuns(folder)
        config.add_cleanup(self._tests.close)
        if not hasattr(config, "workerinput"):
            server = serve(folder)
            config.add_cleanup(server.stop)
            sys.stderr.write(f"rlcheck: {server.address} shows the tests\n")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        """Guide a test, and keep its tallies."""
        is_guided = is_hypothesis_test(getattr(item, "obj", None))
        if is_guided:
            _guide(item, print_blob=self._tests is not None)
        tallies: list[Tally] = []
        rules: dict[str, int] = {}
        try:
            with ExitStack() as stack:
                observers: list[Observer] = []
                if self._tests is not None:
                    learner = "hypothesis" if is_guided else "rlcheck"
                    observers.append(stack.enter_context(self._tests.running(item.nodeid, learner)))
                    stack.enter_context(observed(observers))
                wanted = tallies if is_guided else None
                chosen = Configuration(self._seconds, self._memory, wanted, observers)
                stack.enter_context(configured(chosen))
                rules = stack.enter_context(noted_rules(getattr(item, "obj", None)))
                return (yield)
        finally:
            item.stash[_LINES] = [
                (str(tally), tally.rejected_most(), bool(tally.rejections or tally.searched))
                for tally in tallies
                if tally.cases
            ]
            if never := [rule for rule, count in rules.items() if not count]:
                lines = "\n".join(f"  {rule}" for rule in never)
                item.stash[_LINES].append((f"{len(never)} of {len(rules)} rules never ran", lines, True))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Put the lines on the report: pytest-xdist sends reports, and nothing else, to the terminal."""
        report = yield
        if call.when == "call":
            report.rlcheck = item.stash.get(_LINES, [])
        return report

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print what is news of each test: what rejected its inputs, and which of its rules never ran."""
        if terminalreporter.verbosity < 0:
            return
        reports = [report for reports in terminalreporter.stats.values() for report in reports]
        found = [
            (report.nodeid, line, more)
            for report in reports
            for line, more, is_news in getattr(report, "rlcheck", ())
            if is_news or report.failed
        ]
        if found:
            terminalreporter.section("rlcheck")
        width = terminalreporter._tw.fullwidth
        for test, first, more in found:
            terminalreporter.write_line(f"{test}: {first}")
            for line in more.splitlines():
                terminalreporter.write_line(line if len(line) <= width else f"{line[: width - 1]}…")


def _guide(item: Any, *, print_blob: bool) -> None:
    """Run a test on our backend, unless it names another one; with the blob that replays a failure."""
    blob = {"print_blob": True} if print_blob else {}
    machine: Any = getattr(item, "cls", None)
    if isinstance(getattr(machine, "settings", None), settings):  # The TestCase of a state machine.
        machine.settings = _guided(machine.settings, **blob)
        return
    function = getattr(item.obj, "__func__", item.obj)
    set_settings(function, _guided(settings_of(function), **blob))


def _guided(used: settings, **more: Any) -> settings:
    return settings(used, backend="rlcheck", **more) if used.backend == "hypothesis" else used
