"""The parts of diverse: trees of episodes, values that keep their order, the archive and its bounds."""

from random import Random

import pytest

from rlcheck.learners.diverse.archive import Archive
from rlcheck.learners.diverse.donors import Donors
from rlcheck.learners.diverse.echoes import echo
from rlcheck.learners.diverse.kin import Kin, run_of
from rlcheck.learners.diverse.ranks import Ranks
from rlcheck.learners.diverse.rates import Rates
from rlcheck.learners.diverse.recorder import Recorder
from rlcheck.learners.diverse.relations import Relations
from rlcheck.learners.diverse.runs import ends_of, is_loop, recount, recounted, replace_alike
from rlcheck.learners.diverse.scatter import Scatter
from rlcheck.learners.diverse.shelf import Shelf
from rlcheck.learners.diverse.tree import Leaf, Listing, Span, digest
from rlcheck.learners.diverse.trie import Trie
from rlcheck.learners.diverse.values import Values
from rlcheck.learners.diverse.variants import Variants
from rlcheck.states import OpenSpan

hypothesis = pytest.importorskip("hypothesis")
given, settings, st = hypothesis.given, hypothesis.settings, hypothesis.strategies

#: A walk of a generator: numbers are choices among ten, lists are spans.
walks = st.recursive(st.integers(0, 9), lambda inner: st.lists(inner, max_size=4), max_leaves=20)
seeds = st.integers(0, 1000)


def recorded(walk, recorder):
    """Let a recorder see a walk; the choices that it has to know."""
    made = []

    def visit(part, opened):
        if isinstance(part, int):
            recorder.move(opened)
            recorder.add(7, 10, part)
            made.append(part)
        else:
            for label, inner in enumerate(part):
                visit(inner, OpenSpan(label, opened) if isinstance(inner, list) else opened)

    visit(walk, OpenSpan(0, None))
    return made


def new_recorder(seed=0):
    random = Random(seed).random
    recorder = Recorder(Values(), Donors(random), Relations(random))
    recorder.begin(None)
    return recorder


def leaves_of(span):
    for item in span.items:
        if isinstance(item, Leaf):
            yield item
        else:
            yield from leaves_of(item)


def value(at):
    return Leaf(7, 100, at, value=True)


@given(walks)
def test_a_recorded_tree_has_every_choice_in_order(walk):
    recorder = new_recorder()
    made = recorded(walk, recorder)
    root = recorder.finish()
    assert [leaf.index for leaf in leaves_of(root)] == made
    assert root.leaves == len(made)
    listing = Listing(root)
    assert len(listing.values) + len(listing.small) == len(made)
    assert listing.end[0] == len(listing.spans)


@given(walks, st.data())
def test_discarded_choices_are_not_in_the_tree(walk, data):
    recorder = new_recorder()
    made = recorded(walk, recorder)
    since = data.draw(st.integers(0, len(made)))
    recorder.cut(since)
    assert [leaf.index for leaf in leaves_of(recorder.finish())] == made[:since]


@given(walks, walks)
def test_trees_are_alike_when_they_were_made_alike(one, other):
    trees = []
    for walk in (one, one, other):
        recorder = new_recorder()
        recorded(walk, recorder)
        trees.append(recorder.finish())
    first, again, second = trees
    assert (first.path, first.fine) == (again.path, again.fine)
    if first.path != second.path:
        assert first.fine != second.fine


@given(st.integers(0, 50), st.integers(0, 200), seeds)
def test_indices_are_spread_in_order(many, more, seed):
    n = many + more
    found = Ranks(Random(seed).random).spread(many, max(n, 1))
    assert len(found) == many
    assert found == sorted(set(found))
    assert all(0 <= index < max(n, 1) for index in found)


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=8),
    st.lists(st.integers(0, 99), min_size=1, max_size=8),
    seeds,
)
def test_values_that_move_keep_their_order_and_leave_the_others_as_they_were(host, guest, seed):
    ranks = Ranks(Random(seed).random)
    hole = Span(~1, [])
    root = Span(0, [*map(value, host), hole])
    digest(root)
    body = [Span(~1, [value(at) for at in guest])]
    ranks.begin()
    (fitted,) = ranks.fit(Listing(root), 0, len(host), len(host) + 1, body)
    assert [leaf.at for leaf in leaves_of(root)] == host
    placed = [leaf.at for leaf in leaves_of(fitted)]
    if float("inf") not in placed:
        order = sorted(range(len(guest)), key=guest.__getitem__)
        assert [placed[i] for i in order] == sorted(placed)
        assert [a == b for a in guest for b in guest] == [a == b for a in placed for b in placed]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), seeds)
def test_a_settled_script_keeps_the_order_of_its_values(found, seed):
    ranks = Ranks(Random(seed).random)
    root = Span(0, [Leaf(7, 31, index, value=True) for index in found])
    ranks.begin()
    script = ranks.settle(root)
    settled = [script.index_of(leaf) for leaf in root.items]
    if -1 not in settled:
        assert all(
            (a < b) == (settled[i] < settled[j]) for i, a in enumerate(found) for j, b in enumerate(found)
        )


def test_more_values_than_options_cannot_be_settled():
    ranks = Ranks(Random(0).random)
    leaves = [Leaf(7, 13, -1, value=True) for _ in range(14)]
    for place, leaf in enumerate(leaves):
        leaf.at = place / 2
    outcomes = [ranks.settle(Span(0, leaves)) for _ in range(20)]
    assert None in outcomes
    assert all(script is None or script.moves == {13: {}} for script in outcomes), "or left to the model"


def episode(*indices):
    root = Span(0, [Leaf(number, 5, index, value=False) for number, index in enumerate(indices)])
    digest(root)
    return root


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=40), max_size=60), seeds)
def test_an_archive_counts_shapes(made, seed):
    archive = Archive(Random(seed).random)
    seen = {}
    for indices in made:
        rare = archive.add(episode(*indices), 1.0, 1.0)
        seen[tuple(indices)] = seen.get(tuple(indices), 0) + 1
        assert 0.25 / seen[tuple(indices)] < rare <= 1.0 / seen[tuple(indices)]
    assert len(archive.fine.by_key) == len(seen)
    assert len(archive.coarse.by_key) == len({len(indices) for indices in made})


def test_a_shelf_is_bounded():
    shelf = Shelf(Random(0).random)
    for number in range(6_000):
        shelf.add(number, episode(*([number % 5] * (1 + number % 100))), 1.0)
    assert len(shelf.by_key) <= 4_000
    assert shelf._leaves <= 300_000
    assert shelf._leaves == sum(entry.root.leaves for entry in shelf.by_key.values())


def test_those_nearer_to_valid_take_the_place_of_others():
    archive = Archive(Random(0).random)
    assert archive.add(episode(1), 0.3, 1.0) == 1.0
    assert archive.add(episode(2), 0.2, 1.0) == 0.0
    archive.add(episode(1), 0.3, 1.0)
    assert len(archive.fine.by_key) == 2, "of those that are only near, shapes are not told apart"
    archive.add(episode(3, 1), 1.0, 1.0)
    assert len(archive.fine.by_key) == 1
    assert archive.best == 1.0


def test_a_parent_that_is_worth_more_is_edited_more_often():
    archive = Archive(Random(0).random)
    archive.add(episode(1, 1), 1.0, 0.1)
    archive.add(episode(2, 2), 1.0, 1.0)
    taken = [archive.fine.parent().root.items[0].index for _ in range(200)]
    assert taken.count(2) > 150


def test_kin_take_the_place_of_each_other():
    kin = Kin(Random(0).random)
    one, other, third = episode(1), episode(2, 2), episode(3, 3, 3)
    kin.link(one, other)
    kin.link(other, third)
    assert {kin.of(one.fine).leaves for _ in range(50)} == {2, 3}
    assert kin.of(12345) is None
    assert run_of(3, []).fine != run_of(4, []).fine


def test_runs_end_where_the_same_is_asked_again():
    loop = [Leaf(head, 2, 1, value=False) for head in (1, 2, 1, 2, 1)]
    assert ends_of(loop, 0) == [2, 4]
    kids = [Leaf(9, 4, 2, value=False), Span(~5, []), Span(~5, [])]
    assert ends_of(kids, 1) == [2, 3]
    longer = [*kids, Span(~5, [])]
    recount(kids, longer, 1, ~5)
    assert longer[0].index == 3


def choices(head, *indices):
    return [Leaf(head, 5, index, value=False) for index in indices]


def test_the_last_round_of_a_loop_is_a_run_unless_something_else_ends_the_loop():
    assert ends_of(choices(1, 0, 0, 0), 1) == [2, 3]
    assert ends_of(choices(1, 4), 0) == [1], "the only round"
    assert ends_of([*choices(1, 0), *choices(2, 0), *choices(1, 0)], 0) == [2], "the last one says: no more"
    assert ends_of([*choices(1, 0), *choices(2, 0)], 1) == []
    assert is_loop(Span(0, choices(1, 0, 3)))
    assert not is_loop(Span(0, choices(1, 0)))
    assert not is_loop(Span(0, [*choices(1, 0), Span(1, [])]))


def test_the_number_before_a_span_is_corrected():
    (number,) = choices(9, 2)
    assert recounted(number, choices(1, 0, 0), choices(1, 0, 0, 0), 1).index == 3
    assert recounted(number, choices(1, 0, 0, 0), choices(1, 0), 1).index == 0, "a number that begins at one"
    assert recounted(number, choices(1, 0), choices(1, 0, 0), 1) is None, "it is the number of something else"
    assert recounted(number, choices(1, 0, 0), choices(1, 3, 3), 1) is None, "it is the same"
    assert recounted(number, choices(1, 0, 0), choices(1, 0, 0, 0, 0, 0), 1) is None, (
        "there are no more options"
    )
    assert recounted(Span(1, []), choices(1, 0), choices(1, 0, 0), 1) is None


def test_equal_choices_of_a_span_change_together():
    items = [*choices(1, 2, 3), Span(4, []), *choices(2, 2)]
    replace_alike(items, items[0], 4)
    assert [item.index for item in items if isinstance(item, Leaf)] == [4, 3, 4]


def test_kin_are_forgotten():
    kin = Kin(Random(0).random)
    kin.link(episode(1), episode(2, 2))
    kin.forget()
    assert kin.of(episode(1).fine) is None


def test_a_rare_part_is_worth_more_than_a_common_one():
    archive = Archive(Random(0).random)
    for _ in range(20):
        archive.add(episode(1, 1), 1.0, 1.0)
    common, rare = archive.add(episode(1, 1), 1.0, 1.0), archive.add(episode(1, 4), 1.0, 1.0)
    assert rare > 5 * common
    taken = [archive.another(episode(1).items[0]).index for _ in range(400)]
    assert 1 not in taken
    assert set(taken) == {0, 2, 3, 4}
    some = Archive(Random(0).random)
    for _ in range(20):
        some.add(episode(1), 1.0, 1.0)
        some.add(episode(2), 1.0, 1.0)
    taken = [some.another(episode(0).items[0]).index for _ in range(400)]
    assert taken.count(3) + taken.count(4) > 240, "those that few valid episodes have"


def test_values_of_a_pair_are_told_apart_by_which_is_greater():
    archive = Archive(Random(0).random)

    def pair(one, other, *, kind=False):
        root = Span(0, [Leaf(1, 100, one, value=True), Leaf(2, 100, other, value=not kind)])
        digest(root)
        return archive.add(root, 1.0, 1.0)

    for _ in range(20):
        pair(64, 70)
    for one, other in ((70, 64), (64, 64)):
        assert pair(one, other) > 2 * pair(64, 70)
    assert pair(64, 70, kind=True) > pair(64, 70)


def test_episodes_made_at_random_are_edited_too():
    archive = Archive(Random(0).random)
    archive.add(episode(1, 1), 1.0, 1.0)
    for number in range(100):
        archive.keep_fresh(episode(*[number % 5] * 3), 1.0)
    assert {archive.parent().root.leaves for _ in range(50)} == {2, 3}


def related(seed=0):
    """Learn from pairs of numbers of which the second is greater, below a count of them, and twins."""
    random = Random(seed)
    relations = Relations(random.random)
    relations.held = True
    for _ in range(60):
        low = random.randrange(50)
        first = Leaf(1, 100, low, value=True)
        second = Leaf(2, 100, low + 1 + random.randrange(49), value=True)
        kind = random.randrange(5)
        inner = Span(~3, [Leaf(4, 5, kind, value=False), Leaf(5, 5, random.randrange(5), value=False)])
        twin = Span(~3, [Leaf(4, 5, kind, value=False), Leaf(5, 5, random.randrange(5), value=False)])
        relations.learn(Span(0, [first, second, inner, twin, Leaf(6, 1 << 60, 1, value=True)]))
    return relations


def test_what_was_always_so_between_two_choices_is_known():
    relations = related()
    root = Span(0, [Leaf(1, 100, 30, value=True)])
    relations.begin(root)
    assert relations.narrow(2, 100)
    assert not relations.fits(30)
    assert relations.fits(31)
    assert all(relations.any(set()) > 30 for _ in range(50))
    assert relations.others(100, {99}) == {*range(31), 99}
    root.items.append(Leaf(2, 100, 40, value=True))
    for _ in range(2):
        span = Span(~3, [])
        root.items.append(span)
        relations.enter(span, len(root.items) - 1)
        narrowed = relations.narrow(4, 5)
        fitting = [index for index in range(5) if relations.fits(index)]
        left = relations.any({3})
        span.items += choices(4, 3)
        assert not relations.narrow(5, 5), "this one may be anything"
        span.items += choices(5, 1)
        relations.leave()
    assert narrowed, "of the second the kind is that of the first"
    assert fitting == [3]
    assert left == -1
    assert not relations.narrow(6, 1 << 60)


def test_different_choices_stay_different_and_constants_say_nothing():
    random = Random(0)
    relations = Relations(random.random)
    relations.held = True
    for _ in range(300):
        loop = [Leaf(1, 6, index, value=False) for index in random.sample(range(6), 3)]
        relations.learn(Span(0, [Leaf(2, 6, 5, value=False), Leaf(3, 6, 2, value=False), *loop]))
    loop = [Leaf(1, 6, index, value=False) for index in (4, 0)]
    relations.begin(Span(0, [Leaf(2, 6, 5, value=False), Leaf(3, 6, 2, value=False), *loop]))
    assert relations.narrow(1, 6)
    assert [index for index in range(6) if relations.fits(index)] == [1, 2, 3, 5]
    assert {relations.any(set()) for _ in range(100)} == {1, 2, 3, 5}
    relations.begin(Span(0, [Leaf(2, 6, 5, value=False)]))
    assert not relations.narrow(3, 6)


def test_relations_are_bounded():
    relations = Relations(Random(0).random)
    for number in range(60_000):
        relations.learn(Span(0, [Leaf(number, 5, 1, value=False), Leaf(number + 1, 5, 1, value=False)]))
    assert len(relations._known) == 50_000


def test_ways_that_bring_more_are_picked_more_often():
    rates = Rates(3, 50)
    random = Random(0).random
    for _ in range(100):
        for way, result in enumerate((0.0, 0.1, 0.6)):
            rates.learn(way, result)
    picked = [rates.pick(random, 3) for _ in range(1_000)]
    assert picked.count(2) > 800
    assert picked.count(0) < 50


@settings(max_examples=50)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), seeds)
def test_a_trie_knows_when_every_sequence_was_taken(sizes, seed):
    trie, rng, made = Trie(10_000), Random(seed), set()
    total = 1
    for n in sizes:
        total *= n
    while not trie.exhausted:
        taken = []
        for n in sizes:
            dead = trie.dead(n)
            index = rng.choice([index for index in range(n) if index not in dead])
            trie.step(index)
            taken.append(index)
        trie.close()
        assert tuple(taken) not in made
        made.add(tuple(taken))
    assert len(made) == total


@given(seeds)
def test_a_variant_keeps_the_structure_and_the_order_of_values(seed):
    root = Span(0, [value(3), Span(1, [value(9)]), Leaf(5, 2, 1, value=False), value(3)])
    digest(root.items[1])
    digest(root)
    variants = Variants(lambda: 0.0, Ranks(Random(seed).random))
    variants.begin(root, 1.0)
    assert variants.active
    first, second, kind, last = (variants.take() for _ in range(4))
    assert (kind, last) == (1, first)
    assert 0 <= first < second < 100
    assert variants.take() == -1, "what comes after it is not known"
    variants.end(valid=False)
    assert not variants.active


def test_an_episode_without_values_has_no_variants():
    root = Span(0, [Leaf(5, 2, 1, value=False)])
    digest(root)
    variants = Variants(lambda: 0.0, Ranks(Random(0).random))
    variants.begin(root, 1.0)
    assert not variants.active


def test_an_echo_repeats_choices_among_equally_many_options():
    root = Span(0, [Leaf(1, 6, 2, value=False), Leaf(2, 2, 1, value=False), Leaf(3, 6, 5, value=False)])
    digest(root)
    for seed in range(20):
        ((place, new),) = echo(Listing(root), Random(seed).random).items()
        old = next(item for item in root.items if id(item) == place)
        assert new.head == old.head != 2
        assert {new.index, old.index} == {2, 5}


def test_nothing_is_an_echo_of_itself():
    root = Span(0, [Leaf(1, 6, 2, value=False), Leaf(2, 2, 1, value=False), Leaf(3, 2, 0, value=False)])
    digest(root)
    assert echo(Listing(root), Random(0).random) == {}


def test_what_asked_for_something_new_at_random_is_made_once_more():
    scatter = Scatter(lambda: 0.0)
    for _ in range(501):
        assert not scatter.active
        scatter.decide(1.0)
    assert scatter.active
    scatter.end([3, 1], [4, 2])
    scatter.decide(1.0)
    assert scatter.again
    assert not scatter.active
    assert [scatter.take(4), scatter.take(2), scatter.take(2)] == [3, 1, -1]
    scatter.drop()
    scatter.end([0, 0], [4, 2])
    assert not scatter.again  # The same was asked.
