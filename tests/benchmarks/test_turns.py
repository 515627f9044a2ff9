"""Turns: what is compared runs in turns, each in a process of its own."""

import os
from time import monotonic_ns

import pytest

from benchmarks import turns


def stamp(length):
    """A task that notes when it had its turns, and in which process."""
    seen = []
    for turn in range(length):
        seen.append(monotonic_ns())
        if turn < length - 1:
            yield None
    yield os.getpid(), seen


def fail(task):
    """A task that does not end well."""
    yield None
    raise ValueError(task)


def test_tasks_take_turns_until_each_has_ended():
    (one, first), (other, second), (_, third) = turns.run(stamp, [3, 3, 1])
    assert one != other != os.getpid()
    order = sorted([(at, 0) for at in first] + [(at, 1) for at in second] + [(at, 2) for at in third])
    assert [task for _, task in order] == [0, 1, 2, 0, 1, 0, 1]


def test_a_task_that_fails_is_no_result():
    with pytest.raises(EOFError):
        turns.run(fail, ["a"])
