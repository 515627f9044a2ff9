"""The study of shapes: its predicates are right, and a short run gives rows and a page."""

import json

from benchmarks.structure import run
from benchmarks.structure.subjects import SUBJECTS

from benchmarks import store


def test_a_short_run_gives_rows_and_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    arguments = ["--inputs", "300", "--seeds", "1", "--jobs", "1", "--learner", "uniform", "diverse"]
    assert run.main([*arguments, "--subject", "bst", "pom"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "structure/inputs.jsonl").read_text().splitlines()]
    assert [(row["subject"], row["learner"], row["inputs"]) for row in rows] == [
        (subject, learner, 300) for subject in ("bst", "pom") for learner in ("diverse", "uniform")
    ]
    assert "| bst | diverse | 1 |" in (tmp_path / "structure/README.md").read_text()


def test_there_is_a_target_for_each_subject():
    assert run.TARGETS.keys() == SUBJECTS.keys()
