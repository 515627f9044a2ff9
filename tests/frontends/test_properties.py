"""`given` and `settings`, called and under pytest."""

import pytest

import rlcheck
from rlcheck.errors import ConfigurationError, NoValidInput


def sorted_pair(choose):
    return [choose(range(50)), choose(range(50))]


def test_a_property_that_holds_passes_and_is_run_as_often_as_asked():
    calls = []

    @rlcheck.settings(episodes=70, seed=0)
    @rlcheck.given(x=rlcheck.integers(0, 99))
    def holds(x):
        calls.append(x)

    holds()
    assert len(calls) == 70
    assert set(calls) <= set(range(100))


def test_settings_go_above_or_below_given():
    calls = []

    @rlcheck.given(x=rlcheck.integers(0, 9))
    @rlcheck.settings(episodes=7)
    def holds(x):
        calls.append(x)

    holds()
    assert len(calls) == 7


def test_a_failure_is_shrunk_and_says_how_to_replay_it():
    pytest.importorskip("hypothesis")

    @rlcheck.settings(seed=0)
    @rlcheck.given(pair=sorted_pair, key=rlcheck.integers(0, 50))
    def fails(pair, key):
        rlcheck.assume(pair == sorted(pair))
        assert pair[1] < 20, "too big"

    with pytest.raises(AssertionError, match="too big") as caught:
        fails()
    notes = "\n".join(caught.value.__notes__)
    assert "3 choices shrunk to 3" in notes
    assert "pair = [0, 20]" in notes
    assert "key = 0" in notes
    assert "Reproduce with: rlcheck.replay(fails, [0, 20, 0])" in notes
    with pytest.raises(AssertionError, match="too big"):
        rlcheck.replay(fails, [0, 20, 0])
    assert rlcheck.replay(fails, [0, 19, 0]) is None


def test_the_seed_decides_what_is_tried():
    def tried(seed):
        seen = []

        @rlcheck.settings(episodes=30, seed=seed)
        @rlcheck.given(pair=sorted_pair)
        def property_(pair):
            seen.append(tuple(pair))

        property_()
        return seen

    assert tried(1) == tried(1) != tried(2)


def test_a_property_that_never_sees_a_valid_input_fails():
    @rlcheck.settings(episodes=40)
    @rlcheck.given(x=rlcheck.integers(0, 99))
    def never(x):
        rlcheck.assume(False)

    with pytest.raises(NoValidInput, match=r"saw no valid input: of 40 inputs, 0 made.*settings\(episodes"):
        never()
    with pytest.raises(NoValidInput, match="rejects the input"):
        rlcheck.replay(never, [3])


def test_a_flaky_property_raises_what_it_first_raised_and_says_so():
    runs = []

    @rlcheck.given(x=rlcheck.integers(0, 9))
    def flaky(x):
        runs.append(x)
        assert len(runs) != 3, "the third"

    with pytest.raises(AssertionError, match="the third") as caught:
        flaky()
    assert "failed once and then passed on the same input" in caught.value.__notes__[0]


def test_ctrl_c_is_not_a_pass():
    @rlcheck.given(x=rlcheck.integers(0, 9))
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()


@pytest.mark.parametrize(
    ("decorate", "message"),
    [
        (lambda: rlcheck.given(), "takes generators by name"),
        (lambda: rlcheck.given(rlcheck.booleans()), "takes generators by name"),
        (lambda: rlcheck.given(x=3), "x=3 must be a function"),
        (lambda: rlcheck.settings(episodes=-1), "episodes=-1"),
        (lambda: rlcheck.settings(learner="nope"), "learner='nope' is not known"),
        (lambda: rlcheck.given(y=rlcheck.booleans())(lambda x: None), r"given\(y=...\) names no parameter"),
    ],
)
def test_misuse_is_found_when_decorating(decorate, message):
    with pytest.raises(ConfigurationError, match=message):
        decorate()


def test_async_properties_are_refused():
    async def never_awaited(x):
        raise AssertionError

    with pytest.raises(ConfigurationError, match="runs nothing"):
        rlcheck.given(x=rlcheck.booleans())(never_awaited)


def test_seconds_alone_are_the_whole_budget():
    calls = []

    @rlcheck.settings(seconds=0.2, learner="uniform")
    @rlcheck.given(x=rlcheck.integers(0, 9))
    def holds(x):
        calls.append(x)

    holds()
    assert len(calls) > 1_000


def test_pytest_fail_and_raises_are_failures_and_skip_is_not():
    @rlcheck.given(x=rlcheck.integers(0, 9))
    def fails(x):
        with pytest.raises(ValueError, match="never"):
            pass

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE") as caught:
        fails()
    assert "Reproduce with" in caught.value.__notes__[-1]

    @rlcheck.given(x=rlcheck.integers(0, 9))
    def skips(x):
        pytest.skip("not here")

    with pytest.raises(pytest.skip.Exception, match="not here"):
        skips()


def test_settings_replay_runs_one_input():
    seen = []

    @rlcheck.settings(replay=[4, 5])
    @rlcheck.given(pair=sorted_pair)
    def property_(pair):
        seen.append(pair)

    property_()
    assert seen == [[4, 5]]


def test_under_pytest_with_fixtures_classes_and_a_failure(pytester):
    pytester.makepyfile(
        """
        import rlcheck

        @rlcheck.given(x=rlcheck.integers(0, 9))
        def test_with_fixture(tmp_path, x):
            assert tmp_path.exists() and x < 10

        class TestMethods:
            @rlcheck.given(x=rlcheck.integers(0, 9))
            def test_method(self, x):
                assert isinstance(self, TestMethods)

            @rlcheck.given(x=rlcheck.integers(0, 9))
            def test_failing_method(self, x):
                assert x < 5

        @rlcheck.given(x=rlcheck.integers(0, 9))
        def test_fails(x):
            assert x < 5
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*Reproduce with: @rlcheck.settings(replay=?*?) above test_failing_method*"])
    result.stdout.fnmatch_lines(["*Reproduce with: rlcheck.replay(test_fails, ?*?)*"])
