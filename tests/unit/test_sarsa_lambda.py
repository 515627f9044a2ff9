"""SARSA(lambda): its update rule to the letter, its traces, and what it learns."""

import pytest
from tests.episodes import ended

from rlcheck import Guide, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.learners import RecentSarsa, SarsaLambda

POINT = ChoicePoint("p", 0)


def values(learner, state):
    return learner._tables[POINT][state]._values


def walk(learner, states, rewards):
    """One option everywhere; the reward follows each choice."""
    for state, reward in zip(states, rewards, strict=True):
        learner.select(POINT, state, 1)
        learner.reward(reward)
    learner.update(ended(Outcome.VALID))


def test_a_reward_reaches_earlier_choices_by_their_traces():
    learner = SarsaLambda(step_size=0.5, discount=0.9, trace_decay=0.5, seed=0)
    walk(learner, "abc", [0.0, 0.0, 8.0])
    # The last surprise is 8: half of it, and 0.45 times as much one choice before.
    assert values(learner, "c") == [pytest.approx(4.0)]
    assert values(learner, "b") == [pytest.approx(4.0 * 0.45)]
    assert values(learner, "a") == [pytest.approx(4.0 * 0.45**2)]


def test_what_is_expected_next_counts_before_the_episode_ends():
    learner = SarsaLambda(step_size=0.5, discount=0.9, trace_decay=0.0, seed=0)
    walk(learner, "b", [8.0])
    learner.select(POINT, "a", 1)
    learner.reward(1.0)
    learner.select(POINT, "b", 1)
    assert values(learner, "a") == [pytest.approx(0.5 * (1.0 + 0.9 * 4.0))]


def test_a_choice_made_again_has_a_trace_of_one():
    learner = SarsaLambda(step_size=0.5, discount=1.0, trace_decay=0.5, seed=0)
    learner.select(POINT, "a", 1)
    learner.select(POINT, "a", 1)
    learner.reward(8.0)
    learner.update(ended(Outcome.VALID))
    assert values(learner, "a") == [pytest.approx(4.0)]  # And not 1.5 times as much.


def test_weak_traces_are_dropped():
    learner = SarsaLambda(discount=0.9, trace_decay=0.75, seed=0)
    most = 0
    for step in range(200):
        learner.select(POINT, step, 1)
        most = max(most, len(learner._traces))
    assert most == 12


def test_rewards_of_a_dropped_episode_are_forgotten():
    learner = SarsaLambda(seed=0)
    learner.select(POINT, "a", 1)
    learner.reward(8.0)
    learner.drop()
    walk(learner, "a", [0.0])
    assert values(learner, "a") == [0.0]


def test_recent_choices_may_be_the_state():
    learner = RecentSarsa(2, seed=0)
    for state in "abcd":
        learner.select(POINT, state, 1)
    assert list(learner._tables[POINT]) == [(), (0,), (0, 0)]
    learner.update(ended(Outcome.VALID))
    learner.select(POINT, "e", 1)
    assert learner.states == 3  # The next episode begins with none.


def test_recent_choices_say_what_comes_next_where_no_state_comes_twice():
    """After `a` comes `b`, and after `b` comes `a`: the text so far is never the same."""
    guide = Guide(RecentSarsa(1), seed=1, reward=lambda episode: 0.0)
    right = 0
    for _ in range(50):
        guide.start()
        text = "."
        for _ in range(30):
            text += guide.choose("abc", at="token", state=text)
            if text[-2:] in (".a", "ab", "ba"):
                guide.reward(1.0)
                right += 1
        guide.finish(Outcome.VALID)
    assert right > 1_000  # At random, 500.


@pytest.mark.parametrize("n", [3, 1_000])
def test_it_finds_the_way_to_a_late_reward(n):
    guide = Guide("sarsa-lambda", seed=1, reward=lambda episode: 0.0)
    reached = []
    for _ in range(600 if n == 3 else 4_000):
        guide.start()
        right = 0
        while right < 4 and guide.choose(range(n), at="step", state=right) < n // 3:
            right += 1
            guide.reward(float(right))
        guide.finish(Outcome.VALID)
        reached.append(right == 4)
    assert sum(reached[-100:]) > 50  # At random, one or two.


@pytest.mark.parametrize(
    "wrong",
    [
        *({"discount": 1.1}, {"trace_decay": -0.1}, {"step_size": None}, {"epsilon": 2}),
    ],
)
def test_wrong_parameters_are_named(wrong):
    (name,) = wrong
    with pytest.raises(ConfigurationError, match=f"{name}="):
        SarsaLambda(**wrong)


def test_a_state_of_no_choices_is_refused():
    with pytest.raises(ConfigurationError, match="recent=0 must be an integer of at least 1"):
        RecentSarsa(0)
