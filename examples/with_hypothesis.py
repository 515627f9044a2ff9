"""A generator as a Hypothesis strategy."""

import hypothesis
from hypothesis import strategies as st

import rlcheck
from trees import insert, is_bst, tree


@hypothesis.settings(max_examples=2_000, derandomize=True, database=None)
@hypothesis.given(rlcheck.to_strategy(tree), st.integers(0, 10))
def test_insert(tree, key):
    """A search tree is still one after an insertion."""
    hypothesis.assume(is_bst(tree))
    insert(tree, key)
    assert is_bst(tree), f"inserting {key} gave {tree}"


try:
    test_insert()
except AssertionError as error:
    print(str(error).splitlines()[0])
