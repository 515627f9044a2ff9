"""The study of shapes: a short run gives rows and a page."""

from benchmarks.structure.study import STUDY, TARGETS
from benchmarks.structure.subjects import SUBJECTS


def test_a_short_run_gives_rows_and_a_page(studies):
    budget = ["--inputs", "300", "--seeds", "1"]
    assert studies.run(STUDY, *budget, "--method", "uniform", "diverse", "--subject", "bst", "pom") == 0
    assert [
        (row["subject"], row["learner"], row["snapshots"][-1]["inputs"])
        for row in studies.rows("structure/inputs")
    ] == [(subject, learner, 300) for subject in ("bst", "pom") for learner in ("uniform", "diverse")]
    assert "| bst | diverse | 300 |" in studies.page("structure")


def test_there_is_a_target_for_each_subject():
    assert TARGETS.keys() == SUBJECTS.keys()
