"""Every registered name keeps the promises of its kind; new variants join unasked."""

import pytest

from rlcheck import registry, testing
from rlcheck.episode import Outcome
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


class OutOfRange(Uniform):
    def select(self, point, state, n):
        return n


class Unseeded(Uniform):
    def select(self, point, state, n):
        return id(object()) // 16 % n


class Stuck(Uniform):
    def select(self, point, state, n):
        return 0


class Forgetful(Uniform):
    def update(self, outcome):
        assert outcome is not Outcome.FAILED


@pytest.mark.parametrize("broken", [OutOfRange, Unseeded, Stuck, Forgetful])
def test_the_kit_notices_a_broken_learner(broken):
    with pytest.raises(AssertionError):
        testing.check_learner(broken)


def test_the_kit_notices_a_broken_reward():
    with pytest.raises(AssertionError, match="not a finite number"):
        testing.check_reward(lambda episode: float("nan"))
