"""The pytest plugin: flags, budgets, the summary, and that it is not there when it is not asked for."""

import sqlite3
from contextlib import closing

import pytest

pytest.importorskip("hypothesis")

from rlcheck.errors import ConfigurationError
from rlcheck.frontends.hypothesis.memory_file import MemoryFile

SUITE = """
from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st

patient = [HealthCheck.too_slow]  # On a busy machine.
stock = {"deadline": None, "database": None, "derandomize": False, "suppress_health_check": patient}

@settings(**stock)
@seed(0)
@given(st.lists(st.integers(0, 20), max_size=5))
def test_sorted(xs):
    assume(len(xs) >= 4)
    assume(xs == sorted(set(xs)))

@settings(**stock)
@seed(0)
@given(st.integers())
def test_any(x):
    pass

def test_plain():
    pass
"""


#: Plugins of other packages, which take half of the time that pytest needs to start.
ALONE = ("-p", "no:cacheprovider", "-p", "no:anyio", "-p", "no:faker", "-p", "no:pytest_cov")


@pytest.fixture
def suite(pytester, monkeypatch):
    """Run a suite in a process of its own, as a user does."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run(code, *flags):
        pytester.makepyfile(code)
        return pytester.runpytest_subprocess(*ALONE, "-W", "error", *flags)

    return run


def test_a_suite_that_is_filtered_too_much_passes_with_the_flag(suite):
    plain = suite(SUITE)
    plain.assert_outcomes(passed=2, failed=1)
    plain.stdout.fnmatch_lines(["*FailedHealthCheck: *filtering out a lot of inputs*"])
    assert "= rlcheck =" not in plain.stdout.str()
    guided = suite(SUITE, "--rlcheck", "--hypothesis-show-statistics")
    guided.assert_outcomes(passed=3)
    guided.stdout.fnmatch_lines(["*%, rlcheck searched * test cases*"])
    guided.stdout.re_match_lines(
        [
            r"\S+::test_sorted: [\d,]+ test cases, \d+ unique valid; valid: \d+%, \d+% to \d+% without"
            r" guidance; searched [\d,]+ in [\d.]+ s",
            r"  [\d,]+ x assume\(\) in test_sorted \(line \d+\)",
            r"  [\d,]+ x assume\(\) in test_sorted \(line \d+\)",
        ]
    )
    assert "test_plain:" not in guided.stdout.str()
    assert "unique valid" not in suite(SUITE, "--rlcheck", "-q").stdout.str()


BUG = """
from hypothesis import HealthCheck, given, seed, settings, strategies as st

patient = [HealthCheck.too_slow]
@settings(max_examples=5, deadline=None, database=None, derandomize=False, suppress_health_check=patient)
@seed(0)
@given(st.integers(0, 200), st.integers(0, 20))
def test_it(x, y):
    assert (x, y) != (137, 13) and x < 198
"""


def test_seconds_find_what_max_examples_would_not(suite):
    suite(BUG).assert_outcomes(passed=1)
    suite(BUG, "--rlcheck").assert_outcomes(passed=1)
    found = suite(BUG, "--rlcheck-seconds", "10")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*x=198,*", "*y=0,*"])


def test_seconds_are_spent_where_there_is_no_bug(suite):
    code = """
    from hypothesis import HealthCheck, given, settings, strategies as st
    calls = 0
    patient = [HealthCheck.too_slow]
    @settings(max_examples=5, deadline=None, database=None, suppress_health_check=patient)
    @given(st.integers())
    def test_it(x):
        global calls
        calls += 1
    def test_calls():
        assert calls > 5  # More than max_examples.
    """
    done = suite(code, "--rlcheck-seconds=0.5")
    done.assert_outcomes(passed=2)
    done.stdout.re_match_lines([r".*::test_it: [\d,]+ test cases, .*; searched [\d,]+ in [\d.]+ s"])


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x"])
def test_a_wrong_number_of_seconds_is_a_usage_error(pytester, value):
    pytester.makepyfile("def test_it(): pass")
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", f"--rlcheck-seconds={value}")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert "--rlcheck-seconds" in done.stderr.str()
    assert "Traceback" not in done.stderr.str()


def test_nothing_is_loaded_without_the_flag(suite):
    code = """
    import sys

    def loaded(name):
        return [module for module in sys.modules if module.partition(".")[0] == name]

    def test_nothing():
        assert not loaded("rlcheck") + loaded("hypothesis")

    def test_no_more_than_hypothesis():
        from hypothesis import HealthCheck, given, settings, strategies as st

        @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(st.booleans())
        def inner(x):
            assert not loaded("rlcheck")

        inner()
    """
    suite(code).assert_outcomes(passed=2)


def test_without_hypothesis_the_flag_names_the_extra(suite, pytester):
    pytester.makeconftest("")
    pytester.makepyfile(nohypothesis="import sys; sys.modules['hypothesis'] = None")
    done = suite("def test_it(): pass", "-p", "no:hypothesispytest", "-p", "nohypothesis", "--rlcheck")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert "pip install '.[hypothesis]'" in done.stderr.str()


BACKENDS = """
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from hypothesis.control import current_build_context
from hypothesis.stateful import RuleBasedStateMachine, rule
import unittest

class Seen(set):
    calls = 0
    def add_current(self):
        self.add(type(current_build_context().data.provider).__name__)
        self.calls += 1
        assume(self.calls > 20)  # Guidance begins when inputs are rejected.

names = {"own": Seen(), "default": Seen(), "method": Seen(), "machine": Seen(), "case": Seen()}
few = {"max_examples": 5, "database": None, "deadline": None, "derandomize": False}
few["suppress_health_check"] = [HealthCheck.too_slow]

@settings(backend="hypothesis-urandom", **few)
@given(st.integers())
def test_own(x):
    names["own"].add_current()

@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers())
def test_default(x):
    names["default"].add_current()

class TestGroup:
    @pytest.mark.parametrize("n", [1, 2])
    @settings(**few)
    @given(x=st.integers())
    def test_method(self, x, n):
        names["method"].add_current()

class Case(unittest.TestCase):
    @settings(**few)
    @given(st.integers())
    def test_case(self, x):
        names["case"].add_current()

class Machine(RuleBasedStateMachine):
    @rule(x=st.integers())
    def step(self, x):
        names["machine"].add_current()

TestMachine = Machine.TestCase
TestMachine.settings = settings(stateful_step_count=5, **few)

def test_names():
    # The simplest test case is always Hypothesis' own.
    default = "HypothesisProvider"
    assert names.pop("own") == {default, "URandomProvider"}
    for seen in names.values():
        assert seen == {default, "GuidedProvider"}, names
"""


def test_every_kind_of_test_is_guided_unless_it_names_a_backend(suite):
    suite(BACKENDS, "--rlcheck").assert_outcomes(passed=7)


def test_failures_keep_their_message_and_their_summary(suite):
    code = """
    from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st
    patient = [HealthCheck.too_slow]
    @settings(deadline=None, database=None, derandomize=False, suppress_health_check=patient)
    @seed(0)
    @given(st.integers(), st.integers())
    def test_it(x, y):
        assume(x % 9 == 1)
        assert y < 100
    """
    done = suite(code, "--rlcheck")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*y=100,*"])
    done.stdout.fnmatch_lines(["*::test_it: * test cases*"])


def test_the_summary_crosses_from_the_workers_of_xdist(suite):
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    done = suite(SUITE, "--rlcheck", "-n", "2")
    done.assert_outcomes(passed=3)
    done.stdout.re_match_lines([r".*::test_sorted: .*unique valid.*"])


def test_rejections_are_places_that_fit_the_terminal(suite):
    code = """
    from hypothesis import HealthCheck, given, settings, strategies as st
    many = st.one_of([st.just(str(n)) for n in range(500)]).filter(lambda text: text < "2")
    @settings(suppress_health_check=list(HealthCheck), database=None, deadline=None)
    @given(st.lists(st.integers()).flatmap(lambda xs: st.just(xs).filter(lambda ys: len(ys) > 2)), many)
    def test_it(xs, text):
        pass
    """
    done = suite(code, "--rlcheck")
    lines = [line for line in done.outlines if " x " in line]
    assert lines
    assert max(map(len, lines)) <= 80
    assert len(lines) == len({line.split(" x ")[1] for line in lines}) <= 3


MACHINE = """
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

patient = [HealthCheck.too_slow]

class Counter(RuleBasedStateMachine):
    @initialize()
    def begin(self):
        self.count = 0
    @rule()
    def add(self):
        self.count += 1
    @precondition(lambda self: self.count > 1_000)
    @rule()
    def overflow(self):
        self.count = 0

TestCounter = Counter.TestCase
TestCounter.settings = settings(max_examples=5, database=None, deadline=None, suppress_health_check=patient)
"""


def test_rules_that_never_ran_are_listed(suite):
    done = suite(MACHINE, "--rlcheck")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["*::TestCounter::runTest: 1 of 3 rules never ran", "  overflow (*.py:1*)"])
    mended = MACHINE.replace("> 1_000", ">= 0")
    suite(mended, "--rlcheck").stdout.no_fnmatch_line("*never ran*")


REMEMBERED = """
from hypothesis import HealthCheck, assume, given, settings, strategies as st

outcomes = []

@settings(derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 100)))
def test_it(xs):
    outcomes.append(len(xs) >= 6 and xs == sorted(xs))
    assume(outcomes[-1])

def test_valid():
    print("VALID", sum(outcomes[:100]))
"""


def test_a_file_carries_valid_inputs_to_the_next_run(suite, pytester):
    def first_hundred():
        done = suite(REMEMBERED, "-s", "--rlcheck-memory", "memory.db")
        done.assert_outcomes(passed=2)
        (line,) = [line for line in done.outlines if "VALID" in line]
        return int(line.split()[-1])

    cold = first_hundred()
    assert first_hundred() >= max(3 * cold, 30)
    assert not list(pytester.path.glob("memory.db-*"))  # One file, which a cache can carry.


@pytest.mark.parametrize("content", [b"not a database", b"SQLite format 3\x00 broken"])
def test_a_memory_that_cannot_be_read_is_a_usage_error_and_stays(pytester, content):
    path = pytester.path / "memory.db"
    path.write_bytes(content)
    pytester.makepyfile("def test_it(): pass")
    done = pytester.runpytest_subprocess(*ALONE, "--rlcheck-memory", str(path))
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--rlcheck-memory: {path} cannot be used" in done.stderr.str()
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_no_memory(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE theirs (x)")
    with pytest.raises(ConfigurationError, match="a database of another program"):
        MemoryFile(path)


def test_a_memory_that_breaks_during_a_run_costs_a_warning(tmp_path):
    path = tmp_path / "memory.db"
    memory = MemoryFile(path)
    memory.save(b"test", b"input")
    assert memory.fetch(b"test") == [b"input"]
    memory.delete(b"test", b"input")
    assert memory.fetch(b"test") == []
    path.write_bytes(b"broken")
    with pytest.warns(UserWarning, match="rlcheck cannot use"):
        assert memory.fetch(b"test") == []
    memory.save(b"test", b"input")  # Warnings are errors here, and one is enough.
