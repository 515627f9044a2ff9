"""Every registered name keeps the promises of its kind; new variants join unasked."""

import itertools

import pytest

from rlcheck import registry, testing
from rlcheck.errors import MissingExtra
from rlcheck.learners import Uniform


@pytest.mark.parametrize("name", registry.names("learner"))
def test_learner(name):
    try:
        registry.load("learner", name)
    except MissingExtra as missing:
        pytest.skip(str(missing))
    testing.check_learner(name)


@pytest.mark.parametrize("name", registry.names("abstraction"))
def test_abstraction(name):
    testing.check_abstraction(name)


@pytest.mark.parametrize("name", registry.names("reward"))
def test_reward(name):
    testing.check_reward(name)


COUNTER = itertools.count()


class OutOfRange(Uniform):
    def select(self, point, state, n):
        return n


class Unseeded(Uniform):
    def select(self, point, state, n):
        return next(COUNTER) % n


class Stuck(Uniform):
    def select(self, point, state, n):
        return 0


class Overbearing(Uniform):
    def select_weighted(self, point, state, n, weights):
        return -1


class Miscounting(Uniform):
    def counts(self):
        return {("p", (), 2, 0): (1, 1.0)}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (OutOfRange, "outside of 0..0"),
        (Unseeded, "the same seed must give the same episodes"),
        (Stuck, "another seed must give other episodes"),
        (Overbearing, "gave -1, outside"),
        (Miscounting, r"merge\(\) must add"),
    ],
)
def test_the_kit_notices_a_broken_learner(broken, message):
    with pytest.raises(AssertionError, match=message):
        testing.check_learner(broken)


def test_the_kit_notices_a_broken_reward():
    with pytest.raises(AssertionError, match="not a finite number"):
        testing.check_reward(lambda episode: float("nan"))
