"""The runner: which tasks a command asks for, what is stored, and what is left alone."""

import pytest
from benchmarks.study import Part, Study

from benchmarks import study, tables


def measure(task):
    """Make a row for each method, which says what was asked for."""
    return [
        {"subject": task.subject, "method": method, "seed": task.seed, "inputs": task.inputs}
        for method in task.methods
    ]


def fail_on_b(task):
    """Fail on one subject."""
    if task.subject == "b":
        raise ValueError("no")
    return measure(task)


def page(results):
    return "\n".join(f"{name}: {len(rows)} rows" for name, rows in results.items())


def example(**changes):
    return Study("s", {"p": Part(measure, ["a", "b"], ["x", "y"], seeds=2, inputs=7, **changes)}, page)


def keys(rows):
    return [(row["subject"], row["method"], row["seed"]) for row in rows]


EVERY = [(subject, method, seed) for subject in "ab" for method in "xy" for seed in (0, 1)]


def test_every_subject_meets_every_method_and_seed(studies, capsys):
    assert studies.run(example()) == 0
    assert keys(studies.rows("s/p")) == EVERY
    assert studies.page("s") == "p: 8 rows\n"
    assert "8/8 runs, 0 s: p b y seed 1" in capsys.readouterr().err


def test_methods_together_are_one_task(studies, capsys):
    studies.run(example(together=True))
    assert keys(studies.rows("s/p")) == EVERY
    assert "4/4 runs, 0 s: p b x, y seed 1" in capsys.readouterr().err


def test_a_run_replaces_what_it_ran_and_nothing_else(studies):
    studies.run(example())
    studies.run(example(), "--subject", "a", "--method", "x", "--seeds", "1", "--inputs", "9")
    rows = studies.rows("s/p")
    assert keys(rows) == [("a", "x", 0), *EVERY[2:]]
    assert [row["inputs"] for row in rows] == [9, *[7] * 6]


def test_resuming_runs_only_what_is_missing(studies, capsys):
    studies.run(example(), "--seeds", "1")
    studies.run(example(), "--resume")
    assert keys(studies.rows("s/p")) == EVERY
    assert "4/4 runs" in capsys.readouterr().err


def test_pairs_may_have_more_seeds_or_not_fit(studies):
    studies.run(example(more_seeds={("a", "x"): 3}, fits=lambda subject, method: subject + method != "by"))
    rows = keys(studies.rows("s/p"))
    assert [row for row in rows if row[:2] == ("a", "x")] == [("a", "x", seed) for seed in range(3)]
    assert not [row for row in rows if row[:2] == ("b", "y")]


def test_a_subject_that_cannot_run_is_skipped_with_a_line(studies, capsys):
    studies.run(example(missing=lambda subject: ["java"] if subject == "a" else []))
    assert {row["subject"] for row in studies.rows("s/p")} == {"b"}
    assert capsys.readouterr().err.startswith("a is skipped: it needs java.\n")


def test_a_run_that_fails_keeps_the_others(studies, capsys):
    failing = Study("s", {"p": Part(fail_on_b, ["a", "b"], ["x"])}, page)
    assert study.main(failing, ["--jobs", "1"]) == 1
    assert keys(studies.rows("s/p")) == [("a", "x", 0)]
    assert "p b x seed 0 failed with ValueError: no" in capsys.readouterr().err


def test_rows_of_another_machine_are_added_with_their_environment(studies, tmp_path):
    studies.run(example())
    (tmp_path / "p.jsonl").write_text('{"subject": "a", "method": "y", "seed": 5, "cpu": "another"}\n')
    studies.run(example(), "--add", str(tmp_path / "p.jsonl"))
    rows = studies.rows("s/p")
    assert keys(rows) == [*EVERY[:2], ("a", "y", 5), *EVERY[4:]]
    assert rows[2]["cpu"] == "another" != rows[0]["cpu"]


def test_a_name_that_the_study_does_not_know_is_an_error(capsys):
    with pytest.raises(SystemExit):
        study.main(example(), ["--subject", "c"])
    assert "invalid choice: 'c'" in capsys.readouterr().err


def test_tables_show_means_errors_and_targets():
    assert tables.spread([1.0, 3.0]) == "2.0 ± 1.0"
    assert tables.spread([12.4]) == "12"
    assert tables.times(3.0, 0.0) == "∞"
    assert tables.times(0.0, 0.0) == "-"
    row = tables.target("speed", "x", 2.0, {"value": 3.0, "detail": "here"})
    assert tables.targets([row])[-1] == "| speed | 3 x | at most 2 x | MISS | here |"
    assert tables.targets([row | {"least": True}])[-1].split(" | ")[-2] == "PASS"
