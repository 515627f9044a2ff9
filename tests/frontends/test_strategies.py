"""Generators as Hypothesis strategies, and its shrinker for our choices."""

import pytest

import rlcheck

hypothesis = pytest.importorskip("hypothesis")

from hypothesis import find, given, settings  # noqa: E402

from rlcheck.frontends.hypothesis.strategies import shrink  # noqa: E402


def numbers(choose):
    return [choose(range(11)) for _ in range(choose(range(5)))]


def even(choose):
    x = choose(range(100))
    rlcheck.assume(x % 2 == 0)
    return x


def test_a_generator_is_a_strategy():
    seen = []

    @settings(max_examples=50, database=None)
    @given(rlcheck.to_strategy(numbers))
    def collect(xs):
        seen.append(tuple(xs))

    collect()
    assert len(set(seen)) > 20
    assert all(len(xs) < 5 and all(0 <= x < 11 for x in xs) for xs in seen)


def test_it_shrinks():
    assert find(rlcheck.to_strategy(numbers), lambda xs: sum(xs) > 12, settings=settings(database=None)) in (
        [2, 11],
        [2, 10],
        [3, 10],
    )


def test_assume_rejects():
    @settings(database=None)
    @given(rlcheck.to_strategy(even))
    def check(x):
        assert x % 2 == 0

    check()


def test_shrink_finds_the_smallest_choices_that_still_fail():
    assert shrink(numbers, lambda xs: sum(xs) > 7, [4, 3, 3, 3, 3]) == (1, 8)


def test_shrink_is_repeatable_and_leaves_what_cannot_shrink():
    results = {shrink(numbers, lambda xs: sum(xs) > 25, [4, 9, 9, 9, 9]) for _ in range(3)}
    assert len(results) == 1
    assert shrink(even, lambda x: x == 98, [98]) == (98,)


def test_shrink_gives_back_what_does_not_fail_again():
    assert shrink(numbers, lambda xs: False, [2, 3, 4]) == (2, 3, 4)


def test_shrink_sees_through_enum_and_huge_ranges():
    def huge(choose):
        return choose(range(2**80)) if choose([False, True]) else 0

    assert shrink(huge, lambda x: x > 2**70, [1, 2**79]) == (1, 2**70 + 1)
