"""The Hypothesis benchmark: its predicates are right, backends are driven alike, its study gives a page."""

import math
from dataclasses import replace

import pytest

pytest.importorskip("hypothesis")

from benchmarks.hypothesis import measures, study
from benchmarks.hypothesis.documents import keeps_to_schema
from benchmarks.hypothesis.drive import BACKENDS, drive
from benchmarks.hypothesis.properties import PROPERTIES
from benchmarks.hypothesis.sequences import is_balanced
from benchmarks.hypothesis.sequences import test_balanced as check_balanced
from benchmarks.hypothesis.terms import size, type_of, wrong_type_of
from benchmarks.hypothesis.trees import delete, insert, is_bst, values
from benchmarks.study import Task

ORIGIN = {"rlcheck": "0", "compiled": True, "hypothesis": "6", "python": "3", "machine": "one"}
LEAF = (8, None, None)
TREE = (5, (2, None, (3, None, None)), LEAF)
#: A function of two arguments, the outer one a function, which gives it back.
SECOND = ("lambda", "int -> int", ("lambda", "int", ("variable", 1)))


def test_search_trees_and_their_bug():
    assert is_bst(TREE)
    assert not is_bst((5, (2, None, (6, None, None)), LEAF))
    assert values(insert(TREE, 4)) == [2, 3, 4, 5, 8]
    assert values(delete(TREE, 2)) == [3, 5, 8]
    assert values(delete(TREE, 5)) == [8]


def test_types_and_their_bug():
    applied = ("apply", ("lambda", "int", ("variable", 0)), ("number", 1))
    assert type_of(applied) == wrong_type_of(applied) == "int"
    assert size(applied) == 4
    assert type_of(SECOND) == (("int", "int"), ("int", ("int", "int")))
    assert wrong_type_of(SECOND) == (("int", "int"), ("int", "int"))
    assert type_of(("variable", 0)) is None
    assert type_of(("apply", ("number", 1), ("number", 1))) is None
    assert type_of(("add", SECOND, ("number", 1))) is None


def test_documents_and_parentheses():
    assert keeps_to_schema(("project", [("name", "x"), ("dependency", [("name", "x"), ("group", "x")])]))
    assert keeps_to_schema(("project", [("name", "x"), ("build", "")]))
    assert not keeps_to_schema(("project", [("name", "x"), ("name", "x")]))
    assert not keeps_to_schema(("project", [("name", "x"), ("version", "x")]))
    assert not keeps_to_schema(("project", [("name", [])]))
    assert not keeps_to_schema(("project", "x"))
    assert is_balanced("([]{})()")
    assert not any(map(is_balanced, ["(]", "(", ")(", "([)]"]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PROPERTIES)
def test_a_test_is_driven_for_so_many_calls(name, backend):
    found = drive(PROPERTIES[name], backend, 0, calls=20)
    assert found["calls"] == 20
    assert found["shapes"] <= found["unique_valid"] <= found["valid"] <= 20
    assert PROPERTIES[name].sparse or found["valid"] > 10


def test_a_test_that_the_engine_ends_is_started_again():
    def never(text):
        check_balanced("(")

    found = drive(replace(PROPERTIES["any-text"], test=never), "hypothesis", 0, calls=600)
    assert (found["calls"], found["starts"], found["valid"]) == (600, 2, 0)


def test_equal_time_is_processor_time():
    assert drive(PROPERTIES["any-text"], "rlcheck", 0, seconds=0.1)["seconds"] >= 0.1


def test_a_small_study_gives_rows_and_a_page(studies):
    names = ["parentheses", "any-text"]
    limits = ["--inputs", "20", "--seconds", "0.5", "--seeds", "1", "--subject", *names]
    assert studies.run(study.STUDY, *limits, "--part", "examples", "seconds", "memory") == 0
    rows = studies.rows("hypothesis/examples")
    found = {(row["property"], row["backend"], row["calls"]) for row in rows}
    assert found == {(name, backend, 20) for name in names for backend in BACKENDS}
    assert [row["backend"] for row in studies.rows("hypothesis/seconds")] == [*BACKENDS, *BACKENDS]
    assert [row["run"] for row in studies.rows("hypothesis/memory")] == [1, 2, 1, 2]
    page = studies.page("hypothesis")
    assert "| parentheses |" in page
    assert "| **all** |" in page


def test_a_bug_is_found_by_so_many_seeds():
    seeds = [{"property": "b", "seed": seed, **ORIGIN, "failed_at": 9} for seed in range(10)]
    ours = [row | {"backend": "rlcheck", "found": row["seed"] > 0} for row in seeds]
    theirs = [row | {"backend": "hypothesis", "found": row["seed"] > 5} for row in seeds]
    line = "| b | 4 of 10 (more than 3 of 10) | 9 of 10 (≥ 9 of 10: PASS) | 9 |"
    assert study.bugs([*ours, *theirs])[-1] == line


def test_a_second_run_is_given_what_the_first_kept():
    rows = measures.memory(Task("memory", "parentheses", BACKENDS, 0, 100, 1.0))
    assert [row["backend"] for row in rows] == ["hypothesis"] * 2 + ["rlcheck"] * 2
    assert rows[3]["valid"] > rows[2]["valid"]


def test_ratios_have_errors_and_targets_a_verdict():
    assert study.ratio((30.0, 3.0), (10.0, 1.0)) == pytest.approx((3.0, 3.0 * math.sqrt(0.02)))
    assert study.at_least((3.0, 0.42), 2.0) == "3.00 ± 0.42 (≥ 2: PASS)"
    assert study.at_least((3.0, 0.42), 4.0) == "3.00 ± 0.42 (≥ 4: MISS)"
    assert study.at_least(study.ratio((3.0, 1.0), (0.0, 0.0)), 4.0) == "∞ (≥ 4: PASS)"
    assert study.at_least(study.ratio((0.0, 0.0), (0.0, 0.0)), 1.0) == "- (≥ 1: PASS)"
