"""What runs cost: a short run gives rows and a page."""

from pathlib import Path

import pytest
from benchmarks.runs import study


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="CPU seconds of workers are read from /proc")
def test_costs_give_rows_and_a_page(studies, monkeypatch):
    for name, value in (("HELPS", 1), ("WATCHED", 300), ("RECORDED", 500)):
        monkeypatch.setattr(study, name, value)
    assert studies.run(study.STUDY, "--inputs", "1", "--seconds", "0.3") == 0
    rows = studies.rows("runs/runs")
    assert [row["what"] for row in rows] == [what for figures in study.FIGURES.values() for what in figures]
    assert all(row["value"] > 0 for row in rows[1:6])
    for row in rows:
        assert f"| {row['what']} |" in studies.page("runs")
