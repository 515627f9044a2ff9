"""A short run of the learners side by side."""

from benchmarks.portfolio import study
from benchmarks.portfolio.subjects import SUBJECTS


def test_a_short_run_writes_the_page(studies, monkeypatch):
    monkeypatch.setattr(study, "PAIRS", 2)
    assert studies.run(study.STUDY, "--inputs", "50", "--seeds", "1") == 0
    rows = studies.rows("portfolio/learners")
    assert len(rows) == len(SUBJECTS) * len(study.LEARNERS)
    assert sum(rows[-1]["members"]) == 50
    page = studies.page("portfolio")
    assert all(f"| {subject} | {learner} |" in page for subject in SUBJECTS for learner in study.LEARNERS)
    assert all(f"| {member} | " in page for member in study.MEMBERS)
