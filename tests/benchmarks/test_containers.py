"""The container study: its subjects are right, its bugs are found, its tables say what the rows say."""

import pytest
from benchmarks.containers import measures, study
from benchmarks.containers.html import HTML
from benchmarks.containers.methods import ABP, METHODS
from benchmarks.containers.subjects import PACKAGES, PLANTED, TEXTBOOK
from benchmarks.study import Task


def skip_missing(subject):
    if subject.is_missing:
        pytest.skip(f"needs {subject.package}")


def test_the_paper_has_fifteen_containers_and_pypi_eight_or_more():
    assert len(TEXTBOOK) == 15
    assert len({subject.package for subject in PACKAGES}) >= 8


@pytest.mark.parametrize("subject", [*TEXTBOOK, *PACKAGES], ids=lambda subject: subject.name)
def test_a_container_does_what_its_oracle_does(subject):
    skip_missing(subject)
    summary = subject.test(learner="swarm", seed=0).run(episodes=4)
    assert not summary.failures, str(summary)
    assert summary.calls == 4 * 200
    assert min(summary.branches, summary.paths, summary.shapes, summary.combinations) > 2


@pytest.mark.parametrize("subject", HTML, ids=lambda subject: subject.name)
def test_a_parser_is_fed_token_by_token(subject):
    skip_missing(subject)
    summary = subject.test(seed=0).run(episodes=4, stop_on_failure=False)
    assert not summary.failures, str(summary)
    assert summary.paths > 10
    assert summary.shapes > 1


@pytest.mark.parametrize("subject", PLANTED, ids=lambda subject: subject.name)
def test_a_planted_bug_is_found_and_its_snippet_fails(subject):
    [found] = measures.hunt(Task("bugs", subject.name, ("portfolio",), 0, 0, 20.0))
    assert found["found"]
    assert found["fails"]
    assert found["calls"] <= 10


def test_a_small_study_gives_rows_and_a_page(studies):
    arguments = ["--subject", "HeapArray", "LostMinimum", "--method", "RT", "SA", ABP, "portfolio"]
    budget = ["--seconds", "0.2", "--seeds", "1"]
    assert studies.run(study.STUDY, *arguments, *budget, "--part", "textbook", "contexts", "bugs") == 0
    rows = studies.rows("containers/textbook")
    assert [row["method"] for row in rows] == ["RT", "SA", ABP, "portfolio"]
    assert all(len(row["quarters"]) == 4 and row["paths"] > 2 for row in rows)
    page = studies.page("containers")
    assert "| HeapArray | " in page
    assert "## The six contexts of ABP" in page
    assert "| LostMinimum | 1 of 1 |" in page
    assert "assert subject.insert(" in page


def test_the_six_contexts_are_different_methods():
    assert sum(name.startswith("ABP ") for name in METHODS) == 6
    kinds = {str(sorted(METHODS[name]().items(), key=str)) for name in METHODS if name.startswith("ABP ")}
    assert len(kinds) == 6


def test_marks_are_those_of_the_paper():
    assert study.marks({"ABP": 3.0, "RT": 2.0, "SA": 1.0}) == {"ABP": "✓✓", "RT": "", "SA": "x"}
    assert study.marks({"ABP": 3.0, "RT": 3.0, "SA": 1.0}) == {"ABP": "✓", "RT": "✓", "SA": "x"}
    assert study.marks({"ABP": 3.0, "RT": 1.0, "SA": 1.0}) == {"ABP": "✓✓", "RT": "", "SA": ""}


def test_verdicts_compare_with_the_best():
    def found(paths):
        return {"paths": paths, "shapes": 10.0, "combinations": 5.0}

    means = {"HeapArray": {ABP: found(20.0), "RT": found(10.0), "portfolio": found(18.0)}}
    first, last, _ = study.verdicts(means)
    assert "2.00 times the paths and 1.00 times the shapes of RT: MISS" in first
    assert "in 2 of 3 cells" in last
    assert f"HeapArray PA (90% of {ABP})" in last


@pytest.mark.parametrize(("shapes", "verdict"), [(21.0, "PASS"), (19.0, "MISS")])
def test_of_html_twice_the_paths_and_shapes_are_asked_for(shapes, verdict):
    rt = {"paths": 10.0, "shapes": 10.0}
    last = study.html({"parser": {"RT": rt, "portfolio": {"paths": 30.0, "shapes": shapes}}})[-1]
    assert last.endswith(f"{shapes / 10:.2f} times the shapes of RT: {verdict}.")
