"""Parts of rlcheck under Hypothesis: what must hold whatever they are given."""

import math
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlcheck
from rlcheck import Guide, Outcome
from rlcheck.failure import Failure
from rlcheck.frontends.hypothesis.strategies import shrink
from rlcheck.frontends.random.recording import read_actions, write_actions
from rlcheck.learners._exploration import below, weighted_option
from rlcheck.learners._rows import make_row
from rlcheck.learners._saved import FRESH, Saved
from rlcheck.report.blocks import pack_inputs, unpack_inputs
from rlcheck.report.store import Store

sequences = st.lists(st.lists(st.integers(0, 2**70), max_size=8), max_size=8)


@given(sequences)
def test_choice_sequences_survive_packing(inputs):
    assert unpack_inputs(pack_inputs(inputs)) == inputs


@st.composite
def generators(draw):
    """A generator that asks for numbers, and for more of them depending on the answers."""
    sizes = draw(st.lists(st.integers(1, 30), min_size=1, max_size=6))

    def generator(choose):
        made = []
        for size in sizes:
            made.append(choose(range(size)))
            if made[-1] % 3 == 0:
                made.append(choose("abc"))
        return made

    return generator


@given(generators(), st.sampled_from(["uniform", "monte-carlo", "diverse", "zest"]), st.integers(0, 99))
def test_recorded_choices_make_the_same_input_again(generator, learner, seed):
    guide = Guide(learner, seed=seed)
    for _ in range(5):
        episode = guide.start()
        value = generator(guide.choose)
        guide.finish(Outcome.VALID)
        assert rlcheck.replay(generator, episode.choices) == value
        assert all(index < size for index, size in zip(episode.choices, episode.sizes, strict=True))


@given(generators(), st.integers(0, 99))
def test_an_example_that_fits_is_played_whole(generator, seed):
    first, second = Guide("uniform", seed=seed), Guide("monte-carlo", seed=0)
    example = first.start().choices
    generator(first.choose)
    second.imitate(example)
    second.start()
    generator(second.choose)
    assert second.choices == example


@settings(max_examples=10)
@given(st.integers(0, 99))
def test_a_point_may_be_asked_with_any_number_of_options(seed):
    def generator(choose):
        return [choose(range(2 + k * 7 % 9), at="x") for k in range(6)]

    summary = rlcheck.Campaign(generator, valid=lambda made: sum(made) % 3 == 0, seed=seed).run(episodes=300)
    assert summary.valid > 0


moves = st.lists(
    st.tuples(st.sampled_from(["learn", "add", "merge"]), st.integers(0, 70), st.integers(-3, 3)), max_size=40
)


@given(st.sampled_from([1, 5, 64, 65, 71]), moves)
def test_the_best_option_of_a_row_is_one_with_the_highest_value(n, moves):
    row = make_row(n)
    rng = Random(0)
    for kind, index, number in moves:
        index %= n
        if kind == "learn":
            row.learn(index, float(number), 0.5)
        elif kind == "add":
            row.add(index, float(number))
        else:
            row.merge(index, 2, 2.0 * number)
        best = row.best if row.best >= 0 else row.find(rng.random)
        assert row.value(best) == max(row.value(option) for option in range(n))


@given(st.integers(1, 2**80), st.integers(0, 2**32))
def test_an_index_is_below_its_bound(n, seed):
    assert 0 <= below(Random(seed).random, n) < n


@given(
    st.lists(st.floats(0.0, 1e6), min_size=1).filter(lambda ws: 0.0 < sum(ws) < math.inf), st.integers(0, 99)
)
def test_an_option_without_weight_is_never_drawn(weights, seed):
    assert weights[weighted_option(Random(seed), weights)] > 0.0


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=1).map(tuple), min_size=1, max_size=30), st.integers(0, 99)
)
def test_a_child_repeats_a_parent_except_where_it_is_fresh(parents, seed):
    rng = Random(seed)
    saved = Saved(10, 2.0, 1.5)
    for place, choices in enumerate(parents):
        saved.add(rng, choices, branches=1 + place % 3, owns=(place % 5,) if place % 2 else ())
        assert len(saved) <= max(10, 5)
    child = saved.child(rng)
    assert FRESH in child
    assert any(
        len(parent) == len(child)
        and all(taken in (FRESH, own) for taken, own in zip(child, parent, strict=True))
        for parent in parents
    )


draws = st.integers(1, 2**64).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


@settings(max_examples=30)
@given(st.lists(draws, max_size=20), st.text())
def test_a_recording_is_read_as_it_was_written(pairs, command):
    with tempfile.TemporaryDirectory() as folder:
        write_actions(Path(folder) / "run.jsonl", pairs, command=command)
        actions = read_actions(Path(folder) / "run.jsonl")
    assert [actions.draw(n) for n, _ in pairs] == [index for _, index in pairs]
    actions.check_finished()
    assert actions.header["command"] == command


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=30)
@given(
    texts,
    texts,
    st.lists(st.integers(0, 2**70), max_size=8),
    texts,
    st.dictionaries(texts, texts, max_size=3),
)
def test_what_is_stored_is_read_back(target, message, choices, shown, options):
    with tempfile.TemporaryDirectory() as folder:
        with closing(Store(Path(folder), say=str)) as store:
            run = store.start_run(target, options, {})
            store.add_failure(run, target, Failure("here", message, choices, input=shown))
        with closing(Store(Path(folder))) as store:
            (found,) = store.failures(target=target)
            assert (found.place, found.message, found.choices, found.input) == (
                "here",
                message,
                choices,
                shown,
            )
            assert (store.run(run).target, store.run(run).settings) == (target, options)


def nested(choose):
    """Numbers, and more of them after each third one."""
    made = []
    while len(made) < 6 and choose([False, True]):
        made.append(choose(range(30)))
        if made[-1] % 3 == 0:
            made.append(choose(range(4)))
    return made


@pytest.mark.parametrize("seed", range(8))
def test_a_shrunk_input_still_fails_and_is_not_larger(seed):
    guide = Guide("uniform", seed=seed)
    choices = guide.start().choices
    total = sum(nested(guide.choose))
    smallest = shrink(nested, lambda value: sum(value) >= total // 2, choices)
    assert sum(rlcheck.replay(nested, smallest)) >= total // 2
    assert (len(smallest), sum(smallest)) <= (len(choices), sum(choices))
