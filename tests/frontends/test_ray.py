"""The Ray engine, on a cluster that the test starts, with a worker killed in the middle."""

import time

import pytest

ray = pytest.importorskip("ray")

from rlcheck.cli.targets import Target  # noqa: E402
from rlcheck.engines import Plan  # noqa: E402
from rlcheck.engines.ray import ray_pool  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own.

SUBJECT = """
import time

def pairs(choose):
    return [choose(range(12)), choose(range(12))]

def ascending(pair):
    time.sleep(0.02)
    return pair[0] <= pair[1]
"""


@pytest.fixture
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=40)
    yield
    ray.shutdown()


def test_a_killed_actor_is_replaced_and_nothing_told_is_lost(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ray_subject.py").write_text(SUBJECT)
    target = Target("ray_subject.py::pairs", "ascending")
    engine = ray_pool(Plan(target.load, {}, 0), 1)
    deadline = time.monotonic() + 120.0
    told, killed = 0, None
    try:
        while not engine.stopped and time.monotonic() < deadline:
            engine.step(0.05)
            if engine.snapshot().unique_valid and not killed:
                told = engine.snapshot().unique_valid
                killed = engine._members[0].worker.actor
                ray.kill(killed)
    finally:
        engine.close()
    assert killed is not None
    assert 0 < told < 78
    assert told <= engine.snapshot().unique_valid == 78
    assert engine.stopped == "exhausted"
