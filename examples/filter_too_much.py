"""A Hypothesis test that rejects nearly everything, before and after."""

from hypothesis import assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck

from trees import Tree, insert, is_bst


@st.composite
def trees(draw, depth=0):
    """Any tree of at most four levels; nothing here knows about order."""
    tree = Tree(draw(st.integers(0, 10)))
    if depth < 3 and draw(st.booleans()):
        tree.left = draw(trees(depth + 1))
    if depth < 3 and draw(st.booleans()):
        tree.right = draw(trees(depth + 1))
    return tree


# Before.
@settings(deadline=None, database=None)
@seed(1)
@given(trees(), st.integers(0, 10))
def test_insert(tree, key):
    """A search tree is still one after an insertion."""
    assume(is_bst(tree))
    assume(tree.left and tree.right)
    insert(tree, key)
    assert is_bst(tree)


try:
    test_insert()
except FailedHealthCheck as error:
    print(str(error).splitlines()[0].strip())


# After.
@settings(backend="rlcheck", deadline=None, database=None)
@seed(1)
@given(trees(), st.integers(0, 10))
def test_insert_guided(tree, key):
    """A search tree is still one after an insertion."""
    assume(is_bst(tree))
    assume(tree.left and tree.right)
    insert(tree, key)
    assert is_bst(tree)


try:
    test_insert_guided()
except AssertionError as error:
    print(error.__notes__[0])
