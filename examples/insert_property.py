"""A property of `insert` that does not hold: the failing input, and its replay."""

import traceback

import rlcheck
from trees import insert, is_bst, tree


@rlcheck.settings(seed=9)
@rlcheck.given(tree=tree, key=rlcheck.integers(0, 10))
def test_insert(tree, key):
    """A search tree is still one after an insertion."""
    rlcheck.assume(is_bst(tree))
    insert(tree, key)
    assert is_bst(tree)


try:
    test_insert()
except AssertionError as error:
    print("".join(traceback.format_exception_only(error)), end="")
