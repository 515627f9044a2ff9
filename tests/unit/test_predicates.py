"""Combinations of predicates: the code does what it did, and every combination is told apart."""

import ast
import sys
import types
from textwrap import dedent

import pytest

import rlcheck
from rlcheck.coverage.instrument import Instrumented
from rlcheck.coverage.predicates import BRANCH_BITS, PredicateMarker

SOURCE = """
def f(x, y=(3 if len("ab") > 1 else 4)):
    '''A docstring.'''
    if x > 1 and not y:
        return [z if z else 1 for z in (1, 0)]
    while x:
        x -= 1
        if x == 1 or y is None:
            continue
    g = lambda q: 1 if q else 2
    def h(k):
        return k if k else x
    class C:
        value = 1 if y else 2
    return g(x) + h(0) + (5 if y else 6) + C.value
"""


def instrumented(source):
    source = dedent(source)
    taken, namespace, plain = [], {}, {}
    made = Instrumented(source, "<test>", lambda branch: taken.append, first=0, marker=PredicateMarker)
    exec(compile(source, "<test>", "exec"), namespace)
    exec(compile(source, "<test>", "exec"), plain)
    namespace["f"].__code__ = made.noting(namespace["f"].__code__)
    return namespace["f"], plain["f"], taken


def test_results_stay_what_they_were():
    noting, plain, taken = instrumented(SOURCE)
    for x in range(4):
        for y in (0, 1, None):
            assert noting(x, y) == plain(x, y)
    assert noting(1) == plain(1)
    assert noting.__doc__ == "A docstring."
    assert taken


def combinations(noting, taken, *runs):
    taken.clear()
    for arguments in runs:
        noting(*arguments)
    return set(taken)


def test_a_place_is_noted_with_how_the_conditions_came_out():
    noting, _, taken = instrumented(
        """
        def f(a, b):
            if a:
                pass
            if b:
                pass
            return 1
        """
    )
    four = combinations(noting, taken, (0, 0), (0, 1), (1, 0), (1, 1))
    two = combinations(noting, taken, (0, 0), (1, 1))
    branches = {noted & ((1 << BRANCH_BITS) - 1) for noted in four}
    assert len(branches) == 5
    assert branches == {noted & ((1 << BRANCH_BITS) - 1) for noted in two}
    assert len(four) == 1 + 2 + 4  # The start; the sides of a; those of b, by what a was.
    assert len(two) == 1 + 2 + 2


def test_every_part_of_a_condition_is_a_predicate():
    noting, _, taken = instrumented(
        """
        def f(a, b):
            if a or not b:
                return 1
            return 2
        """
    )
    true_by_a = combinations(noting, taken, (1, 1))
    true_by_b = combinations(noting, taken, (0, 0))
    assert max(true_by_a) != max(true_by_b)


def test_each_call_begins_anew():
    noting, _, taken = instrumented(
        """
        def f(n):
            if n > 1:
                return f(n - 1)
            return 0
        """
    )
    noting.__globals__["f"] = noting
    assert combinations(noting, taken, (5,)) == combinations(noting, taken, (2,))


def test_a_coverage_counts_combinations():
    module = types.ModuleType("rlcheck_predicates_subject")
    source = "def f(a, b):\n    x = 1 if a else 2\n    y = 1 if b else 2\n    return x + y\n"
    import linecache

    linecache.cache["<subject>"] = (len(source), None, source.splitlines(keepends=True), "<subject>")
    exec(compile(ast.parse(source), "<subject>", "exec"), vars(module))
    sys.modules[module.__name__] = module
    try:
        with rlcheck.Coverage(module, predicates=True) as coverage:
            sizes = []
            for arguments in ((0, 0), (1, 1), (0, 1), (1, 0), (0, 0)):
                coverage.start()
                module.f(*arguments)
                coverage.stop(valid=True)
                sizes.append(len(coverage.combinations))
        assert sizes == [3, 5, 6, 7, 7]
        assert len(coverage.covered) == 5
        assert all(branch < coverage.total for branch in coverage.path)
    finally:
        del sys.modules[module.__name__]


@pytest.mark.parametrize("predicates", [False, True])
def test_the_path_is_the_same_with_and_without(predicates):
    import textwrap

    with rlcheck.Coverage("textwrap", ordered=True, predicates=predicates) as coverage:
        coverage.start()
        textwrap.wrap("some words to wrap, and more", 9)
        coverage.stop(valid=True)
    places = [coverage.where(branch) for branch in coverage.path]
    with rlcheck.Coverage("textwrap", ordered=True) as coverage:
        coverage.start()
        textwrap.wrap("some words to wrap, and more", 9)
        coverage.stop(valid=True)
    assert places == [coverage.where(branch) for branch in coverage.path]
