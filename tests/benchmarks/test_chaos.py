"""A minute of chaos: damaged files, killed runs, and the same seed in other processes."""

from random import Random

import pytest
from benchmarks.chaos import files, study


@pytest.mark.parametrize("kind", [kind for kind in files.KINDS if kind != "checkpoint"])
def test_damaged_files_are_read_or_refused(kind):
    found = files.damage(kind, 40, seed=1)
    assert found["first"] == ""
    assert found.get("accepted", 0) + found.get("refused", 0) == 40


def test_a_killed_run_loses_nothing_and_leaves_nothing(studies):
    assert studies.run(study.STUDY, "--part", "kills", "--inputs", "3", "--subject", "two workers") == 0
    (row,) = studies.rows("chaos/kills")
    assert (row["kills"], row.get("lost", 0), row.get("damaged", 0), row["orphans"]) == (3, 0, 0, 0)
    assert "| two workers | 3 |" in studies.page("chaos")


def test_the_same_seed_makes_the_same_choices_in_every_process(studies):
    learners = ["diverse", "monte-carlo", "portfolio"]
    assert studies.run(study.STUDY, "--part", "same", "--inputs", "2", "--subject", *learners) == 0
    assert {row["digests"] for row in studies.rows("chaos/same")} == {1}


def test_a_long_campaign_is_looked_at_in_ten_steps(studies):
    assert studies.run(study.STUDY, "--part", "long", "--inputs", "200", "--subject", "uniform") == 0
    (row,) = studies.rows("chaos/long")
    assert (row["inputs"], len(row["rates"]), len(row["megabytes"])) == (200, 10, 10)
    assert "| uniform | 200 |" in studies.page("chaos")


def test_mutations_change_content():
    rng = Random(0)
    made = {files.mutated(b'{"n": 6}', rng) for _ in range(200)}
    assert len(made) > 100
