"""Gains: what a test found, for equal work and relative to recent tests."""

import pytest

from rlcheck.frontends.api.gains import Gains


def test_the_same_finds_count_more_for_less_work():
    slow, fast = Gains(), Gains()
    slow.add([10], 30_000)
    fast.add([10], 30_000)
    assert fast.add([10], 15_000) == [pytest.approx(2 * slow.add([10], 30_000)[0])]


def test_the_first_tests_are_worth_no_more_than_later_ones():
    gains = Gains()
    first = gains.add([1_000], 30_000)
    for _ in range(50):
        later = gains.add([10], 30_000)
    assert later == [pytest.approx(first[0], rel=0.01)]


def test_a_rare_find_is_one_find():
    gains = Gains()
    for _ in range(50):
        assert gains.add([0, 5], 30_000)[0] == 0.0
    assert gains.add([1, 5], 30_000)[0] == 1.0
