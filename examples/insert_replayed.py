"""The failing input of insert_property.py as a regression test: one run, no learner."""

import rlcheck
from trees import insert, is_bst, tree


@rlcheck.given(tree=tree, key=rlcheck.integers(0, 10))
def test_insert(tree, key):
    """A search tree is still one after an insertion."""
    rlcheck.assume(is_bst(tree))
    insert(tree, key)
    assert is_bst(tree)


def test_insert_of_a_duplicate():
    """The input on which test_insert once failed."""
    rlcheck.replay(test_insert, [0, 1, 1, 0])


try:
    test_insert_of_a_duplicate()
except AssertionError:
    print("insert still adds a duplicate")
