"""The Cosmos SDK's simulation: the source that is told n, states with a history, the learner, the page."""

import os
import subprocess

import pytest
from benchmarks.cosmos import install
from benchmarks.cosmos.episodes import METHODS, States, coverage_of, failure_of
from benchmarks.cosmos.streams import Streams
from benchmarks.cosmos.study import STUDY
from tests.toolchains import find_go

from rlcheck import Guide, Outcome
from rlcheck.frontends.random.external import VARIABLE, Run, Subject
from rlcheck.frontends.random.recording import write_actions

RAND = """
func (r *Rand) Int63n(n int64) int64 {
}
func (r *Rand) Int31n(n int32) int32 {
}
func (r *Rand) Float64() float64 {
}
"""


def test_the_source_is_told_how_many_options_there_are():
    told = install.telling(RAND).splitlines()
    assert "return int64(told.Int63n(n))" in told[told.index("func (r *Rand) Int63n(n int64) int64 {") + 1]
    assert "return int32(told.Int63n(int64(n)))" in "\n".join(told)
    assert "return float64(told.Float64())" in "\n".join(told)


def test_another_math_rand_is_refused():
    with pytest.raises(RuntimeError, match="Int31n"):
        install.telling(RAND.replace("Int31n", "Int30n"))


@pytest.mark.parametrize(
    ("history", "state"),
    [
        ("", (("main", "b"),)),
        ("S", ((("main", "a"),), (("main", "b"),), ("main", "b"))),
        ("A", ((0,), (0,), ("main", "b"))),
        ("R", ((True,), (False,), ("main", "b"))),
        ("SAR", ((("main", "a"), 0, True), (("main", "b"), 0, False), ("main", "b"))),
    ],
)
def test_a_state_has_the_history_of_its_row(history, state):
    asked = []

    class First(Streams):
        def select(self, point, state, n):
            asked.append(state)
            return 0

    guide = Guide(First(), seed=0)
    guide.start()
    states = States(history)
    states.ask(guide, 3, ("main", "a", "source"))
    states.covered(0.5)
    states.ask(guide, 3, ("main", "b", "source"))
    states.covered(0.5)
    states.ask(guide, 3, ("main", "b", "source"))
    assert asked[-1] == state


def run_once(guide, worth, draws=50):
    guide.start()
    made = [guide.choose(range(1000), at="here", state=place % 2) for place in range(draws)]
    guide.reward(worth(made))
    guide.finish(Outcome.VALID)
    return made


def test_streams_climb_from_the_best_episode():
    guide = Guide(Streams(), seed=0)
    made = [run_once(guide, sum) for _ in range(200)]
    assert max(map(sum, made[:10])) < 1.2 * sum(made[0])
    assert sum(made[-1]) > 1.2 * max(map(sum, made[:10]))


def test_streams_repeat_each_state_by_itself():
    guide = Guide(Streams(), seed=0)
    made = [run_once(guide, lambda made: float(len(made) == 50)) for _ in range(11)]
    shorter = run_once(guide, lambda made: 0.0, draws=20)
    same = sum(a == b for a, b in zip(made[10], shorter, strict=False))
    assert same >= 15


def test_what_a_run_says_is_read():
    run = Run()
    run.log = "coverage 0.073273 draws 8929\npanic: invalid coins: 0x7f12 at 17 [recovered]\n"
    assert coverage_of(run.log) == 0.073273
    assert failure_of(run) == "panic: invalid coins: N at N [recovered]"
    assert coverage_of("") == 0.0


def test_the_page_sets_every_row_beside_the_paper():
    rows = [
        {
            "row": name,
            "seed": seed,
            "best": 0.07 + 0.001 * (name == "CS") + 0.0001 * seed,
            "blocks": 10,
            "operations": 10,
            "coverages": [0.06, 0.07],
            "draws": 60_010,
            "failures": ["panic: N"] if name == "CS-A" else [],
            "rlcheck": "0",
            "compiled": False,
            "python": "3",
            "machine": "x",
        }
        for name in METHODS
        for seed in range(5)
    ]
    page = STUDY.page({"rows": rows})
    assert "| CS | 7.120 ± 0.016 | 0.000 | 7.000 ± 0.000 | 1.000 | 2 |" in page
    assert "11.876 ± 0.008 | 0.012 |" in page
    assert "- PASS: best chain, above random with p < 0.01: CS; below: none." in page
    assert "- `panic: N`: CS-A" in page


@pytest.fixture(scope="module")
def program():
    find_go(25)
    install.build()
    return [
        str(install.PROGRAM),
        "-test.v",
        "-test.run",
        "TestSimulation",
        "-blocks",
        "3",
        "-operations",
        "5",
    ]


@pytest.mark.heavy
def test_a_chain_is_guided_and_replays_without_a_guide(program, tmp_path):
    guide = Guide("uniform", seed=3, max_choices=50_000)
    guide.start()
    stacks = set()

    def answer(n, stack):
        stacks.add(stack)
        return guide.choose(range(n), at=stack[-1], state=stack)

    covered = []
    run = Subject(program, timeout=600.0).run(answer, covered.append)
    assert run.ended in ("pass", "invalid"), run.log
    assert len(run.pairs) > 500
    assert len(stacks) > 50
    assert covered == sorted(covered), "coverage is reported while the chain runs"
    assert 0.03 < coverage_of(run.log) < 0.2
    write_actions(tmp_path / "chain.jsonl", run.pairs)
    environment = os.environ | {VARIABLE: str(tmp_path / "chain.jsonl")}
    again = subprocess.run(program, env=environment, capture_output=True, text=True, check=True, timeout=600)
    assert coverage_of(again.stdout) == pytest.approx(coverage_of(run.log), rel=0.01)
    assert f"draws {len(run.pairs)}\n" in again.stdout
