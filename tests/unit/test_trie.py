"""The trie: nothing is taken twice, and it knows when there is nothing left."""

import random

import pytest

from rlcheck.learners.diverse.trie import Trie


def bits(depth):
    """A tree of choices in which the left branch ends at once, as lists of option counts."""

    def sizes(path):
        if path and path[-1] == 0:
            return None
        return 3 if len(path) < depth else None

    return sizes


def walk(trie, sizes, rng):
    """Take a random sequence that the trie has not seen; None when it offers nothing."""
    taken = []
    while (n := sizes(taken)) is not None:
        alive = [index for index in range(n) if index not in trie.dead(n)]
        if not alive:
            return None
        taken.append(rng.choice(alive))
        trie.step(taken[-1])
    trie.close()
    return tuple(taken)


def count(sizes, path=()):
    n = sizes(list(path))
    return 1 if n is None else sum(count(sizes, (*path, index)) for index in range(n))


def forced(depth):
    """The same, with a choice of a single option after each of the others."""
    sizes = bits(depth)
    return lambda path: 1 if len(path) % 2 else sizes(path[::2])


@pytest.mark.parametrize("of", [bits, forced])
@pytest.mark.parametrize("depth", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_every_sequence_is_taken_once_and_then_it_is_exhausted(of, depth, seed):
    trie, sizes, rng = Trie(10_000), of(depth), random.Random(seed)
    seen = set()
    while not trie.exhausted:
        sequence = walk(trie, sizes, rng)
        assert sequence is not None
        assert sequence not in seen
        seen.add(sequence)
    assert len(seen) == count(sizes)
    assert trie.entries == 3, "nothing is kept below what is exhausted"


def test_a_sequence_that_is_taken_again_all_the_same_changes_nothing():
    trie = Trie(100)
    for _ in range(3):
        for index in (1, 2, 0):
            trie.dead(3)
            trie.step(index)
        trie.close()
    assert trie.entries <= 1
    assert not trie.exhausted


def test_a_single_sequence_is_exhausted_at_once():
    trie = Trie(100)
    trie.dead(1)
    trie.step(0)
    trie.close()
    assert trie.exhausted


def test_a_dropped_episode_leaves_no_trace():
    trie = Trie(100)
    trie.dead(2)
    trie.step(0)
    trie.drop()
    assert trie.dead(2) == set()
    trie.step(0)
    trie.close()
    assert trie.dead(2) == {0}


def test_exhausted_options_count_too():
    trie = Trie(50)
    for index in range(500):
        trie.dead(10**9)
        trie.step(index)
        trie.close()
        assert trie.entries <= 50


def test_it_forgets_everything_when_it_is_full():
    trie, rng = Trie(50), random.Random(0)
    for _ in range(500):
        taken = [rng.randrange(1000), rng.randrange(1000)]
        for index in taken:
            trie.dead(1000)
            trie.step(index)
        trie.close()
        assert trie.entries <= 50


def test_entering_a_sequence_is_following_it():
    rng = random.Random(5)
    followed, entered = Trie(10_000), Trie(10_000)
    for _ in range(3_000):
        choices, sizes = [], []
        while not choices or (len(choices) < 6 and choices[-1]):
            sizes.append(1 if len(choices) == 3 else 3)
            choices.append(rng.randrange(sizes[-1]))
        for index, n in zip(choices, sizes, strict=True):
            followed.dead(n)
            followed.step(index)
        followed.close()
        entered.enter(choices, sizes)
        assert (entered.entries, entered.exhausted) == (followed.entries, followed.exhausted)
    assert entered.entries > 0 or entered.exhausted
