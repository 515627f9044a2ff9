"""Hints: changes of single choices that turn a comparison round."""

import pytest

from rlcheck.coverage.compare import EQUAL, KIND_BITS, LESS, LOOKUP, STARTS, TYPE, WITHIN
from rlcheck.coverage.hints import Compared, distance

WORDS = ["one", "two", "three"]


def hints(kind, left, right, options, choices):
    compared = Compared([(9 << KIND_BITS | kind, left, right)], options, choices)
    return compared.hints()


@pytest.mark.parametrize(
    ("kind", "left", "right", "found"),
    [
        (EQUAL, "one", "three", [(0, 2)]),
        (EQUAL, "three", "one", [(0, 2)]),
        (EQUAL, "one", "four", []),
        (EQUAL, 5, 7, [(1, 7)]),
        (EQUAL, 5, True, []),
        (EQUAL, "<one>", "<two>", [(0, 1)]),
        (EQUAL, "<one>", "[two]", []),
        (EQUAL, "s", "t", [(3, 1)]),
        (EQUAL, "on", "tw", []),
        (LESS, 5, 8, [(1, 8), (1, 9), (1, 7)]),
        (LESS, 10, 5, [(1, 9)]),
        (LESS, "one", "two", []),
        (WITHIN, "one", ("two", "six"), [(0, 1)]),
        (WITHIN, "two", ("one", 3), [(0, 1)]),
        (WITHIN, "one", "three", [(0, 2)]),
        (LOOKUP, "one", ("two",), [(0, 1)]),
        (STARTS, "one", "two", [(0, 1)]),
        (TYPE, None, (int,), []),
        (TYPE, "one", (int,), []),
        (TYPE, False, (str,), [(2, 1)]),
    ],
)
def test_the_choice_that_an_operand_comes_from_becomes_the_other_operand(kind, left, right, found):
    options = [WORDS, range(10), [False, "text"], ['"s"', '"t"'], {"no": 1}, None]
    assert hints(kind, left, right, options, [0, 5, 0, 0, 0, 0]) == found


def test_options_that_were_changed_since_and_large_ranges_are_no_problem():
    assert hints(EQUAL, 1, 2, [[], range(2**70), [1]], [0, 1, 0]) == [(1, 2)]


def test_the_latest_comparison_comes_first():
    compared = Compared([(EQUAL, 1, 2), (EQUAL, 3, 4)], [range(9), range(9)], [1, 3])
    assert compared.hints() == [(1, 4), (0, 2)]


def test_there_are_not_too_many():
    many = [(EQUAL, 1, number) for number in range(1_000)]
    found = Compared(many, [range(1_000)], [1]).hints()
    assert found[:2] == [(0, 999), (0, 998)]
    assert len(found) == 200


def test_many_choices_of_one_value_are_all_candidates():
    assert hints(EQUAL, 1, 2, [range(3)] * 4, [1, 0, 1, 1]) == [(0, 2), (2, 2), (3, 2)]
    found = Compared([(EQUAL, 1, number) for number in range(9)], [range(9)] * 40, [1] * 40).hints()
    assert len(found) == 200


def test_sites_that_compare_something_of_the_input_are_known():
    comparisons = [
        (8 | EQUAL, "one", "x"),
        (16 | EQUAL, "x", "y"),
        (24 | WITHIN, "x", ("y", "one")),
        (32 | EQUAL, "", "x"),
        (8 | EQUAL, "x", "y"),
    ]
    assert Compared(comparisons, [WORDS], [0]).sites() == {8 | EQUAL, 24 | WITHIN}


def test_outcomes_tell_what_does_not_come_from_the_input_apart():
    def outcomes(*comparisons, chosen=0):
        found = Compared(comparisons, [WORDS], [chosen]).outcomes()
        return list(found), [came_out for _, came_out in found.values()]

    assert outcomes((EQUAL, "one", "x"))[0] == outcomes((EQUAL, "two", "x"), chosen=1)[0]
    assert outcomes((EQUAL, "one", "x"))[0] != outcomes((EQUAL, "one", "y"))[0]
    assert outcomes(
        (EQUAL, 3, 3), (LESS, 3, 2), (LESS, 2, 3), (LESS, 2, "a"), (WITHIN, 3, (3,)), (TYPE, 3, (str,))
    )[1] == [True, False, True, False, True, False]
    assert outcomes((WITHIN, "a", "cab"), (STARTS, "abc", "x"), (STARTS, 3, "x"))[1] == [True, False, False]


@pytest.mark.parametrize(
    ("left", "right", "far"),
    [
        (3, 3, 1),
        (3, 5.5, 3),
        (0, 15, 16),
        (0, 16, 17),
        (0, 100, 27),
        (0, 2**59, 237),
        (0, 10**30, 0),
        (0, float("nan"), 0),
        ("abc", "abd", 2),
        ("abc", "a", 3),
        ("abc", 3, 0),
        (None, (1,), 0),
    ],
)
def test_distances_grow_in_steps(left, right, far):
    assert distance(left, right) == far
