"""The Hypothesis benchmark: its predicates are right, backends are driven alike, its study gives a page."""

import json
import math

import pytest

pytest.importorskip("hypothesis")

from benchmarks.hypothesis import analyse, run
from benchmarks.hypothesis.documents import keeps_to_schema
from benchmarks.hypothesis.drive import BACKENDS, drive
from benchmarks.hypothesis.properties import BUGS, PROPERTIES
from benchmarks.hypothesis.sequences import is_balanced
from benchmarks.hypothesis.terms import size, type_of, wrong_type_of
from benchmarks.hypothesis.trees import delete, insert, is_bst, values

LEAF = (8, None, None)
TREE = (5, (2, None, (3, None, None)), LEAF)
#: A function of two arguments, the outer one a function, which gives it back.
SECOND = ("lambda", "int -> int", ("lambda", "int", ("variable", 1)))


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.store.RESULTS", tmp_path)
    return tmp_path


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


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
    assert not keeps_to_schema(("project", "x"))
    assert is_balanced("([]{})()")
    assert not any(map(is_balanced, ["(]", "(", ")(", "([)]"]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PROPERTIES)
def test_a_test_is_driven_for_so_many_calls(name, backend):
    found = drive(PROPERTIES[name], backend, 0, calls=40)
    assert found["calls"] == 40
    assert found["shapes"] <= found["unique_valid"] <= found["valid"] <= 40
    assert PROPERTIES[name].sparse or found["valid"] > 20


def test_a_test_that_the_engine_ends_is_started_again():
    found = drive(PROPERTIES["sorted-list"], "hypothesis", 0, calls=1_000)
    assert found["calls"] == 1_000
    assert found["starts"] > 1


def test_equal_time_is_processor_time():
    assert 0.1 <= drive(PROPERTIES["any-text"], "rlcheck", 0, seconds=0.1)["seconds"] < 0.3


def test_a_small_study_gives_rows_and_a_page(results, capsys):
    names = ["parentheses", "any-text", *BUGS]
    parts = ["examples", "bugs", "memory"]
    assert run.main(["--quick", "--seeds", "1", "--property", *names, "--part", *parts]) == 0
    folder = results / "hypothesis-quick"
    assert {
        (row["property"], row["backend"], row["calls"]) for row in rows_of(folder / "examples.jsonl")
    } == {(name, backend, 100) for name in names[:2] for backend in BACKENDS}
    assert len(rows_of(folder / "bugs.jsonl")) == 4
    assert {row["run"] for row in rows_of(folder / "memory.jsonl")} == {1, 2}
    analyse.main(["--name", "hypothesis-quick"])
    page = (folder / "README.md").read_text()
    assert "| parentheses |" in page
    assert "| two-binders |" in page
    assert "| **all** |" in page


def test_the_second_run_remembers_the_first():
    rows = run.memory(run.Task("memory", "parentheses", 0, 100, 1.0))
    first, second = (row["valid"] / row["first"] for row in rows if row["backend"] == "rlcheck")
    assert second > first


def test_ratios_have_errors_and_targets_a_verdict():
    assert analyse.ratio((30.0, 3.0), (10.0, 1.0)) == pytest.approx((3.0, 3.0 * math.sqrt(0.02)))
    assert analyse.at_least((3.0, 0.42), 2.0) == "3.00 ± 0.42 (≥ 2: PASS)"
    assert analyse.at_least((3.0, 0.42), 4.0) == "3.00 ± 0.42 (≥ 4: MISS)"
    assert analyse.at_least(analyse.ratio((3.0, 1.0), (0.0, 0.0)), 4.0) == "∞ (≥ 4: PASS)"
    assert analyse.at_least(analyse.ratio((0.0, 0.0), (0.0, 0.0)), 1.0) == "- (≥ 1: PASS)"
