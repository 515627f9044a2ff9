"""Shapes: how many structures the valid inputs of a campaign have."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlcheck import Campaign, assume, shapes
from rlcheck.errors import ConfigurationError
from rlcheck.shapes import Shapes


def numbers(choose):
    return [choose(range(3)) for _ in range(choose(range(4)))]


def counted(values, shape=None):
    made = Shapes(shape)
    for value in values:
        made.add(made.of(value))
    return made


def effective(counts):
    total = sum(counts)
    return math.exp(-sum(count / total * math.log(count / total) for count in counts)) if total else 0.0


@given(st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=60))
def test_shapes_are_counted_with_their_leaf_values_erased(values):
    made = counted(values)
    lengths = Counter(map(len, values))
    assert len(made) == len(lengths)
    assert made.effective == pytest.approx(effective(lengths.values()))


def test_a_shape_is_the_same_in_every_process():
    assert Shapes().of([1, [2], {"a": None}]) == 2437610517316648293


def test_a_campaign_counts_the_shapes_of_its_valid_inputs():
    seen = []
    campaign = Campaign(
        numbers,
        valid=lambda xs: sum(xs) % 2 == 0,
        learner="uniform",
        seed=0,
        observers=[lambda episode: seen.append(episode)],
    )
    summary = campaign.run(episodes=500)
    lengths = Counter(len(episode.value) for episode in seen if episode.outcome.value == "valid")
    assert summary.shapes == len(lengths) == 4
    assert summary.effective_shapes == pytest.approx(effective(lengths.values()))
    assert "4 shapes (4 effective)" in str(summary)


def test_an_input_that_the_test_rejects_has_no_shape():
    def test(xs):
        assume(len(xs) == 2)

    assert Campaign(numbers, test=test, learner="uniform", seed=0).run(episodes=200).shapes == 1


def test_a_test_that_changes_its_input_does_not_change_its_shape():
    summary = Campaign(numbers, test=list.clear, learner="uniform", seed=0).run(episodes=200)
    assert summary.shapes == 4


def test_a_shape_of_ones_own():
    summary = Campaign(numbers, shape=sum, learner="uniform", seed=0).run(episodes=500)
    assert summary.shapes == 7
    with pytest.raises(ConfigurationError, match="shape=3 must be a function"):
        Campaign(numbers, shape=3)


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(shapes, "_MOST", 10)
    made = counted(range(100), shape=lambda value: value)
    assert len(made) == 11
    assert len(made.counts) == 10
    assert made.effective == pytest.approx(effective([1] * 10 + [90]))


def test_nothing_has_no_shapes():
    assert (len(Shapes()), Shapes().effective) == (0, 0.0)
