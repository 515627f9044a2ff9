"""What coverage costs, and cold starts: short runs give rows and pages."""

import pytest
from benchmarks.coverage import study


def test_short_runs_give_rows_and_a_page(studies, monkeypatch):
    monkeypatch.setattr(study, "TURNS", 1)
    assert studies.run(study.STUDY, "--inputs", "2", "--subject", "tomllib") == 0
    (path,) = (studies.folder / "coverage").glob("python-*.jsonl")
    rows = studies.rows(f"coverage/{path.stem}")
    assert {"branches", "trace", "path", "sys.settrace", "off again"} <= {row["method"] for row in rows}
    assert all(row["subject"] == "tomllib" and row["ratio"] > 0 for row in rows)
    assert studies.run(study.STUDY, "--subject", "brackets", "--inputs", "100", "--seeds", "2") == 0
    assert len(studies.rows("coverage/cold")) == 2 * 2 * 2
    page = studies.page("coverage")
    assert "| tomllib |" in page
    assert "| brackets | diverse |" in page


@pytest.mark.parametrize(
    ("numbers", "valid"),
    [([1, 2, 3, 4, 5], True), ([1, 2, 3, 4], False), ([1, 2, 3, 4, 4], False), ([2, 1, 3, 4, 5], False)],
)
def test_numbers_in_order(numbers, valid):
    assert study.in_order(numbers) is valid
