"""The planted bugs: each can be found, and what is right never fails."""

from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

import pytest
from benchmarks.bugs.hunt import METHODS, Hunt, hunt
from benchmarks.bugs.study import STUDY
from benchmarks.bugs.workloads import WORKLOADS

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
    assert sum(len(workload.tasks()) for workload in WORKLOADS.values()) >= 200


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
    summary = campaign.run(episodes=1_000)
    assert summary.valid < 700
    assert not summary.failures


def test_a_short_run_gives_rows_and_a_page(studies):
    budget = ["--seconds", "0.02", "--seeds", "2"]
    assert studies.run(STUDY, *budget, "--subject", "avl", "crdt", "--method", "uniform", "hand-written") == 0
    for part, subject in (("tasks", "avl"), ("held-out", "crdt")):
        assert [(row["subject"], row["method"], row["seed"]) for row in studies.rows(f"bugs/{part}")] == [
            (subject, method, seed) for method in ("uniform", "hand-written") for seed in range(2)
        ]
    assert "| avl | 27 |" in studies.page("bugs")
    assert "Held-out tasks" in studies.page("bugs")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_hunts(method):
    workload = WORKLOADS["rope"]
    few = replace(workload, bugs=dict(islice(workload.bugs.items(), 2)))
    found = hunt(few, method, 0, 0.01)
    assert found["tasks"] == len(few.tasks())
    assert found["inputs"] > 0
    assert found["found"].keys() <= {task.name for task in few.tasks()}


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
