"""Workers: they share what they find, hangs and deaths cost one of them, and nothing told is lost."""

import os
import time
from functools import partial

import pytest

from rlcheck import Campaign
from rlcheck.cli.targets import Target
from rlcheck.engines import Plan, time_limit
from rlcheck.engines.isolation import isolated
from rlcheck.engines.local import LocalEngine
from rlcheck.engines.pool import WorkerDied, WorkerPool
from rlcheck.engines.processes import process_pool
from rlcheck.engines.sharing import add_counts
from rlcheck.engines.worker import FIRST, WorkerEngine
from rlcheck.errors import RlcheckError
from rlcheck.learners.diverse import Diverse
from rlcheck.report.blocks import unpack_inputs

SUBJECT = """
import ctypes, os, time

def pairs(choose):
    return [choose(range(40)), choose(range(40))]

def small(choose):
    return [choose(range(8)), choose(range(8))]

def ascending(pair):
    return pair[0] <= pair[1]

def exits(pair):
    if pair == [3, 3]:
        os._exit(7)

def crashes(pair):
    if pair == [3, 3]:
        ctypes.string_at(0)

def hangs(pair):
    while pair == [3, 3]:
        pass

calls = 0

def deaf(pair):
    # It hangs where no signal reaches it, but not during the first step.
    global calls
    calls += 1
    time.sleep(0.001)
    if calls > 100 and pair[0] == pair[1] == 3:
        sum(range(10**15))

def fails(pair):
    assert pair[0] < 5

def broken(choose):
    raise ValueError("mine")
"""


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool_subject.py").write_text(SUBJECT)

    def make(generator="pairs", valid=None, test=None, learner="diverse", seed=0, **arguments):
        target = Target(f"{tmp_path / 'pool_subject.py'}::{generator}", valid, test)
        return Plan(target.load, {"learner": learner}, seed, **arguments)

    return make


def record():
    return [0] * (FIRST + 9)


def finished(engine, seconds=600.0):
    deadline = time.monotonic() + seconds
    try:
        while not engine.stopped and time.monotonic() < deadline:
            engine.step(0.1)
    finally:
        engine.close()
    return engine.snapshot()


def blocks_of(engine):
    block, _ = engine.take()
    while block:
        yield from unpack_inputs(block)
        block, _ = engine.take()


def test_in_this_process_it_is_a_campaign(plan):
    made = plan(valid="ascending", episodes=700)
    engine = LocalEngine(made, made.load())
    snapshot = finished(engine)
    subject = made.load()
    summary = Campaign(subject.generator, valid=subject.valid, seed=0).run(700)
    assert (snapshot.episodes, snapshot.valid, snapshot.unique_valid) == (
        700,
        summary.valid,
        summary.unique_valid,
    )
    assert (snapshot.shapes, snapshot.effective_shapes) == (summary.shapes, summary.effective_shapes)
    assert len(list(blocks_of(engine))) == summary.unique_valid
    assert engine.stopped == "episodes"


def test_two_workers_find_everything_and_almost_nothing_twice(plan):
    engine = process_pool(plan("small", "ascending"), 2)
    snapshot = finished(engine)
    assert engine.stopped == "exhausted"
    assert snapshot.unique_valid == 36
    assert snapshot.shapes == snapshot.effective_shapes == 1, "pairs of numbers have one shape"
    assert {tuple(choices) for choices in blocks_of(engine)} >= {
        (a, b) for a in range(8) for b in range(a, 8)
    }


def test_a_learner_avoids_what_others_have_made():
    learner = Diverse(seed=0)
    taken = [[a, b] for a in range(4) for b in range(4) if (a, b) != (2, 1)]
    for choices in taken:
        learner.avoid([*choices, 0], [4, 4, 1])
    made = []
    campaign = Campaign(
        lambda choose: [choose(range(4)), choose(range(4)), choose([7])],
        learner=learner,
        seed=0,
        observers=[lambda episode: made.append(list(episode.choices))],
    )
    assert campaign.run(100).stopped == "exhausted"
    assert made == [[2, 1, 0]]


@pytest.mark.parametrize("learner", ["monte-carlo", "sarsa-lambda"])
def test_tables_merge_by_counts(plan, learner):
    first, second = (
        WorkerEngine(plan(valid="ascending", learner=learner, seed=seed, episodes=300), 0.5, record())
        for seed in (0, 1)
    )
    told = [worker.step(60.0, [], []).findings for worker in (first, second)]
    second.step(0.0, [told[0]], [])
    expected = dict(told[0].counts)
    add_counts(expected, told[1].counts)
    assert sum(count for count, _ in told[0].counts.values()) == 2 * 300
    assert learned(second) == {key: pytest.approx(counts) for key, counts in expected.items()}
    # What was heard is not told again.
    assert second.step(0.0, [], []).findings.counts == {}


def learned(worker):
    return worker._engine.campaign.guide.learner.counts()


def test_the_table_of_two_processes_holds_the_sum_of_their_counts(plan):
    engine = process_pool(plan("small", learner="monte-carlo", episodes=600), 2)
    assert finished(engine).episodes == 600
    counts = engine.counts
    points = {name for name, _, _, _ in counts}
    assert len(points) == 2  # By their place in the code, and not by the process that met them.
    for point in points:
        assert sum(count for (name, *_), (count, _) in counts.items() if name == point) == 600
    # Of the first choice there is one state, of the second one for each first choice: in both processes.
    assert len({state for _, state, _, _ in counts}) <= 9


def test_a_worker_takes_for_seen_what_others_have_seen(plan):
    first, second = (
        WorkerEngine(plan("small", learner="monte-carlo", seed=seed, episodes=400), 0.5, record())
        for seed in (0, 1)
    )
    told = first.step(60.0, [], []).findings
    assert not set(second.step(60.0, [told], []).findings.digests) & set(told.digests)


def test_findings_say_how_many_options_there_were(plan):
    worker = WorkerEngine(plan("small", episodes=30), 1.0, record())
    findings = worker.step(60.0, [], []).findings
    assert unpack_inputs(findings.sizes) == [[8, 8]] * 30
    other = WorkerEngine(plan("small", seed=1), 1.0, record())
    made = other.step(60.0, [findings], [])
    assert made.stopped == "exhausted"
    assert made.inputs == 34


def test_failures_of_workers_are_one_for_each_place(plan):
    engine = process_pool(plan(test="fails", episodes=400), 2)
    snapshot = finished(engine)
    assert snapshot.episodes == 400
    (found,) = engine.failures.values()
    assert found.place.startswith("AssertionError at pool_subject.py:")
    assert not found.isolated


@pytest.mark.parametrize(
    ("test", "place"),
    [("exits", "ended the interpreter with exit code 7"), ("crashes", "killed the interpreter: SIG")],
)
def test_a_death_costs_a_worker_and_is_recorded(plan, test, place):
    engine = process_pool(plan("small", test=test), 1)
    snapshot = finished(engine)
    assert engine.stopped == "exhausted"
    (found,) = engine.failures.values()
    assert found.place.startswith(place)
    assert (found.choices, found.count, found.isolated) == ([3, 3], 1, True)
    assert snapshot.episodes >= 63  # What was found since the last step is made again.


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="there are no alarms here")
def test_a_hanging_input_fails_and_the_worker_lives(plan):
    engine = process_pool(plan("small", test="hangs", timeout=1.0), 1)
    snapshot = finished(engine)
    assert engine.stopped == "exhausted"
    assert snapshot.unique_valid == 64
    (found,) = engine.failures.values()
    assert (found.place, found.choices, found.isolated) == (
        "TimedOut in hangs, pool_subject.py",
        [3, 3],
        True,
    )


def test_one_that_hears_no_signal_is_killed(plan, monkeypatch):
    monkeypatch.setattr(time_limit, "_LEAST", 1.0)
    engine = process_pool(plan("small", test="deaf", learner="uniform", episodes=450, timeout=0.1), 1)
    finished(engine)
    (found,) = engine.failures.values()
    assert found.place.startswith("hung outside of Python")
    assert found.choices == [3, 3]


def test_what_a_worker_raises_is_raised(plan):
    engine = process_pool(plan("broken", episodes=10), 1)
    with pytest.raises(RlcheckError, match="raised ValueError: mine"):
        finished(engine)


class DeadOnStart:
    def __init__(self, plan, share):
        pass

    def begin_step(self, seconds, findings, fatal):
        pass

    def result(self):
        raise WorkerDied("no reason", None)

    def stop(self):
        pass


def test_workers_that_cannot_start_end_the_campaign(plan):
    engine = WorkerPool(plan(), 2, start=DeadOnStart, ready=lambda workers, seconds: list(workers))
    with pytest.raises(RlcheckError, match="died before they tested anything: no reason"):
        engine.step(1.0)


def test_isolation_says_what_came_back_or_why_not():
    assert isolated(int, "3", seconds=30.0) == (True, 3)
    assert isolated(os._exit, 3, seconds=30.0) == (False, "exit code 3")
    assert isolated(partial(time.sleep, 60), seconds=0.5) == (False, "no end after 0.5 s")
