"""Parts of rlcheck under Hypothesis: what must hold whatever they are given."""

import math
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

import rlcheck
from rlcheck import Guide, Outcome
from rlcheck.learners._exploration import below, weighted_option
from rlcheck.learners._rows import make_row
from rlcheck.learners._saved import FRESH, Saved
from rlcheck.report.blocks import pack_inputs, unpack_inputs

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
