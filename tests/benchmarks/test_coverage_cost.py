"""What coverage costs: a short run gives rows and a page."""

from benchmarks.coverage import study


def test_a_short_run_gives_rows_and_a_page(studies, monkeypatch):
    monkeypatch.setattr(study, "TURNS", 1)
    assert studies.run(study.STUDY, "--inputs", "2", "--subject", "tomllib") == 0
    (path,) = (studies.folder / "coverage").glob("python-*.jsonl")
    rows = studies.rows(f"coverage/{path.stem}")
    assert {"branches", "trace", "path", "sys.settrace", "off again"} <= {row["method"] for row in rows}
    assert all(row["subject"] == "tomllib" and row["ratio"] > 0 for row in rows)
    assert "| tomllib |" in studies.page("coverage")
