"""Contexts: what they tell apart, what they do not, and that any object graph ends."""

import subprocess
import sys
from array import array
from collections import OrderedDict, deque
from datetime import date
from decimal import Decimal
from enum import Enum

import pytest

import rlcheck
from rlcheck import contexts


class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right


class Slotted:
    __slots__ = ("__hidden", "after", "key")

    def __init__(self, key, after=None):
        self.key, self.after = key, after
        self.__hidden = [key]


class Colour(Enum):
    RED = 1


def linked(*keys):
    head = None
    for key in reversed(keys):
        head = Slotted(key, head)
    return head


EVERY = [contexts.concrete, contexts.shape, contexts.shape_members]


@pytest.mark.parametrize("context", EVERY)
def test_other_structures_are_told_apart(context):
    things = [
        Node(1),
        Node(1, Node(2)),
        Node(1, None, Node(2)),
        linked(1, 2),
        linked(1, 2, 3),
        [1, 2],
        (1, 2),
        [1, [2]],
        [1, None],
        {1: 2},
        {1: [2]},
        {1, 2},
        deque([1, 2]),
        OrderedDict({1: 2}),
    ]
    assert len({context(thing) for thing in things}) == len(things)


def test_a_shape_has_no_values_and_a_concrete_context_has_all():
    one, other = Node(5, Node(3), Node(8)), Node(6, Node(1), Node(7))
    assert contexts.shape(one) == contexts.shape(other)
    assert contexts.concrete(one) != contexts.concrete(other)
    assert contexts.concrete(one) == contexts.concrete(Node(5, Node(3), Node(8)))
    assert contexts.shape([True, "a", Colour.RED]) == contexts.shape([1.5, b"b", 3])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (date(2020, 1, 1), date(2020, 1, 2)),
        (Decimal(1), Decimal(2)),
        (bytearray(b"a"), bytearray(b"b")),
        (array("i", [1]), array("i", [2])),
        (range(2), range(3)),
    ],
)
def test_values_without_attributes_are_values(one, other):
    assert contexts.shape([one]) == contexts.shape([other])
    assert contexts.concrete([one]) != contexts.concrete([other])


def test_members_are_values_without_their_places():
    one, same, other = Node(5, Node(3)), Node(3, Node(5)), Node(5, Node(4))
    assert contexts.shape_members(one) == contexts.shape_members(same) != contexts.shape_members(other)
    assert contexts.concrete(one) != contexts.concrete(same)


def test_sharing_is_told_from_copies_and_cycles_end():
    leaf = Node(1)
    assert contexts.shape([leaf, leaf]) != contexts.shape([Node(1), Node(1)])
    ring, longer = Node(1), Node(1, Node(2))
    ring.left = ring
    longer.left.left = longer
    assert contexts.shape(ring) != contexts.shape(longer)
    own = []
    own.append(own)
    assert contexts.shape(own) == "list1 @0"


def test_what_is_not_data_is_a_name():
    assert contexts.shape([len, Node, contexts, lambda: 1]) == contexts.shape([abs, Slotted, sys, linked])


def test_the_walk_is_linear_and_has_a_limit():
    def parts(length):
        return len(str(contexts.shape(linked(*range(length)))).split())

    assert parts(400) - parts(200) == parts(200) - parts(0)
    assert len(str(contexts.shape(linked(*range(100_000))))) < 100_000
    assert str(contexts.shape(list(range(10_000)))).endswith("...")


def test_a_coverage_adds_how_many_branches_the_test_has_taken():
    with rlcheck.Coverage(["textwrap"]) as coverage:
        import textwrap

        coverage.start()
        assert contexts.shape([1], coverage) == (contexts.shape([1]), 0)
        textwrap.shorten("hello world", 8)
        coverage.advance()
        assert contexts.shape([1], coverage) == (contexts.shape([1]), len(coverage.counts))
        assert len(coverage.counts) > 5


def test_contexts_are_the_same_in_every_process():
    code = (
        "from rlcheck import contexts as c; thing = [{'a', 'b', 'c'}, {'x': {'y', 'z'}}];"
        "print(c.concrete(thing), c.shape_members(thing))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(runs) == 1
