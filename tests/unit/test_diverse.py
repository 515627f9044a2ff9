"""Diverse: structure, no repetition, exhaustion, large ranges, rewards, stepping aside, bounds."""

from collections import Counter
from itertools import pairwise
from math import exp, log

import pytest

import rlcheck
from rlcheck import Campaign, Guide, Outcome
from rlcheck.cli import demo
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


# --- structure --------------------------------------------------------------------------------------------


def search_tree(choose, depth=0):
    """Make any tree, in order: the left subtree, a key, the right subtree."""
    if depth == 5 or not choose([True, False]):
        return None
    left = search_tree(choose, depth + 1)
    key = choose(range(31))
    return left, key, search_tree(choose, depth + 1)


def keys(tree):
    return [] if tree is None else [*keys(tree[0]), tree[1], *keys(tree[2])]


def ascends(tree):
    found = keys(tree)
    return all(a < b for a, b in pairwise(found))


def height(tree):
    """Return the height of a balanced tree; None for any other."""
    if tree is None:
        return 0
    left, right = height(tree[0]), height(tree[2])
    return None if left is None or right is None or abs(left - right) > 1 else 1 + max(left, right)


def is_balanced(tree):
    return tree is not None and ascends(tree) and height(tree) is not None


def outline(tree):
    return None if tree is None else (outline(tree[0]), outline(tree[2]))


def effective(shapes):
    total = sum(shapes.values())
    return exp(-sum(n / total * log(n / total) for n in shapes.values()))


def shapes_of(generator, valid, shape, episodes, seed, **arguments):
    _, episodes = made(generator, episodes, valid=valid, seed=seed, **arguments)
    return Counter(shape(episode.value) for episode in episodes if episode.outcome is not Outcome.INVALID)


def test_balanced_trees_have_many_shapes_and_sizes():
    # Over eight seeds: 127 to 213 effective shapes; monte-carlo has 3 and 4.
    found = shapes_of(search_tree, is_balanced, outline, 2_000, 0)
    assert effective(found) > 100
    learned = shapes_of(search_tree, is_balanced, outline, 2_000, 0, learner="monte-carlo")
    assert effective(found) > 20 * effective(learned)


def test_there_are_trees_of_every_size_soon():
    _, episodes = made(search_tree, 1_000, valid=is_balanced, seed=0)
    sizes = Counter(len(keys(episode.value)) for episode in episodes if episode.unique)
    # Over ten seeds, at least 9 of these sizes, and 110 trees among them.
    assert len([size for size in range(3, 16) if sizes[size]]) >= 8
    assert sum(sizes[size] for size in range(5, 16)) > 50


def brackets(choose):
    text = ""
    while len(text) < 20 and choose([True, False]):
        text += choose("([{)]}")
    return text


def balances(text):
    opened = []
    for bracket in text:
        if bracket in "([{":
            opened.append(bracket)
        elif not opened or opened.pop() + bracket not in ("()", "[]", "{}"):
            return False
    return len(text) >= 4 and not opened


def nesting(text):
    return "".join("(" if bracket in "([{" else ")" for bracket in text)


def test_runs_of_choices_are_moved_where_there_are_no_calls():
    # Over ten seeds: 345 to 614 effective shapes in 2,000 inputs.
    assert effective(shapes_of(brackets, balances, nesting, 2_000, 1)) > 200


def keyed(choose):
    return search_tree(choose), choose(range(31))


def test_keys_to_look_for_coincide_with_keys_that_are_there():
    _, episodes = made(keyed, 2_000, valid=lambda pair: is_balanced(pair[0]), seed=0)
    pairs = [episode.value for episode in episodes if episode.unique and len(keys(episode.value[0])) >= 5]
    there = sum(key in keys(tree) for tree, key in pairs) / len(pairs)
    # Over four seeds 0.27 to 0.49, and 15 to 68 of them at the root.
    assert 0.2 < there < 0.8
    assert sum(key == tree[1] for tree, key in pairs) > 10


def tagged(choose, depth=0):
    """Make an element with one of many tags, and children while there is room."""
    tag = choose(["list", "item", "text", *(f"bad{number}" for number in range(27))])
    children = [] if depth == 3 else [tagged(choose, depth + 1) for _ in range(choose(range(4)))]
    return (tag, *children)


def is_document(element):
    tag, *children = element
    if tag == "list":
        return all(child[0] == "item" and is_document(child) for child in children)
    if tag == "item":
        return all(child[0] in ("text", "list") and is_document(child) for child in children)
    return tag == "text" and not children


def test_tags_are_told_from_values_although_they_are_many():
    # In five of six seeds; seed 0 takes longer.
    campaign = Campaign(tagged, valid=is_document, seed=3)
    campaign.run(episodes=3_000)
    assert campaign.guide.learner._values.kinds == {30}
    assert campaign.summary.unique_valid > 500


def test_keys_are_told_from_structure_although_they_are_few():
    def few(choose, depth=0):
        if depth == 3 or not choose([True, False]):
            return None
        left = few(choose, depth + 1)
        return left, choose(range(9)), few(choose, depth + 1)

    shapes = set()
    campaign = Campaign(
        few, valid=ascends, seed=0, observers=[lambda e: e.unique and shapes.add(outline(e.value))]
    )
    campaign.run(episodes=1_500)
    assert len(campaign.guide.learner._values.known) == 1
    # One episode is kept for each shape, and not for each set of keys.
    assert len(campaign.guide.learner._archive.fine.by_key) == len(shapes)


@pytest.mark.parametrize("generator", [keyed, brackets])
def test_the_same_seed_makes_the_same_inputs(generator):
    def run():
        valid = balances if generator is brackets else lambda pair: is_balanced(pair[0])
        return [episode.choices for episode in made(generator, 700, valid=valid, seed=7)[1]]

    assert run() == run()


# --- rewards ----------------------------------------------------------------------------------------------


def mean_sum(reward, valid=None, episodes=1_500):
    _, found = made(
        lambda choose: [choose(range(20)) for _ in range(5)], episodes, valid=valid, reward=reward, seed=0
    )
    late = [sum(episode.value) for episode in found[episodes // 2 :] if episode.unique]
    return sum(late) / len(late)


@pytest.mark.parametrize("valid", [None, lambda xs: xs[0] < xs[1]])
def test_a_reward_shifts_what_is_made(valid):
    plain = mean_sum(None, valid)
    assert mean_sum(lambda episode: sum(episode.value or [0]), valid) > plain + 8
    assert mean_sum(lambda episode: -sum(episode.value or [0]), valid) < plain - 8


def test_a_constant_reward_changes_nothing():
    def inputs(reward):
        _, found = made(keyed, 600, valid=lambda pair: is_balanced(pair[0]), reward=reward, seed=3)
        return [episode.choices for episode in found]

    assert inputs(lambda episode: 0.0) == inputs(lambda episode: -5.0) == inputs("novelty")


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


def test_huge_ranges_are_learned_without_growing():
    """One 2**64th part of the range is of no use; the upper quarter is, and it is found by splitting."""

    def generator(choose):
        return choose(range(2**64)), choose(range(2**64))

    def valid(pair):
        return pair[0] > 2**63 + 2**62 and pair[1] < 2**60

    uniform, _ = made(generator, 4000, valid=valid, seed=1, learner="uniform")
    summary, episodes = made(generator, 4000, valid=valid, seed=1)
    assert summary.unique_valid > 8 * max(uniform.unique_valid, 20)
    assert sum(value.bit_length() > 0 for episode in episodes for value in episode.value) > 7000


@pytest.mark.parametrize("n", [1, 2, 16, 17, 101, 256, 257, 4097])
def test_every_option_can_be_taken(n):
    summary, episodes = made(lambda choose: choose(range(n)), 10 * n, valid=lambda x: x % 2 == 0, seed=0)
    assert {episode.value for episode in episodes} == set(range(n))
    assert summary.stopped == "exhausted"


@pytest.mark.parametrize("abstraction", ["call-tree", "frames", "sequence"])
def test_it_learns_with_every_abstraction(abstraction):
    def pairs(choose):
        return [choose(range(12)) for _ in range(4)]

    def valid(xs):
        return xs == sorted(xs)

    uniform, _ = made(pairs, 2000, valid=valid, seed=0, learner="uniform")
    summary, _ = made(pairs, 2000, valid=valid, seed=0, abstraction=abstraction)
    assert summary.unique_valid > 3 * uniform.unique_valid


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


def test_the_tutorial_tree_has_many_unique_inputs():
    # Over ten seeds 5,000 to 6,000 of 10,000.
    summary, _ = made(demo.tree, 3_000, valid=demo.is_bst, seed=0)
    assert summary.unique_valid > 1_200
