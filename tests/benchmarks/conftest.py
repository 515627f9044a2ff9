"""Benchmarks in tests store their results in a temporary folder."""

import json

import pytest

from benchmarks import store, study


class Studies:
    """Runs a study in this process, and reads what it stored."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, which, *arguments):
        return study.main(which, [*arguments, "--jobs", "0"])

    def rows(self, name):
        return [json.loads(line) for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]

    def page(self, name):
        return (self.folder / name / "README.md").read_text()


@pytest.fixture
def studies(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    return Studies(tmp_path)
