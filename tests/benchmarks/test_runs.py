"""What runs cost: a short run gives rows and a page."""

import json
from pathlib import Path

import pytest
from benchmarks.runs import run


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="CPU seconds of workers are read from /proc")
def test_costs_give_rows_and_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.store.RESULTS", tmp_path)
    monkeypatch.setattr(run, "_HELPS", 1)
    run.main(["--episodes", "300", "--inputs", "500", "--seconds", "0.3", "--seeds", "1"])
    rows = [json.loads(line) for line in (tmp_path / "runs" / "runs.jsonl").read_text().splitlines()]
    assert [row["what"] for row in rows][:6] == [
        "watching and storing",
        "live view",
        "database of recorded inputs",
        "report, time",
        "report, size",
        "help",
    ]
    assert len(rows) == 10
    assert all(row["value"] > 0 for row in rows[1:6])
    page = (tmp_path / "runs" / "README.md").read_text()
    for row in rows:
        assert f"| {row['what']} |" in page
    assert "| report, size |" in capsys.readouterr().out
