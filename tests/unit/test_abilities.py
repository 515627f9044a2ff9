"""Abilities: what is optional does nothing by default, and plain objects are adapted once."""

import sys

import pytest
from tests.episodes import ended

from rlcheck import Campaign, Episode, Guide, Outcome
from rlcheck.abilities import (
    AbstractionBase,
    CharacteristicBase,
    LearnerBase,
    RewardBase,
    as_abstraction,
    as_learner,
    as_reward,
    most_demanding,
)
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ChoiceError, ConfigurationError
from rlcheck.learners import Portfolio

POINT = ChoicePoint("p", 0)


class Plain:
    """A learner with the three verbs and nothing else."""

    def __init__(self):
        self.told = []

    def select(self, point, state, n):
        self.told.append(("select", state, n))
        return n - 1

    def reward(self, value):
        self.told.append(("reward", value))

    def update(self, episode):
        self.told.append(("update", episode.outcome))


def test_a_learner_that_can_nothing_is_asked_everything_in_vain():
    learner = LearnerBase()
    assert learner.select(POINT, (), 3) == learner.select_weighted(POINT, (), 3, [1.0, 2.0, 0.0]) == 0
    learner.observe(POINT, (), 3, 1)
    learner.reward(1.0)
    learner.update(ended())
    learner.drop()
    learner.discard(0)
    learner.avoid([1], [2])
    learner.merge({}, lambda name: POINT)
    assert learner.counts() == {}
    flags = (learner.blind, learner.exhausted, learner.imitates, learner.observes, learner.watches)
    assert not any(flags)
    assert learner.looking


def test_a_plain_learner_is_adapted_and_stays_the_guides_learner():
    plain = Plain()
    guide = Guide(plain, seed=0)
    assert guide.learner is plain
    guide.start()
    guide.choose("abc", at="x", state="s", weights=[1.0, 1.0, 1.0])
    guide.discard(0)
    guide.reward(0.5)
    guide.finish(Outcome.VALID)
    assert plain.told == [("select", "s", 3), ("reward", 0.5), ("update", Outcome.VALID)]


def test_a_plain_learner_starts_afresh_after_an_abandoned_episode():
    plain = Plain()
    guide = Guide(plain)
    guide.start()
    guide.abandon()
    assert plain.told == [("update", Outcome.INVALID)]


def test_a_plain_learner_is_seeded_and_gives_its_abstraction():
    import random

    class Seeded(Plain):
        rng = random.Random(1)
        abstraction = "sequence"

    guide = Guide(Seeded(), seed=5)
    assert guide.learner.rng.random() == random.Random(5).random()
    assert type(guide.abstraction).__name__ == "Sequence"


def test_an_abstraction_that_can_nothing_gives_every_choice_the_same_state():
    abstraction = AbstractionBase()
    abstraction.start(sys._getframe())
    assert abstraction.state(sys._getframe()) == ()
    abstraction.record(POINT, 1)
    abstraction.reward(1.0)
    abstraction.finish()
    assert abstraction.fork() is None


def test_a_plain_abstraction_is_adapted():
    class Counting:
        def __init__(self):
            self.told = []

        def start(self, frame):
            self.told.append("start")

        def state(self, frame):
            return len(self.told)

        def record(self, point, index):
            self.told.append(index)

        def finish(self):
            self.told.append("finish")

    counting, plain = Counting(), Plain()
    guide = Guide(plain, counting)
    guide.start()
    guide.choose("ab")
    guide.choose("ab")
    guide.finish(Outcome.VALID)
    assert counting.told == ["start", 1, 1, "finish"]
    assert [told[1] for told in plain.told[:2]] == [1, 2]
    assert as_abstraction(counting).fork() is None


def test_rewards_and_characteristics_that_can_nothing():
    episode = Episode()
    assert (RewardBase()(episode), RewardBase().step(3), CharacteristicBase()(episode)) == (0.0, 0.0, 0)
    assert as_reward(lambda episode: 2.5)(episode) == 2.5


def test_a_characteristic_of_ones_own_may_be_an_object():
    class Parity(CharacteristicBase):
        def __call__(self, episode):
            return episode.value % 2

    summary = Campaign(
        lambda choose: choose(range(9)), characteristic=Parity(), learner="uniform", seed=0
    ).run(episodes=50)
    assert summary.unique_valid == 2


@pytest.mark.parametrize(
    ("adapt", "thing", "message"),
    [
        (as_learner, 3, r"learner=3 has no method select\(\).*update\(\)"),
        (as_abstraction, "x", r"abstraction='x' has no method start\(\)"),
        (as_reward, 7, "reward=7 must be a name or a function of an episode"),
    ],
)
def test_what_lacks_a_required_method_is_refused(adapt, thing, message):
    with pytest.raises(ConfigurationError, match=message):
        adapt(thing)


@pytest.mark.parametrize(
    ("needs", "most"),
    [((), None), ((None, None), None), (("counts", None), "counts"), (("counts", "path"), "path")],
)
def test_the_most_demanding_need_decides(needs, most):
    assert most_demanding(*needs) == most


#: Every method of a learner, with arguments.
VERBS = {
    "select": (POINT, (), 2),
    "select_weighted": (POINT, (), 2, [1.0, 1.0]),
    "observe": (POINT, (), 2, 1),
    "reward": (1.0,),
    "discard": (0,),
    "update": (ended(),),
    "drop": (),
    "avoid": ([0], [2]),
    "counts": (),
    "merge": ({((0, "p"), (), 2, 0): (1, 1.0)}, lambda name: POINT),
}


def test_the_verbs_are_all_there_are():
    methods = {name for name, value in vars(LearnerBase).items() if callable(value)}
    assert {name for name in methods if not name.startswith("_")} == set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_portfolio_passes_every_verb_on(verb):
    told = []

    class Member(LearnerBase):
        pass

    def tell(self, *arguments):
        told.append(arguments)
        return getattr(LearnerBase, verb)(self, *arguments)

    setattr(Member, verb, tell)
    getattr(Portfolio([Member()]), verb)(*VERBS[verb])
    (arguments,) = told
    expected = ({("p", (), 2, 0): (1, 1.0)}, VERBS[verb][1]) if verb == "merge" else VERBS[verb]
    assert arguments == expected


# Examples and decided choices, which the guide plays for the learner.


class Observer(LearnerBase):
    blind = True

    def __init__(self):
        self.seen = []

    def select(self, point, state, n):
        self.seen.append("select")
        return 0

    def observe(self, point, state, n, index):
        self.seen.append(index)


def test_a_choice_that_is_decided_is_taken_and_observed():
    learner = Observer()
    guide = Guide(learner)
    guide.start()
    assert [guide.choose("abc", take=2), guide.choose("abc"), guide.choose("abc", take=1)] == ["c", "a", "b"]
    assert learner.seen == [2, "select", 1]
    assert guide.choices == [2, 0, 1]


def test_a_decided_choice_must_be_an_option():
    guide = Guide("uniform")
    guide.start()
    with pytest.raises(ChoiceError, match="take=3 must be an index below 3"):
        guide.choose("abc", take=3)


def test_examples_are_played_in_order_as_far_as_they_fit():
    learner = Observer()
    guide = Guide(learner)
    guide.imitate([1, 9, 1])
    guide.imitate(iter([1]))
    made = []
    for _ in range(3):
        guide.start()
        made.append([guide.choose("ab") for _ in range(3)])
        guide.finish(Outcome.VALID)
    assert made == [["b", "a", "a"], ["b", "a", "a"], ["a", "a", "a"]]
    assert learner.seen == [1, "select", "select"] * 2 + ["select"] * 3


def test_an_episode_that_imitates_has_states():
    states = []

    class Noting(Observer):
        def observe(self, point, state, n, index):
            states.append((point.name, state))

    guide = Guide(Noting())
    guide.imitate([0])
    guide.start()
    guide.choose("ab", at="here", state="s")
    assert states == [("here", "s")]
