"""Gains: what a test found counts for equal work, and beside what tests find just now."""

import pytest

from rlcheck.frontends.api.gains import Gains


def test_the_same_finds_count_more_for_less_work():
    slow, fast = Gains(), Gains()
    slow.of([10], 30_000)
    fast.of([10], 30_000)
    assert fast.of([10], 15_000) == [pytest.approx(2 * slow.of([10], 30_000)[0])]


def test_the_first_tests_are_worth_no_more_than_later_ones():
    gains = Gains()
    first = gains.of([1_000], 30_000)
    for _ in range(50):
        later = gains.of([10], 30_000)
    assert later == [pytest.approx(first[0], rel=0.01)]


def test_a_rare_find_is_one_find():
    gains = Gains()
    for _ in range(50):
        assert gains.of([0, 5], 30_000)[0] == 0.0
    assert gains.of([1, 5], 30_000)[0] == 1.0
