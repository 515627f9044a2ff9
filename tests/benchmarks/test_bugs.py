"""The planted bugs: each can be found, and what is right never fails."""

from itertools import islice
from math import inf
from random import Random

import pytest
from benchmarks.bugs.hunt import Hunt, hunt
from benchmarks.bugs.study import STUDY
from benchmarks.bugs.workloads import TASKS, WORKLOADS

from rlcheck import Campaign

#: How many inputs of the hand-written generators find every bug.
ENOUGH = 8_000
EACH = pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)


def inputs(workload):
    """Return inputs of the hand-written generator, the same each time."""
    random = Random(0)
    return (workload.handwritten(random) for _ in range(ENOUGH))


def fails(test, value):
    try:
        test(value)
    except Exception:
        return True
    return False


def test_there_are_enough_tasks():
    assert len(WORKLOADS) >= 12
    assert len(TASKS) >= 200


@EACH
def test_the_hand_written_generator_finds_every_bug(workload):
    missed = {task.name: task.test() for task in workload.tasks()}
    for value in inputs(workload):
        missed = {name: test for name, test in missed.items() if not fails(test, value)}
        if not missed:
            break
    assert list(missed) == []


@EACH
def test_what_is_right_never_fails(workload):
    right = workload.implementation("")
    for value in islice(inputs(workload), 1_000):
        assert workload.valid(value)
        for name, holds in workload.properties.items():
            assert holds(right, value), f"{name}: {value}"


@EACH
def test_naive_inputs_are_seldom_valid_and_do_not_fail_what_is_right(workload):
    right = workload.implementation("")

    def test(value):
        assert all(holds(right, value) for holds in workload.properties.values())

    campaign = Campaign(workload.generator, valid=workload.valid, test=test, learner="uniform", seed=0)
    summary = campaign.run(episodes=5_000)
    assert summary.valid < 3_500
    assert not summary.failures


def test_a_short_run_gives_rows_and_a_page(studies):
    arguments = ["--subject", "avl", "trie", "--seconds", "0.1", "--seeds", "2", "--part", "tasks"]
    assert studies.run(STUDY, *arguments, "--method", "uniform", "diverse", "hypothesis", "hand-written") == 0
    rows = studies.rows("bugs/tasks")
    assert len(rows) == 2 * 4 * 2
    assert all(
        row["found"].keys() <= {f"{task.bug}/{task.property}" for task in TASKS.values()} for row in rows
    )
    assert "| avl | 27 |" in studies.page("bugs")


@pytest.mark.parametrize("method", ["zest", "rlcheck-backend"])
def test_a_method_runs_all_tasks(method):
    found = hunt(WORKLOADS["json"], method, 0, 0.01)
    assert found["tasks"] == len(WORKLOADS["json"].tasks())
    assert found["inputs"] > 0


def test_a_hunt_is_over_when_all_bugs_are_found():
    workload = WORKLOADS["rope"]
    hunted = Hunt(workload.tasks(), seconds=inf)
    for value in inputs(workload):
        if hunted.enough:
            break
        hunted.accept(value)
    assert hunted.enough
    assert len(hunted.found) == len(workload.tasks())


def test_what_is_found_too_late_does_not_count():
    hunted = Hunt(WORKLOADS["rope"].tasks(), seconds=0)
    hunted.accept(next(inputs(WORKLOADS["rope"])))
    assert hunted.enough
    assert not hunted.found
