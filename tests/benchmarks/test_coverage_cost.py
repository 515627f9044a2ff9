"""What coverage costs, and cold starts: short runs give rows and pages."""

import json

import pytest
from benchmarks.coverage import cold, run


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.store.RESULTS", tmp_path)
    return tmp_path / "coverage"


def test_costs_give_a_row_for_each_method_and_a_page(results, monkeypatch, capsys):
    tomllib = [subject for subject in run.subjects() if subject.module == "tomllib"]
    monkeypatch.setattr(run, "subjects", lambda: tomllib)
    run.main(["--turns", "1", "--inputs", "2"])
    (path,) = results.glob("python-*.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert {"branches", "trace", "path", "sys.settrace", "off again"} <= {row["method"] for row in rows}
    assert all(row["subject"] == "tomllib" and row["ratio"] > 0 for row in rows)
    assert "| tomllib |" in (results / "README.md").read_text()


def test_cold_starts_give_rows_and_a_page(results, monkeypatch):
    monkeypatch.setattr(cold, "STRICT", ("brackets",))
    cold.main(inputs=100, seeds=range(2))
    rows = [json.loads(line) for line in (results / "cold.jsonl").read_text().splitlines()]
    assert len(rows) == 2 * 2 * 2 * 2
    assert "| brackets | diverse |" in (results / "cold.md").read_text()


@pytest.mark.parametrize(
    ("numbers", "valid"),
    [([1, 2, 3, 4, 5], True), ([1, 2, 3, 4], False), ([1, 2, 3, 4, 4], False), ([2, 1, 3, 4, 5], False)],
)
def test_numbers_in_order(numbers, valid):
    assert cold.in_order(numbers) is valid
