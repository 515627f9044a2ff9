"""The BST study, on a small scale."""

import pytest
from benchmarks.bst import study
from benchmarks.bst.subject import Tree, annotated, is_bst, size, tree
from benchmarks.study import Task


def run(seed, trees, variant):
    [row] = study.measure(Task("study", "", (variant,), seed, trees, 0.0))
    return row


def test_a_small_study_gives_rows_a_page_and_plots(studies):
    pytest.importorskip("matplotlib")
    assert studies.run(study.STUDY, "--inputs", "1000", "--seeds", "2") == 0
    rows = studies.rows("bst/study")
    assert [(row["variant"], row["seed"]) for row in rows] == [
        (name, seed) for name in study.VARIANTS for seed in (0, 1)
    ]
    for row in rows:
        assert row["curve"][-1] == [1000, row["valid"], row["unique_valid"]]
        assert len(row["curve"]) == study.POINTS
        assert sum(row["sizes"].values()) == row["unique_valid"] <= row["valid"]
        assert max(map(int, row["sizes"])) == row["largest"]
        assert bool(row["rows"]) == (row["variant"] != "Random")
    page = studies.page("bst")
    assert page.count("PASS") + page.count("MISS") == 5
    for name in study.VARIANTS:
        assert f"| {name} |" in page
    for figure in ("figure4", "figure5"):
        assert "</svg>" in (studies.folder / f"bst/{figure}.svg").read_text()
        assert f"({figure}.svg)" in page


def test_a_run_depends_on_its_seed_alone():
    def outcome(seed):
        row = run(seed, 300, "Tree L/R")
        return row["curve"], row["sizes"]

    assert outcome(0) == outcome(0) != outcome(1)


def test_fewer_trees_than_points():
    assert [point[0] for point in run(0, 3, "Random")["curve"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("node", "valid"),
    [
        (None, True),
        (Tree(0), True),
        (Tree(10), True),
        (Tree(5, Tree(3), Tree(7)), True),
        (Tree(5, Tree(5)), False),
        (Tree(5, None, Tree(5)), False),
        (Tree(5, Tree(3, None, Tree(6))), False),
        (Tree(5, None, Tree(7, Tree(4))), False),
    ],
)
def test_a_search_tree_is_strictly_in_order(node, valid):
    assert is_bst(node) is valid


def test_size_counts_nodes():
    assert size(None) == 0
    assert size(Tree(5, Tree(3, None, Tree(4)), Tree(7))) == 4


def answering(answers, seen=None):
    """A choose() that gives the answers in order, and notes the states."""
    coming = iter(answers)

    def choose(options, at=None, state=None):
        if seen is not None:
            seen.append((at, state))
        answer = next(coming)
        assert answer in options
        return answer

    return choose


def test_trees_have_at_most_five_levels():
    assert size(tree(lambda options: options[0])) == 2**5 - 1


def test_both_generators_make_the_same_trees():
    answers = [2, True, 1, False, False, True, 3, False, False]
    expected = Tree(2, Tree(1), Tree(3))
    assert tree(answering(answers)) == expected
    assert annotated(("L",), ("R",))(answering(answers)) == expected


def test_states_are_those_of_the_papers_figure_2():
    seen = []
    annotated(("L",), ("R",))(answering([2, True, 1, False, False, True, 3, False, False], seen))
    assert seen == [
        ("value", ()),
        ("left", (2,)),
        ("value", (2, "L")),
        ("left", (2, "L", 1)),
        ("right", (2, "L", 1)),
        ("right", (2,)),
        ("value", (2, "R")),
        ("left", (2, "R", 3)),
        ("right", (2, "R", 3)),
    ]


def test_states_keep_their_last_four_elements():
    seen = []
    answers = [5, True, 4, True, 3, False, False, False, False]
    annotated(("L",), ("R",))(answering(answers, seen))
    assert seen[4:6] == [("value", (5, "L", 4, "L")), ("left", ("L", 4, "L", 3))]
