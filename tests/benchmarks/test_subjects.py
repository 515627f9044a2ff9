"""A short run on two subjects, one with branches and one without, and what the page says of it."""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.study import Task
from benchmarks.subjects import measure, study
from benchmarks.subjects.subject import Subject
from benchmarks.subjects.subjects import SUBJECTS

from benchmarks import store
from rlcheck import Campaign, Coverage


def test_a_short_run_writes_the_page_and_its_figures(studies, monkeypatch):
    monkeypatch.setattr(measure, "_WARM", 0.0)
    rows = [
        measure.run(subject, method, 0, 0.15)
        for subject in ("tomllib", "sqlite3")
        for method in measure.METHODS
        if (subject, method) != ("sqlite3", measure.GREY)
    ]
    store.write("subjects/runs", rows)
    studies.run(study.STUDY, "--only-page")
    page = studies.page("subjects")
    assert all(f"| {subject} | " in page for subject in ("tomllib", "sqlite3"))
    assert "on 2 of 2 subjects" in page or "not on" in page, "it says where the aim was missed"
    assert {path.name for path in (studies.folder / "subjects").glob("*.svg")} == {
        "branches.svg",
        "diverse.svg",
        "share.svg",
    }
    for figure in (studies.folder / "subjects").glob("*.svg"):
        text = figure.read_text()
        ElementTree.fromstring(text)
        assert set(re.findall(r'href="#(\w+)"', text)) <= set(re.findall(r' id="(\w+)"', text))
        assert len(text) < 40_000
    for row in rows:
        last = row["points"][-1]
        assert 0 <= last["diverse"] <= last["unique"] <= last["valid"] <= last["inputs"]
        assert last["diverse"] or row["subject"] != "tomllib"
        assert (last["branches"] is None) == (row["subject"] == "sqlite3")


def test_grey_box_needs_branches():
    part = study.STUDY.parts["runs"]
    assert part.fits("tomllib", measure.GREY)
    assert not part.fits("sqlite3", measure.GREY)


def test_a_run_in_a_process_of_its_own_gives_its_row():
    [row] = measure.measure(Task("runs", "tomllib", ("uniform",), 0, 0, 0.05))
    assert json.loads(json.dumps(row)) == row
    assert row["points"][-1]["inputs"] > 0


def test_a_subject_says_which_files_it_needs():
    absent = Subject("ant", lambda choose: None, bool, needs=(Path("/no/java"), "json"))
    assert absent.missing == ["/no/java"]


def test_faults_are_told_apart_by_type_and_place():
    def accepts(value):
        if value == 0:
            raise ValueError(f"{value} is odd")
        if value == 1:
            raise KeyError(value)
        return value == 2

    watch = measure.Watch(Subject("s", lambda choose: choose(range(4)), accepts), seconds=1.0)
    for value in (0, 0, 1):
        with pytest.raises((ValueError, KeyError), match=str(value)):
            watch.test(value)
    assert [where.split(" at ")[0] for where in watch.faults] == ["ValueError", "KeyError"]


def test_ten_runs_say_how_reliably_a_fault_is_found():
    point = {"seconds": 1.0, "inputs": 9, "valid": 9, "unique": 9, "diverse": 9, "branches": None}
    common = {"subject": "s", "seconds": 20.0, "points": [point], **store.environment()}
    rows = [{**common, "method": method, "seed": 0, "faults": {}} for method in measure.METHODS]
    hunted = [{**common, "method": "portfolio", "seed": seed, "faults": {"often": 1.0}} for seed in range(10)]
    hunted[0]["faults"] = {"often": 1.0, "once": 2.0}
    assert "No method found a fault" in study.page({"runs": rows})
    page = study.page({"runs": rows, "faults": hunted})
    assert "of 2 faults that any method found, `portfolio` found 2 in some run, and 1 in at least 8" in page
    assert "| portfolio, 20 s |" in page
    assert "0/1 | 10/10, 1.0 s |" in page
    assert "fewer than 10 runs cannot say" in study.page({"runs": rows, "faults": hunted[:9]})
    elsewhere = [{**row, "subject": "t"} for row in hunted]
    same = study.page({"runs": rows, "faults": elsewhere}) == study.page({"runs": rows})
    assert same, "a subject that was not run again"


def test_a_campaign_takes_a_coverage_that_is_given():
    coverage = Coverage("tomllib")
    subject = SUBJECTS["tomllib"]
    summary = Campaign(subject.generator, valid=subject.accepts, seed=0, coverage=coverage).run(episodes=20)
    assert summary.coverage is coverage
    assert coverage.covered_valid


VALID = {
    "tomllib": ("a = 1", "a = "),
    "sqlite3": ("select a from t", "select a from nothing"),
    "compile": ("return_ = 1\n", "return 1\n"),
    "html5lib": ("<!DOCTYPE html><p>t</p>", "<p>"),
    "z3": ("(assert true)", "(assert 1)"),
    "rdkit": ("CCO", "C("),
}


@pytest.mark.parametrize("name", VALID)
def test_subjects_tell_valid_inputs_from_others(name):
    subject = SUBJECTS[name]
    if subject.missing:
        pytest.skip(f"needs {subject.missing}: make bench-subjects")
    valid, invalid = VALID[name]
    assert subject.accepts(valid)
    assert not subject.accepts(invalid)


@pytest.mark.skipif(
    find_spec("jpype") is None or shutil.which("java") is None or bool(SUBJECTS["maven"].missing),
    reason="needs Java and `make bench-subjects`",
)
def test_a_java_subject_runs_and_notes_branches():
    [row] = measure.measure(Task("runs", "maven", ("zest",), 0, 0, 0.3))
    assert row["points"][-1]["inputs"] > 0
