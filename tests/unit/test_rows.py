"""Rows: the best option is the one a plain table would find, whatever the order of rewards."""

import random

import pytest

from rlcheck.learners._rows import LongRow, Row, make_row

REWARDS = (-1.0, 0.0, 20.0)


class PlainRow:
    """A list and a scan."""

    def __init__(self, n):
        self.values = [0.0] * n
        self.counts = [0] * n

    def learn(self, index, reward, step_size):
        self.counts[index] += 1
        self.values[index] += (reward - self.values[index]) * (step_size or 1.0 / self.counts[index])

    def best(self):
        highest = max(self.values)
        return {index for index, value in enumerate(self.values) if value == highest}


@pytest.mark.parametrize("kind", [Row, LongRow])
@pytest.mark.parametrize("n", [1, 2, 11, 60])
@pytest.mark.parametrize("step_size", [0.0, 0.5])
def test_the_best_option_is_always_one_of_the_highest(kind, n, step_size):
    rng = random.Random(n)
    row, plain = kind(n), PlainRow(n)
    for step in range(3000):
        found = row.best if row.best >= 0 else row.find(rng.random)
        assert found in plain.best(), f"at step {step}"
        index = found if rng.random() < 0.7 else rng.randrange(n)
        reward = rng.choice(REWARDS)
        row.learn(index, reward, step_size)
        plain.learn(index, reward, step_size)
    assert row.total == 3000


@pytest.mark.parametrize("kind", [Row, LongRow])
def test_ties_are_broken_at_random(kind):
    rng = random.Random(0)
    row = kind(10)
    for index in (2, 5, 7):
        row.learn(index, 20.0, 0.0)
    found = [row.find(rng.random) for _ in range(600)]
    assert set(found) == {2, 5, 7}
    assert all(150 < found.count(index) < 250 for index in (2, 5, 7))


@pytest.mark.parametrize("kind", [Row, LongRow])
def test_an_unvisited_option_beats_a_bad_one(kind):
    rng = random.Random(0)
    row = kind(5)
    for index in range(4):
        row.learn(index, -1.0, 0.0)
    assert {row.find(rng.random) for _ in range(20)} == {4}


def test_a_long_row_keeps_only_what_it_has_seen():
    row = make_row(2**64)
    assert isinstance(row, LongRow)
    for step in range(10_000):
        row.learn(step % 3, float(step % 7), 0.0)
    assert len(row._leaves) == 3


@pytest.mark.parametrize("kind", [Row, LongRow])
def test_changes_keep_the_best_in_mind(kind):
    rng = random.Random(7)
    row, values = kind(9), [0.0] * 9
    for _ in range(2000):
        found = row.best if row.best >= 0 else row.find(rng.random)
        assert values[found] == max(values)
        index, change = rng.randrange(9), rng.choice((-2.0, 0.0, 1.0, 3.0))
        row.add(index, change)
        values[index] += change
        assert row.value(index) == values[index]
    assert row.total == 2000


@pytest.mark.parametrize("kind", [Row, LongRow])
def test_a_merged_row_is_the_row_of_all_rewards(kind):
    rng = random.Random(3)
    ours, theirs, whole = kind(9), kind(9), PlainRow(9)
    for _ in range(500):
        index, reward = rng.randrange(8), rng.choice(REWARDS)
        rng.choice((ours, theirs)).learn(index, reward, 0.0)
        whole.learn(index, reward, 0.0)
    for tally in theirs.tallies():
        ours.merge(*tally)
    assert ours.total == 500
    assert [ours.value(index) for index in range(9)] == pytest.approx(whole.values)
    assert [count for _, count, _ in sorted(ours.tallies())] == whole.counts[:8]
    assert ours.find(rng.random) in whole.best()
