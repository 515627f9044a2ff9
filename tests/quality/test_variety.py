"""Diverse: what it makes in a few thousand inputs. Fixed seeds; margins measured over several."""

from collections import Counter
from math import exp, log

import pytest
from tests.trees import ascends, is_balanced, keys, outline, search_tree

from rlcheck import Campaign, Outcome
from rlcheck.cli import demo


def made(generator, episodes, **arguments):
    values = []
    campaign = Campaign(generator, observers=[values.append], **arguments)
    return campaign.run(episodes=episodes), values


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
    # Over six seeds: 218 to 293 effective shapes in 2,000 inputs.
    assert effective(shapes_of(brackets, balances, nesting, 2_000, 1)) > 150


def keyed(choose):
    return search_tree(choose), choose(range(31))


def test_keys_to_look_for_coincide_with_keys_that_are_there():
    _, episodes = made(keyed, 2_000, valid=lambda pair: is_balanced(pair[0]), seed=0)
    pairs = [episode.value for episode in episodes if episode.unique and len(keys(episode.value[0])) >= 5]
    there = sum(key in keys(tree) for tree, key in pairs) / len(pairs)
    # Over four seeds 0.27 to 0.49, and 15 to 68 of them at the root.
    assert 0.2 < there < 0.8
    assert sum(key == tree[1] for tree, key in pairs) > 10


TAGS = ["list", "item", "text", *(f"bad{number}" for number in range(27))]


def tagged(choose, depth=0):
    """Make an element with one of many tags, and children while there is room."""
    tag = choose(TAGS)
    children = [] if depth == 3 else [tagged(choose, depth + 1) for _ in range(choose(range(4)))]
    return (tag, *children)


def is_document(element):
    tag, *children = element
    if tag == "list":
        return all(child[0] == "item" and is_document(child) for child in children)
    if tag == "item":
        return all(child[0] in ("text", "list") and is_document(child) for child in children)
    return tag == "text" and not children


def test_tags_are_structure_although_they_are_many():
    # In five of six seeds 1,128 to 1,447 valid inputs of 505 to 1,239 effective shapes; seed 1 takes longer.
    summary = Campaign(tagged, valid=is_document, seed=3).run(episodes=3_000)
    assert summary.unique_valid > 500
    assert summary.effective_shapes > 200


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


@pytest.mark.parametrize("abstraction", ["call-tree", "frames", "sequence"])
def test_it_learns_with_every_abstraction(abstraction):
    def pairs(choose):
        return [choose(range(12)) for _ in range(4)]

    def valid(xs):
        return xs == sorted(xs)

    uniform, _ = made(pairs, 2000, valid=valid, seed=0, learner="uniform")
    summary, _ = made(pairs, 2000, valid=valid, seed=0, abstraction=abstraction)
    assert summary.unique_valid > 3 * uniform.unique_valid


def test_the_tutorial_tree_has_many_unique_inputs():
    # Over ten seeds 5,000 to 6,000 of 10,000.
    summary, _ = made(demo.tree, 3_000, valid=demo.is_bst, seed=0)
    assert summary.unique_valid > 1_200
