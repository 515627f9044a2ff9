"""A short run of the studies of guided random numbers."""

import random

import pytest
from benchmarks.rng import analyse, run, trees
from benchmarks.rng.programs import available

from benchmarks import store


def test_the_studies_run_and_make_a_page(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "MARKS", (10, 30))
    names = sorted(available())[:1]
    if not names:
        pytest.skip("needs the extra rlcheck[bench]")
    store.write(
        "rng/costs", [{"what": "a draw", "microseconds": 1.5}, {"what": "client", "draws_per_second": 9.0}]
    )
    store.write("rng/trees", [run.grow((row, seed, 1_000)) for row in run.ROWS for seed in (0, 1)])
    covered = [run.cover((name, row, seed)) for name in names for row in run.ROWS for seed in (0, 1)]
    store.write("rng/programs", covered)
    page = analyse.page("rng")
    for row in run.ROWS:
        assert f"| {row} |" in page
    assert f"### {names[0]}" in page
    assert "| a draw | 1.50 µs |" in page


def test_a_run_depends_on_its_seed_alone(monkeypatch):
    monkeypatch.setattr(run, "MARKS", (60,))
    if "graphs" not in available():
        pytest.skip("needs networkx")
    first, again, other = (run.cover(("graphs", "CS-SAR", seed)) for seed in (1, 1, 2))
    assert first == again
    assert other["episodes"] != first["episodes"] or other["branches"] != first["branches"]


def test_the_best_tree_is_always_valid():
    def best(shape, low=1, high=31, depth=0):
        middle = (low + high) // 2
        left = right = None
        if depth < trees.DEPTH and shape.random() >= trees.PRUNE:
            left = best(shape, low, middle - 1, depth + 1)
        if depth < trees.DEPTH and shape.random() >= trees.PRUNE:
            right = best(shape, middle + 1, high, depth + 1)
        return middle, left, right

    shape = random.Random(0)
    assert all(trees.is_bst(best(shape)) for _ in range(200))
    assert not trees.is_bst((5, (6, None, None), None))


def test_the_p_value_is_that_of_welch():
    # Computed with scipy.stats.ttest_ind(..., equal_var=False).
    assert analyse.welch([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0, 9.0]) == pytest.approx(
        0.29373, abs=1e-4
    )
    assert analyse.welch([1.0, 1.0], [1.0, 1.0]) == 1.0
