"""Weights and discards of a guide: how likely options are at first, and what was made in vain."""

from collections import Counter

import pytest

from rlcheck import Guide, Outcome
from rlcheck.abilities import LearnerBase
from rlcheck.errors import ChoiceError, GuideError
from rlcheck.learners.diverse import Diverse


def shares(learner, weights, episodes=2_000, outcome=Outcome.VALID, state=None):
    guide = Guide(learner, seed=0)
    made = Counter()
    for number in range(episodes):
        guide.start()
        made[guide.choose("abc", at="x", weights=weights)] += 1
        guide.choose(range(10**6), at="y")  # So that no learner has made every input there is.
        guide.finish(outcome if number else Outcome.VALID)
    return {option: made[option] / episodes for option in "abc"}


@pytest.mark.parametrize("learner", ["uniform", "diverse"])
def test_weights_say_how_likely_an_option_is(learner):
    drawn = shares(learner, (1, 3, 6))
    assert drawn["a"] == pytest.approx(0.1, abs=0.04)
    assert drawn["b"] == pytest.approx(0.3, abs=0.06)
    assert drawn["c"] == pytest.approx(0.6, abs=0.06)


@pytest.mark.parametrize("learner", ["uniform", "diverse"])
def test_an_option_of_weight_0_is_not_taken(learner):
    assert shares(learner, (0.5, 0.0, 0.5), episodes=500)["b"] == 0.0


def test_what_is_learned_outweighs_the_weights():
    guide = Guide("diverse", seed=0)
    made = []
    for _ in range(600):
        guide.start()
        made.append(guide.choose([False, True], at="x", weights=(0.9, 0.1)))
        guide.choose(range(10**6), at="y")
        guide.finish(Outcome.VALID if made[-1] else Outcome.INVALID)
    # Over eight seeds 164 to 174; the weights alone lead to about 20.
    assert sum(made[-200:]) > 140


def test_a_learner_without_weights_is_asked_as_always():
    drawn = shares("monte-carlo", (0.98, 0.01, 0.01), episodes=300)
    assert min(drawn.values()) > 0.0


@pytest.mark.parametrize(
    "weights",
    [(1, 1), (1, 1, 1, 1), (), (1, -1, 1), (0, 0, 0), (float("nan"), 1, 1), (float("inf"), 1, 1)],
    ids=repr,
)
def test_weights_that_do_not_fit_are_an_error_that_shows_them(weights):
    guide = Guide("diverse", seed=0)
    guide.start()
    with pytest.raises(ChoiceError, match=r"weights=\(.*must be 3 numbers, one per option"):
        guide.choose("abc", weights=weights)


def test_a_discard_reaches_a_learner_that_wants_it():
    heard = []

    class Spy(LearnerBase):
        def discard(self, since):
            heard.append(since)

    guide = Guide(Spy())
    guide.start()
    guide.choose([1, 2])
    guide.discard(0)
    guide.discard(1)
    assert heard == [0, 1]


@pytest.mark.parametrize("learner", ["uniform", "monte-carlo"])
def test_a_discard_means_nothing_to_other_learners(learner):
    def made(*, discarding):
        guide = Guide(learner, seed=0)
        for _ in range(50):
            episode = guide.start()
            guide.choose([1, 2], at="a")
            if discarding:
                guide.discard(0)
            guide.choose([1, 2], at="b")
            guide.finish(Outcome.VALID if episode.choices[0] else Outcome.INVALID)
            yield list(episode.choices)

    assert list(made(discarding=True)) == list(made(discarding=False))


def test_what_was_discarded_is_not_followed_later():
    learner = Diverse(seed=0)
    guide = Guide(learner, seed=0)
    guide.start()
    for name in "abc":
        guide.choose(range(5), at=name)
    guide.discard(1)
    kept = guide.choose(range(5), at="d")
    made = guide.finish(Outcome.VALID).choices
    (entry,) = learner._archive.fine.by_key.values()
    assert [leaf.index for leaf in entry.root.items] == [made[0], kept]


def test_a_discard_outside_an_episode_is_an_error():
    with pytest.raises(GuideError, match=r"discard\(\) was called outside an episode"):
        Guide("diverse").discard(0)


def test_what_is_discarded_is_made_less_often():
    """The outcome says nothing about x, only the discards do."""

    def kept(*, discard):
        guide = Guide("diverse", seed=0)
        made = []
        for _ in range(600):
            guide.start()
            made.append(guide.choose(range(10), at="x"))
            if discard and made[-1] != 7:
                guide.discard(0)
            valid = guide.choose(range(10**6), at="free") % 2 == 0
            guide.finish(Outcome.VALID if valid else Outcome.INVALID)
        return made[300:].count(7)

    assert kept(discard=True) > 2 * kept(discard=False)
