"""Outlines: how nested values become trees of labels."""

from dataclasses import dataclass
from typing import Any

import pytest

from rlcheck.contexts import parts_of
from rlcheck.report.outline import outline


@dataclass(slots=True)
class Slots:
    value: int
    left: Any = None
    right: Any = None


@dataclass
class Plain:
    value: int
    below: list[Any]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((5, (2, None, None), None), ("5", [("2", [])])),
        (Slots(5, Slots(2), Slots(8)), ("5", [("2", []), ("8", [])])),
        (Plain(1, [Plain(2, [])]), ("1", [("", [("2", [("", [])])])])),
        ({"a": [1, 2], "b": 3}, ("'a' 'b' 3", [("1 2", [])])),
        ([1, [2, [3]]], ("1", [("2", [("3", [])])])),
    ],
)
def test_what_is_not_nested_is_part_of_the_label(value, expected):
    assert outline(value) == expected


@pytest.mark.parametrize("value", [5, "text", None, len, [], [1, 2, 3], {"a": 1}])
def test_a_flat_value_has_none(value):
    assert outline(value) is None


def test_it_is_bounded():
    def size(made):
        return 1 + sum(map(size, made[1]))

    def depth(made):
        return 1 + max(map(depth, made[1]), default=0)

    wide = outline([[n] for n in range(1_000)])
    assert size(wide) == 60
    deep = []
    for _ in range(100):
        deep = [deep]
    assert depth(outline(deep)) <= 14
    (long,) = outline([["x" * 1_000, []]])[1]
    assert len(long[0]) == 24


def test_parts_are_in_order_and_values_have_none():
    assert parts_of((1, 2, 3)) == [1, 2, 3]
    assert parts_of(Slots(1, 2, 3)) == [1, 2, 3]
    assert parts_of(Plain(1, [2])) == [1, [2]]
    assert parts_of({"a": 1}) == ["a", 1]
    assert parts_of({2, 1}) == [2, 1] or parts_of({2, 1}) == [1, 2]
    assert parts_of(1) is parts_of(None) is parts_of(len) is None
