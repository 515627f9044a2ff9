"""Small things that every part relies on: checks of arguments, names that load later, failures as text."""

import math
import pickle
import sys

import pytest

import rlcheck
from rlcheck import checks, learners, registry
from rlcheck.abstractions import Sequence
from rlcheck.characteristics import Identity, Size
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ChoiceError, ConfigurationError, MissingExtra, UnknownName
from rlcheck.failure import Failure, TimedOut, describe, outcome_of, outcome_of_property, place_of, shown
from rlcheck.states import OpenSpan, Place, States


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: checks.check_integer("n", True), "n=True must be an integer of at least 1"),
        (lambda: checks.check_positive("rate", math.inf), "rate=inf must be a number above 0"),
        (lambda: checks.check_positive("rate", "1"), "rate='1' must be a number above 0"),
        (lambda: checks.check_between(1, share=2), "share=2 must lie between 0 and 1"),
        (lambda: checks.check_above_zero(5, size=0), "size=0 must be above 0 and at most 5"),
        (lambda: checks.check_budget(0, None), "episodes=0 must be an integer above 0"),
        (lambda: checks.check_budget(None, math.inf), "seconds=inf must be above 0 and finite"),
        (lambda: checks.check_seed("1"), "seed='1' must be an integer or None"),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_expected(check, message):
    with pytest.raises(ConfigurationError, match=message):
        check()


def test_right_arguments_come_back():
    assert checks.check_integer("n", 3) == 3
    assert checks.check_positive("rate", 0.5) == 0.5
    assert checks.check_seed(7) == 7
    assert isinstance(checks.check_seed(None), int)


def test_names_of_the_package_load_when_they_are_asked_for():
    assert rlcheck.contexts.shape
    assert rlcheck.ApiTest
    with pytest.raises(AttributeError, match="module 'rlcheck' has no attribute 'nothing'"):
        _ = rlcheck.nothing
    with pytest.raises(AttributeError, match=r"module 'rlcheck\.learners' has no attribute 'Nothing'"):
        _ = learners.Nothing


def test_a_missing_package_is_named_with_the_extra_that_has_it():
    error = registry.missing_extra("the live view", ModuleNotFoundError("rich", name="rich.table"))
    assert isinstance(error, MissingExtra)
    assert "the live view needs rich" in str(error)
    other = ModuleNotFoundError("mine", name="mine")
    assert registry.missing_extra("x", other) is other


def test_unknown_names_are_refused_with_the_closest_one():
    with pytest.raises(UnknownName, match="monte-carlo"):
        registry.check_name("learner", "monte-carl")
    with pytest.raises(UnknownName, match="no longer part of rlcheck"):
        registry.make("learner", "mutate")


def episode_of(value, choices=()):
    made = Episode()
    made.value = value
    made.choices.extend(choices)
    return made


def test_inputs_that_are_not_plain_data_are_told_apart_by_their_choices():
    class Own:
        pass

    assert Identity()(episode_of([Own()], [1, 2])) == Identity()(episode_of([Own()], [1, 2]))
    assert Identity()(episode_of([Own()], [1, 2])) != Identity()(episode_of([Own()], [1, 3]))
    assert Size()(episode_of("abc")) == 3
    assert Size()(episode_of(7, [1, 2])) == 2


class Loud(BaseException):
    """Not an Exception: it ends a campaign."""


def test_failures_as_text():
    failure = Failure("ValueError at a.py:3", "ValueError: no", [1], input="a\nb", snippet="x", count=2)
    assert str(failure) == describe(failure)
    assert "2 inputs" in repr(failure)
    assert "  input:\n    a\n    b\n" in str(failure)
    assert shown("x" * 3_000).endswith("... (3,002 characters)")
    assert place_of(ValueError()) == "ValueError"
    assert place_of(TimedOut("f, a.py")) == "TimedOut in f, a.py"
    with pytest.raises(Loud):
        outcome_of(Loud())


def test_ctrl_c_is_not_the_propertys():
    with pytest.raises(KeyboardInterrupt):
        outcome_of_property(KeyboardInterrupt())  # No statement raised it.
    with pytest.raises(KeyboardInterrupt) as raised:
        raise KeyboardInterrupt
    assert outcome_of_property(raised.value) is rlcheck.Outcome.FAILED


def test_things_say_what_they_are():
    ints, lists = rlcheck.integers(0, 3), rlcheck.lists(rlcheck.integers(0, 3), max_size=2)
    assert repr(ints) == "integers(0, 3)"
    assert repr(lists) == "lists(integers(0, 3), min_size=0, max_size=2)"
    assert repr(ChoicePoint("p", 0)) == "ChoicePoint('p')"
    states = States()
    state = states.of(((1,),))
    place = Place((state,), state, 2, OpenSpan(0, None))
    assert repr(state) == "KnownState(((1,),))"
    assert repr(place) == f"Place(({state},), {state}, 2)"
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(place)) == place
    campaign = rlcheck.Campaign(rlcheck.integers(0, 3), seed=0)
    campaign.stop()  # Nothing runs yet.
    assert repr(campaign.run(5)).startswith("<Summary ")


def test_a_sequence_has_a_fork_for_episodes_at_the_same_time():
    first = Sequence(window=2)
    second = first.fork()
    assert (second.window, second is first) == (2, False)
    first.start(None)
    second.start(None)
    first.record(ChoicePoint("p", 1), 3)
    second.record(ChoicePoint("p", 1), 3)
    assert first.state(None) is second.state(None), "they share what is interned"


def test_an_observer_must_be_a_function():
    with pytest.raises(ConfigurationError, match="must be functions of an episode"):
        rlcheck.Guide("uniform", observers=[3])


def test_a_name_that_cannot_be_looked_up_is_refused():
    guide = rlcheck.Guide("monte-carlo", seed=0)
    guide.start()
    with pytest.raises(ChoiceError, match="cannot be hashed"):
        guide.choose([1, 2], at=[], state=())


def test_a_blind_learner_answers_draws_of_front_ends():
    guide = rlcheck.Guide("uniform", seed=0)
    guide.start()
    assert 0 <= guide.draw(4, sys._getframe()) < 4
    guide.finish(rlcheck.Outcome.VALID)


def test_a_property_is_replayed_by_running_it():
    @rlcheck.given(x=rlcheck.integers(0, 9))
    def test(x):
        assert x < 5

    with pytest.raises(AssertionError, match="assert 7 < 5"):
        rlcheck.replay(test, [7])


class Shy(learners.MonteCarlo):
    """A member that counts what it is told."""

    def __init__(self):
        super().__init__()
        self.told = []

    def drop(self):
        self.told.append("drop")

    def discard(self, since):
        self.told.append(("discard", since))


def test_a_portfolio_passes_everything_on():
    members = [Shy(), Shy()]
    portfolio = learners.Portfolio(members)
    guide = rlcheck.Guide(portfolio, seed=0)
    for _ in range(60):  # Both members get turns, and observe each other.
        guide.start()
        guide.choose([1, 2, 3], at="p", state=())
        guide.finish(rlcheck.Outcome.VALID)
    assert portfolio.states == sum(member.states for member in members) > 0
    assert isinstance(portfolio.imitates, bool)
    portfolio.discard(0)
    portfolio.drop()
    told = [each for member in members for each in member.told]
    assert ("discard", 0) in told
    assert "drop" in told


def test_a_star_import_of_the_learners_needs_no_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    names = {}
    exec("from rlcheck.learners import *", names)
    assert {"Diverse", "MonteCarlo", "Uniform"} <= set(names)
    assert "Dqn" not in names
