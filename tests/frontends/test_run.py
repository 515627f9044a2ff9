"""`rlcheck run` and what is kept of it: list, show, replay, report, corpus."""

import json
import random
import subprocess
import sys

import pytest

from rlcheck import Campaign
from rlcheck.cli.main import main
from rlcheck.report.store import Store

SUBJECT = """
import rlcheck

def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(1, 6)))]

def ascending(xs):
    return xs == sorted(xs)

def small(xs):
    assert sum(xs) < 20, "too large"
    if len(xs) == 3 and xs[0] == 4:
        raise KeyError("three")

def talks(xs):
    print("noise")

def exits(xs):
    if len(xs) > 1:
        raise SystemExit(5)

def broken(choose):
    raise ValueError("mine")

@rlcheck.settings(seed=3, episodes=300)
@rlcheck.given(xs=numbers)
def test_small(xs):
    rlcheck.assume(ascending(xs))
    small(xs)

@rlcheck.given(xs=numbers)
def test_with_fixture(tmp_path, xs):
    pass

later = 3
"""

HYPOTHESIS = """
from hypothesis import HealthCheck, assume, given, settings, strategies as st

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # On a busy machine too.

@patient
@given(st.lists(st.integers(0, 9)))
def test_short(xs):
    assume(xs == sorted(xs))
    assert len(xs) < 4

@patient
@given(st.integers())
def test_fine(x):
    pass

@given(st.integers())
def test_fixture(capsys, x):
    pass
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"subject_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(SUBJECT)
    (tmp_path / f"{name}_hypothesis.py").write_text(HYPOTHESIS)
    return name


def run_json(capsys, *arguments):
    code = main(["run", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_generator_with_its_precondition(folder, capsys):
    code, told = run_json(
        capsys, f"{folder}.py::numbers", "--valid", "ascending", "--episodes", "500", "--seed", "1"
    )
    alone = Campaign(**generator_of(folder), seed=1).run(500)
    assert code == 0
    assert (told["episodes"], told["valid"], told["unique_valid"]) == (500, alone.valid, alone.unique_valid)
    assert (told["shapes"], told["effective_shapes"]) == (alone.shapes, alone.effective_shapes)
    assert told["stopped"] == "episodes"


def generator_of(folder):
    import importlib

    module = importlib.import_module(folder)
    return {"generator": module.numbers, "valid": module.ascending}


def test_a_module_is_a_target_too(folder, capsys):
    code, told = run_json(capsys, f"{folder}:numbers", "--episodes", "50")
    assert (code, told["episodes"]) == (0, 50)


def test_a_failing_property_is_shrunk_and_its_script_runs(folder, capsys):
    pytest.importorskip("hypothesis")
    code, told = run_json(capsys, f"{folder}.py::test_small", "--episodes", "3000")
    assert code == 1
    messages = {failure["message"] for failure in told["failures"]}
    assert messages == {"AssertionError: too large", "KeyError: 'three'"}
    (large,) = [failure for failure in told["failures"] if "large" in failure["message"]]
    shrunk = eval(large["input"])["xs"]
    assert sum(shrunk) == 20
    done = subprocess.run(
        [sys.executable, "-c", large["snippet"]], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 1
    assert "too large" in done.stderr
    assert main(["show", large["id"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["choices"] == large["choices"]  # Shrunk, not as it was found.


def test_the_same_seed_gives_the_same_output(folder, capsys):
    told = [run_json(capsys, f"{folder}.py::test_small", "--no-save")[1] for _ in range(2)]
    for one in told:
        for run in [one, *one["runs"]]:
            run.pop("seconds")
    assert told[0] == told[1]
    assert told[0]["seed"] == 3
    assert told[0]["episodes"] == 300


def test_known_failures_are_replayed_first_and_marked_fixed(folder, capsys, tmp_path):
    code, told = run_json(
        capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "2000", "--seed", "1"
    )
    assert code == 1
    numbers = {failure["id"] for failure in told["failures"]}
    code, told = run_json(capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "1")
    assert {failure["id"] for failure in told["failures"]} == numbers
    path = tmp_path / f"{folder}.py"
    path.write_text(path.read_text().replace("sum(xs) < 20", "True").replace("raise KeyError", "str"))
    del sys.modules[folder]
    code, told = run_json(capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "50")
    assert (code, told["failures"], set(told["fixed"])) == (0, [], numbers)
    code, told = run_json(capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "50")
    assert told["fixed"] == []


def test_a_failure_that_no_longer_fits_is_stale(folder, capsys, tmp_path):
    run_json(capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "2000")
    path = tmp_path / f"{folder}.py"
    path.write_text(path.read_text().replace("range(1, 6)", "range(1, 2)"))
    del sys.modules[folder]
    code, told = run_json(capsys, f"{folder}.py::numbers", "--test", "small", "--episodes", "5")
    assert code == 0
    assert told["stale"]
    assert main(["run", f"{folder}.py::numbers", "--test", "small", "--episodes", "5"]) == 0
    assert "stale: f1 no longer fits" in capsys.readouterr().out


def test_compare_races_two_learners(folder, capsys):
    code, told = run_json(
        capsys, f"{folder}.py::numbers", "--valid", "ascending", "--compare", "uniform", "--episodes", "2000"
    )
    assert code == 0
    first, second = told["runs"]
    assert (first["learner"], second["learner"]) == ("diverse", "uniform")
    assert first["unique_valid"] > second["unique_valid"]
    assert first["episodes"] == second["episodes"] == 2000
    store = Store()
    assert store.run(second["id"]).raced == first["id"]
    store.close()


def test_json_is_all_that_is_printed(folder, capsys):
    code, told = run_json(capsys, f"{folder}.py::numbers", "--test", "talks", "--episodes", "20")
    assert (code, told["failures"]) == (0, [])


def test_in_words(folder, capsys):
    assert main(["run", f"{folder}.py::test_small", "--compare", "uniform"]) == 1
    said = capsys.readouterr().out
    for words in (
        "diverse: 300 inputs",
        "seed 3",
        "stopped: episodes",
        "times the unique valid",
        "FAILED (f1)",
    ):
        assert words in said
    assert "    rlcheck.replay(test_small, " in said


def test_list_and_show(folder, capsys):
    run_json(capsys, f"{folder}.py::test_small")
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert f"{folder}.py::test_small  diverse: 300 inputs" in said
    assert "f1" in said
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["runs"][0]["episodes"] == 300
    assert main(["show", "1"]) == 0
    said = capsys.readouterr().out
    for words in (
        "run 1 of",
        "stopped: episodes; seed 3",
        "sampled inputs: assume() in test_small",
        "an input: ",
    ):
        assert words in said
    assert main(["show", "f1"]) == 0
    assert "Reproduce with:" in capsys.readouterr().out
    assert main(["show", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"][0]["id"] == "f1"


def test_replay_by_number_and_by_file(folder, capsys, tmp_path):
    _, told = run_json(capsys, f"{folder}.py::test_small", "--episodes", "100")
    (tmp_path / "run.json").write_text(json.dumps(told))
    assert main(["show", "f1", "--json"]) == 0
    (tmp_path / "failure.json").write_text(capsys.readouterr().out)
    for what in ("f1", "1", "run.json", "failure.json"):
        assert main(["replay", what, "--json"]) == 1
        said = capsys.readouterr()
        assert all(failure["fails"] for failure in json.loads(said.out)["failures"])
        assert "still fails" in said.err
    path = tmp_path / f"{folder}.py"
    path.write_text(path.read_text().replace("sum(xs) < 20", "True").replace("raise KeyError", "str"))
    del sys.modules[folder]
    assert main(["replay", "failure.json"]) == 0
    assert "passes now" in capsys.readouterr().out


def test_recorded_actions_go_to_their_front_end(capsys, tmp_path, monkeypatch):
    from types import SimpleNamespace

    replayed = []
    monkeypatch.setitem(
        sys.modules,
        "rlcheck.frontends.random.external",
        SimpleNamespace(replay=lambda path, say: replayed.append(path) or 0),
    )
    monkeypatch.setattr(
        "rlcheck.frontends.random.external", sys.modules["rlcheck.frontends.random.external"], raising=False
    )
    (tmp_path / "actions").write_text('{"rlcheck": "actions", "version": 1}\n{"n": 3, "index": 1}\n')
    assert main(["replay", "actions"]) == 0
    assert main(["replay", "actions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == [{"target": "actions", "fails": False}]
    assert replayed == ["actions", "actions"]


def test_a_policy_is_where_the_last_run_ended(folder, capsys, tmp_path):
    arguments = [f"{folder}.py::numbers", "--valid", "ascending", "--seed", "1"]
    run_json(capsys, *arguments, "--episodes", "500")
    code, told = run_json(capsys, *arguments, "--episodes", "50", "--policy", "1")
    assert (code, told["valid"]) == (0, 50)
    campaign = Campaign(**generator_of(folder), seed=1)
    campaign.run(500)
    campaign.save(tmp_path / "policy")
    code, told = run_json(capsys, *arguments, "--episodes", "50", "--policy", "policy")
    assert (code, told["valid"]) == (0, 50)
    (tmp_path / "policy").write_text("{")
    assert main(["run", *arguments, "--episodes", "5", "--policy", "policy"]) == 0
    assert "rlcheck: policy='policy' cannot be used" in capsys.readouterr().err


def test_the_corpus_is_exported_as_files(folder, capsys, tmp_path):
    run_json(capsys, f"{folder}.py::numbers", "--valid", "ascending", "--episodes", "200", "--seed", "1")
    assert main(["corpus", "export", "out", "--most", "7"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "out" / "index.jsonl").read_text().splitlines()]
    assert len(rows) == 7
    for row in rows:
        made = eval((tmp_path / "out" / row["file"]).read_text())
        assert made == sorted(made)
        assert made == row["choices"][1:]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.py::x"], "there is no file nowhere.py"),
        (["nothing"], "must be path/to/file.py::name or package.module:name"),
        (["no_such_module:x"], "cannot be imported: ModuleNotFoundError"),
        (["{}.py::numbrs"], "Did you mean 'numbers'?"),
        (["{}.py::numbers", "--valid", "ascend"], "Did you mean 'ascending'?"),
        (["{}.py::later"], "generator=3 must be a function"),
        (["{}.py::numbers", "--learner", "divers"], "Did you mean 'diverse'?"),
        (["{}.py::numbers", "--episodes", "0"], "episodes=0 must be an integer above 0"),
        (["{}.py::numbers", "--workers", "0"], "--workers=0 must be an integer of at least 1"),
        (["{}.py::numbers", "--workers", "2", "--compare", "uniform"], "leave out --workers"),
        (["{}.py::numbers", "--ray-address", "x"], "--ray-address is for --engine ray"),
        (["{}.py::numbers", "--policy", "7"], "run 7 is not in"),
        (["{}.py::test_small", "--valid", "ascending"], "are for generators"),
        (["{}.py::test_with_fixture"], "has parameters that pytest fills: tmp_path"),
        (["{}.py::numbers", "--test", "exits"], "raised SystemExit, which ends a campaign"),
        (["{}.py::broken"], "the generator or `valid` raised ValueError: mine"),
        (["{}_hypothesis.py::test_fixture"], "has parameters that pytest fills: capsys"),
        (["{}_hypothesis.py::test_fine", "--learner", "uniform"], "a Hypothesis test is run by Hypothesis"),
    ],
)
def test_misuse_is_told_and_2(folder, capsys, arguments, said):
    pytest.importorskip("hypothesis")
    assert main(["run", *(argument.format(folder) for argument in arguments)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


def test_what_ends_a_worker_is_replayed_in_a_process_of_its_own(folder, capsys, tmp_path):
    arguments = [
        f"{folder}.py::numbers",
        "--test",
        "exits",
        "--workers",
        "1",
        "--episodes",
        "3",
        "--seed",
        "1",
    ]
    code, told = run_json(capsys, *arguments)
    assert code == 1
    (failure,) = told["failures"]
    assert failure["place"] == "ended the interpreter with exit code 5"
    assert failure["choices"][0] > 0
    assert len(eval(failure["input"])) > 1
    assert main(["replay", "f1"]) == 1
    assert "exit code 5" in capsys.readouterr().out
    path = tmp_path / f"{folder}.py"
    path.write_text(path.read_text().replace("SystemExit(5)", "ValueError").replace("> 1:", "> 99:"))
    del sys.modules[folder]
    code, told = run_json(capsys, *arguments)
    assert (code, told["fixed"]) == (0, ["f1"])


def test_a_hypothesis_test(folder, capsys):
    pytest.importorskip("hypothesis")
    code, told = run_json(capsys, f"{folder}_hypothesis.py::test_fine", "--episodes", "50", "--seed", "1")
    assert code == 0
    assert told["episodes"] >= 40
    code, told = run_json(capsys, f"{folder}_hypothesis.py::test_short", "--seed", "1")
    assert code == 1
    (failure,) = told["failures"]
    assert "[0, 0, 0, 0]" in failure["input"]
    done = subprocess.run(
        [sys.executable, "-c", failure["snippet"]], capture_output=True, text=True, timeout=600
    )
    assert "AssertionError" in done.stderr
    assert main(["replay", "f1"]) == 1
    assert "AssertionError" in capsys.readouterr().out
    path = sys.modules[f"{folder}_hypothesis"].__file__
    with open(path, encoding="utf-8") as source:
        text = source.read()
    with open(path, "w", encoding="utf-8") as source:
        source.write(text.replace("len(xs) < 4", "True"))
    del sys.modules[f"{folder}_hypothesis"]
    code, told = run_json(capsys, f"{folder}_hypothesis.py::test_short", "--seed", "1")
    assert (code, told["fixed"]) == (0, ["f1"])


def test_two_hundred_broken_files_are_told(folder, capsys, tmp_path):
    run_json(capsys, f"{folder}.py::test_small")
    database = tmp_path / ".rlcheck" / "runs.db"
    whole = database.read_bytes()
    policy = tmp_path / "policy"
    Campaign(**generator_of(folder), seed=1).save(policy)
    whole_policy = policy.read_bytes() * 3
    rng = random.Random(0)
    refused = 0
    for number in range(200):
        broken = bytearray(whole if number % 2 else whole_policy)
        if number % 3:
            for _ in range(rng.choice([1, 10, 1_000])):
                broken[rng.randrange(len(broken))] = rng.randrange(256)
        else:
            del broken[rng.randrange(len(broken)) :]
        for path in tmp_path.glob(".rlcheck/runs.db*"):
            path.unlink()
        if number % 2:
            database.write_bytes(broken)
            command = rng.choice(
                [["list"], ["show", "1"], ["show", "f1"], ["report"], ["doctor"], ["replay", "f1"]]
            )
        else:
            policy.write_bytes(broken)
            command = ["run", f"{folder}.py::numbers", "--episodes", "2", "--policy", "policy", "--no-save"]
        code = main(command)
        said = capsys.readouterr().err
        assert code in (0, 1, 2), command
        if code == 2:
            refused += 1
            assert said.startswith("rlcheck: "), said
    assert refused > 20


def test_a_broken_database_does_not_stop_a_run(folder, capsys, tmp_path):
    (tmp_path / ".rlcheck").mkdir()
    (tmp_path / ".rlcheck" / "runs.db").write_bytes(b"nonsense" * 1_000)
    code = main(["run", f"{folder}.py::test_small", "--json"])
    said = capsys.readouterr()
    assert code == 1
    assert said.err.count("goes on in memory") == 1
    assert json.loads(said.out)["runs"][0]["id"] is None
    assert (tmp_path / ".rlcheck" / "runs.db").read_bytes() == b"nonsense" * 1_000


def test_a_race_that_cannot_begin_is_no_run(folder, capsys):
    pytest.importorskip("hypothesis")
    assert main(["run", f"{folder}_hypothesis.py::test_fine", "--compare", "uniform"]) == 2
    capsys.readouterr()
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == []
