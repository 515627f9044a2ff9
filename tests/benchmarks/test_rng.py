"""A short run of the studies of guided random numbers."""

import random

import pytest
from benchmarks.rng import measures, study, trees
from benchmarks.rng.programs import PROGRAMS, missing
from benchmarks.study import Task


def test_the_studies_run_and_make_a_page(studies):
    names = [name for name in sorted(PROGRAMS) if not missing(name)][:1]
    if not names:
        pytest.skip("needs the extra rlcheck[bench]")
    studies.run(study.STUDY, "--part", "trees", "--inputs", "1000", "--seeds", "2")
    studies.run(study.STUDY, "--part", "programs", "--subject", *names, "--inputs", "100", "--seeds", "2")
    studies.run(study.STUDY, "--part", "costs", "--inputs", "100")
    page = studies.page("rng")
    for row in measures.ROWS:
        assert f"| {row} |" in page
    assert f"### {names[0]}" in page
    assert "| state, same frames | " in page


def test_a_run_depends_on_its_seed_alone():
    if missing("graphs"):
        pytest.skip("needs networkx")
    tasks = [Task("programs", "graphs", ("CS-SAR",), seed, 60, 0.0) for seed in (1, 1, 2)]
    [first], [again], [other] = map(measures.cover, tasks)
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
    assert study.welch([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0, 9.0]) == pytest.approx(
        0.29373, abs=1e-4
    )
    assert study.welch([1.0, 1.0], [1.0, 1.0]) == 1.0
