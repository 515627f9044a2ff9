"""A short run of the learners side by side."""

from benchmarks.portfolio import run
from benchmarks.portfolio.subjects import SUBJECTS

from benchmarks import store


def test_a_short_run_writes_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    run.main(["--inputs", "50", "--seeds", "1", "--pairs", "2"])
    rows = store.read("portfolio/learners")
    assert len(rows) == len(SUBJECTS) * len(run.LEARNERS)
    assert sum(rows[-1]["members"]) == 50
    page = (tmp_path / "portfolio" / "README.md").read_text()
    assert all(f"| {subject} | {learner} |" in page for subject in SUBJECTS for learner in run.LEARNERS)
    assert all(f"| {member} | " in page for member in run.MEMBERS)
