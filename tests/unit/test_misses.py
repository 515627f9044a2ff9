"""While nothing is valid: rejected inputs lead to new ones, by their reasons and by what was compared."""

import random
import sys

import pytest

import rlcheck
from rlcheck import Campaign
from rlcheck.coverage import switch
from rlcheck.coverage.scout import Scout
from rlcheck.coverage.watch import Watch
from rlcheck.episode import KIND_OF_SIGN, Episode
from rlcheck.learners.diverse.misses import Misses
from rlcheck.learners.diverse.tree import Leaf, Span

WORDS = [f"word{number}" for number in range(60)]


def sentence(choose):
    return [choose(WORDS) for _ in range(4)]


def test_functions_have_their_own_code_back_once_an_input_is_valid():
    lenient = []

    def valid(words):
        return bool(lenient) or words[0] == words[1] == "no"

    code = valid.__code__
    campaign = Campaign(sentence, valid=valid, seed=0)
    campaign.run(episodes=300)
    assert campaign.guide.session.watch is not None
    with campaign.guide.session:
        assert valid.__code__ is not code
        lenient.append(True)
        campaign.run(episodes=1)
        assert valid.__code__ is code
    assert not switch._owners
    assert campaign.guide.learner._archive.misses.empty


def test_a_run_is_the_same_for_the_same_seed():
    def valid(words):
        return (
            set(words) >= {"word7", "word9"} and words[0] in {"word1", "word2", "word3"} and words[1] == "x"
        )

    def made():
        found = []
        Campaign(
            sentence, valid=valid, seed=3, observers=[lambda episode: found.append(episode.choices)]
        ).run(episodes=400)
        return found

    assert made() == made()


def test_a_property_says_what_rejected_inputs():
    @rlcheck.settings(seed=0, episodes=50)
    @rlcheck.given(words=sentence)
    def property(words):
        rlcheck.assume(words[0] == "no")

    with pytest.raises(
        rlcheck.errors.NoValidInput, match=r"What rejected most inputs:\n  50 x assume\(\) at "
    ):
        property()


def test_a_scout_finds_what_is_called_and_leaves_profilers_alone():
    import textwrap
    import tomllib

    def valid():
        return tomllib.loads("a = 1") and textwrap.dedent("")

    scout = Scout([__name__])
    with scout:
        valid()
    assert set(scout.modules) >= {__name__, "textwrap", "tomllib._parser"}
    assert "rlcheck" not in {name.partition(".")[0] for name in scout.modules}
    other = Scout([__name__])
    sys.setprofile(lambda *event: None)
    try:
        with other:
            valid()
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)
    assert other.modules == [__name__]


def test_a_watch_is_extended_and_keeps_its_numbers():
    import textwrap

    watch = Watch([__name__], [__name__])
    with watch:
        places = list(watch._switch.places)
        watch.extend(["textwrap"])
        watch.extend(["textwrap", __name__])
        assert watch._switch.places[: len(places)] == places
        assert watch.modules == [__name__, "textwrap"]
        watch.start()
        textwrap.dedent("x")
        watch.advance()
        assert watch.path
        assert watch.reason() == ""


def tree(*indices, n=5):
    """The tree of an episode with these choices."""
    span = Span(0, [Leaf(7, n, index, False) for index in indices])
    span.leaves = len(indices)
    return span


def rejected(reason, *signs):
    """An episode that was rejected."""
    made = Episode()
    made.reason, made.signs = reason, list(signs)
    return made


def test_misses_keep_small_episodes_of_rare_signs_and_learn_whom_to_blame():
    misses = Misses(random.Random(0).random)
    assert misses.empty
    assert misses.add(tree(), rejected("", 1)) == 0.0
    assert misses.add(tree(1, 2, 3), rejected("late", 1, 2)) == 1.0
    assert misses.add(tree(1, 2), rejected("early", 1)) == 0.5
    assert misses.add(tree(1, 2, 4), rejected("none")) == 0.0
    assert not misses.empty
    for _ in range(50):
        indices = [leaf.index for leaf in misses.script().root.items]
        # The first choice is to blame: when it is changed, the reason is another one.
        before = [1, 2, 3][: len(indices)]
        reason = "other" if indices[0] != 1 else "late" if len(indices) == 3 else "early"
        assert sum(a != b for a, b in zip(indices, before, strict=True)) == 1
        misses.add(tree(0, 0, 0, 0, 0), rejected(reason, 1))
    kept = {niche.miss for niche in misses._niches.values()}
    assert {number for miss in kept for number in miss.moving} == {0}
    assert set.union(*(miss.still for miss in kept)) >= {1, 2}
    misses.clear()
    assert misses.empty


def test_misses_without_a_choice_to_change_are_made_again():
    misses = Misses(random.Random(0).random)
    misses.add(tree(0, n=1), rejected("", 1 << KIND_OF_SIGN))
    assert [leaf.index for leaf in misses.script().root.items] == [0]


def test_misses_do_not_grow_without_end():
    misses = Misses(random.Random(0).random)
    misses.add(tree(1), rejected("", *range(30_000)))
    assert len(misses._niches) == 20_000
    assert misses.add(tree(1), rejected("", 25_000)) == 0.0


def test_an_episode_outlives_the_watch_that_a_valid_one_beside_it_ended():
    def valid(words):
        campaign.guide.session.unwatch()
        return False

    campaign = Campaign(sentence, valid=lambda words: False, seed=0)
    campaign.run(episodes=200)
    assert campaign.guide.session.watch is not None
    campaign._execution.valid = valid
    assert campaign.run(episodes=1).valid == 0
    assert campaign.guide.session.watch is None

    def generator(choose):
        campaign.guide.session.unwatch()
        return sentence(choose)

    campaign = Campaign(sentence, valid=lambda words: False, seed=0)
    campaign.run(episodes=200)
    campaign._execution.generator = generator
    assert campaign.run(episodes=1).valid == 0
