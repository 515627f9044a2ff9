"""Diverse: no repetition, exhaustion, large ranges, rewards, stepping aside, bounds."""

import pytest
from tests.trees import is_balanced, keys, outline, search_tree

import rlcheck
from rlcheck import Campaign, Guide, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners import Diverse


def made(generator, episodes, **arguments):
    values = []
    campaign = Campaign(generator, observers=[lambda episode: values.append(episode)], **arguments)
    return campaign.run(episodes=episodes), values


def digits(choose):
    return tuple(choose(range(6)) for _ in range(choose([2, 3])))


@pytest.mark.parametrize("valid", [lambda xs: True, lambda xs: xs[0] <= xs[-1], lambda xs: xs[0] == 5])
def test_a_finite_space_is_made_once_and_then_exhausted(valid):
    summary, episodes = made(digits, 10_000, valid=valid, seed=0)
    assert summary.stopped == "exhausted"
    assert summary.episodes == 6**2 + 6**3
    assert len({episode.value for episode in episodes}) == summary.episodes


def test_it_is_the_default():
    assert isinstance(Guide().learner, Diverse)
    assert isinstance(Campaign(digits).guide.learner, Diverse)


# --- rewards ----------------------------------------------------------------------------------------------


def test_rewards_during_an_episode_are_learned_from():
    guide = Guide("diverse", seed=0)
    late = []
    for number in range(800):
        guide.start()
        index = guide.choose(range(10), at="x")
        guide.choose(range(1000), at="y")
        guide.reward(float(index == 7))
        guide.finish(Outcome.VALID)
        if number >= 400:
            late.append(index)
    assert late.count(7) > 90  # 40 by chance; 119 to 143 over four seeds


# --- learning ---------------------------------------------------------------------------------------------


def test_it_steps_aside_where_everything_is_valid_and_comes_back_where_not():
    easy = Campaign(digits, seed=0)
    easy.run(episodes=20)
    states = easy.guide.learner.states
    easy.run(episodes=80)
    assert easy.guide.learner.blind
    assert easy.guide.learner.states == states
    strict = Campaign(digits, valid=lambda xs: sum(xs) == 7, seed=0)
    strict.run(episodes=100)
    assert not strict.guide.learner.blind
    assert strict.guide.learner.states > 0


@pytest.mark.parametrize("n", [1, 2, 16, 17, 101, 256, 257, 4097])
def test_every_option_can_be_taken(n):
    summary, episodes = made(lambda choose: choose(range(n)), 10 * n, valid=lambda x: x % 2 == 0, seed=0)
    assert {episode.value for episode in episodes} == set(range(n))
    assert summary.stopped == "exhausted"


def test_it_learns_with_explicit_states():
    def run(learner):
        guide = Guide(learner, seed=0)
        hits = 0
        for _ in range(1500):
            guide.start()
            first = guide.choose(range(10), at="first", state=("start",))
            second = guide.choose(range(10), at="second", state=("after", first))
            valid = second == (first + 1) % 10 and guide.choose(range(20), at="third", state=second) > 3
            hits += guide.finish(Outcome.VALID if valid else Outcome.INVALID).unique
        return hits

    assert run("diverse") > 1.1 * run("uniform")


def items(choose):
    made = [item(choose)]
    while len(made) < 4 and choose([True, False]):
        made.append(item(choose))
    return made


def item(choose):
    return [choose("abcdefgh") for _ in range(4)]


def test_a_small_valid_input_leads_to_larger_ones():
    """One item alone has two valid forms; there are 30 of up to four items."""

    def valid(items):
        return all(item[:3] == ["h", "g", "f"] and item[3] in "ab" for item in items)

    summary, _ = made(items, 600, valid=valid, examples=[[7, 6, 5, 0, 1]], seed=0)
    assert summary.unique_valid > 20


def test_examples_are_edited():
    def valid(tree):
        return len(keys(tree)) >= 4 and is_balanced(tree)

    example = [0, 0, 1, 5, 1, 9, 0, 1, 14, 0, 1, 20, 1]
    assert valid(rlcheck.replay(search_tree, example))
    _, episodes = made(search_tree, 300, valid=valid, examples=[example], seed=0)
    assert len({outline(episode.value) for episode in episodes if episode.unique}) > 15


def test_an_input_that_was_made_before_is_no_success():
    def generator(choose):
        return choose(range(1000)) % 2

    campaign = Campaign(generator, valid=lambda digit: True, seed=0)
    summary = campaign.run(episodes=15)
    assert (summary.valid, summary.unique_valid) == (15, 2)
    (entry,) = campaign.guide.learner._archive.fine.by_key.values()
    assert entry.count == 2


def test_a_large_range_is_exhausted():
    summary, _ = made(lambda choose: choose(range(20_000)), 30_000, seed=0)
    assert (summary.stopped, summary.episodes) == ("exhausted", 20_000)


def test_nothing_is_learned_before_something_is_valid():
    campaign = Campaign(digits, valid=lambda xs: False, seed=0)
    campaign.run(episodes=200)
    sites = campaign.guide.learner._model._sites.values()
    rows = [row for site in sites for row in (*site.rows.values(), *site.places)]
    assert {weight for row in rows for weight in row.weights} == {0.0}


def test_that_a_choice_is_above_another_is_learned_for_all_options_at_once():
    def pair(choose):
        return choose(range(16), at="number"), choose(range(16), at="number")

    campaign = Campaign(pair, valid=lambda pair: pair[0] < pair[1], seed=0)
    campaign.run(episodes=200)
    (site,) = campaign.guide.learner._model._sites.values()
    ((row, *_),) = site.orders.values()
    below, _, above = row.weights[:3]
    assert above > below + 1.0


def test_bounds_hold():
    learner = Diverse(max_states=50, max_inputs=30)
    campaign = Campaign(digits, valid=lambda xs: xs[0] == 5, learner=learner, seed=0)
    for _ in range(30):
        campaign.run(episodes=20)
        assert learner.states <= 50 + 40  # what one episode may add
        assert learner._trie.entries <= 30


def test_a_dropped_episode_is_not_remembered():
    guide = Guide("diverse", seed=0)
    guide.start()
    guide.choose(range(3))
    guide.abandon()
    for _ in range(3):
        guide.start()
        guide.choose(range(3))
        guide.finish(Outcome.VALID)
    assert guide.learner.exhausted


def test_an_episode_without_choices_is_no_error():
    guide = Guide("diverse", seed=0)
    for outcome in (Outcome.VALID, Outcome.INVALID, Outcome.FAILED):
        guide.start()
        assert guide.finish(outcome).choices == []


@pytest.mark.parametrize("arguments", [{"max_states": 0}, {"max_inputs": 0}, {"max_inputs": 1.5}])
def test_bad_hyper_parameters(arguments):
    with pytest.raises(ConfigurationError, match=next(iter(arguments))):
        Diverse(**arguments)
