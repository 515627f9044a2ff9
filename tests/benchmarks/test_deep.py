"""The study of the deep learners, on a small scale."""

import json

import pytest

for _package in ("torch", "greenlet", "quickjs"):
    pytest.importorskip(_package, reason=f"needs {_package}")

from benchmarks.deep import gpu, memory, run  # noqa: E402
from benchmarks.deep.javascript import compiles, program  # noqa: E402
from benchmarks.deep.maven import document, is_project  # noqa: E402

from benchmarks import pool, store  # noqa: E402
from rlcheck import Campaign  # noqa: E402


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    # Each worker would load PyTorch.
    monkeypatch.setattr(pool, "run", lambda measure, tasks, *, jobs, says: [measure(task) for task in tasks])
    return tmp_path


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("<project><modelVersion>4.0.0</modelVersion></project>", True),
        ("<project><build><plugins><plugin /><plugin /></plugins></build></project>", True),
        ("<project><properties><anything>test</anything></properties></project>", True),
        ("<project />", False),
        ("<build><plugins /></build>", False),
        ("<project><name /><name /></project>", False),  # Only once.
        ("<project><plugin /></project>", False),  # Not there.
        ('<project><name id="1" /></project>', False),
        ("<project>text<name /></project>", False),
        (
            "<project><dependencies><dependency><optional>jar</optional></dependency></dependencies></project>",
            False,
        ),
        ("<project><4.0.0 /></project>", False),  # No XML.
    ],
)
def test_a_project_is_read_as_strictly_as_by_maven(text, valid):
    assert is_project(text) is valid


@pytest.mark.parametrize(
    ("source", "valid"),
    [
        ("var a; while (a) break;", True),
        ("function a(b) { return b; }", True),
        ("throw a;", True),
        ("break;", False),
        ("return 1;", False),
        ("1 = 2;", False),
        ("a +;", False),
    ],
)
def test_a_program_is_valid_when_quickjs_compiles_it(source, valid):
    assert compiles(source) is valid


@pytest.mark.parametrize(("generator", "valid"), [(document, is_project), (program, compiles)])
def test_random_inputs_are_seldom_valid(generator, valid):
    summary = Campaign(generator, valid=valid, learner="uniform", coverage=(), seed=0).run(episodes=300)
    assert summary.episodes == 300
    assert summary.valid < 150


def test_a_small_study_gives_rows_and_a_page(results, capsys):
    pytest.importorskip("matplotlib")
    from benchmarks.deep import analyse

    few = ["--inputs", "40", "--seeds", "1", "--jobs", "1"]
    run.main([*few, "--subject", "maven", "--row", "RLCheck", "DQN, bootstrapped"])
    run.main([*few, "--subject", "javascript", "--row", "RLCheck"])
    run.main([*few, "--subject", "javascript", "--row", "DQN"])
    run.main([*few, "--subject", "lambda", "--row", "RLCheck", "Diverse"])
    rows = [json.loads(line) for line in (results / "deep/javascript.jsonl").read_text().splitlines()]
    assert [row["row"] for row in rows] == ["RLCheck", "DQN"]
    assert all(row["curve"][-1] == [40, row["valid"], row["unique_valid"]] for row in rows)
    memory.main(["--choices", "500", "--row", "DQN"])
    small = ["--core", "lstm", "--width", "16", "--layers", "1", "--lanes", "8", "--length", "4"]
    gpu.main([*small, "--seconds", "0.1", "--devices", "cpu", "--output", str(results / "deep/gpu.jsonl")])
    assert "choices/s by the network" in capsys.readouterr().out
    analyse.main([])
    page = (results / "deep/README.md").read_text()
    assert "times the seconds of RLCheck; at most 4" in page
    for part in ("| DQN | 1 |", "## Beside the study: lambda", "## Memory", "## CPU and GPU"):
        assert part in page
    assert "</svg>" in (results / "deep/maven.svg").read_text()


def test_runs_of_another_machine_are_added_with_their_environment(results, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    from benchmarks.deep import analyse

    few = ["--inputs", "20", "--seeds", "1", "--subject", "maven"]
    run.main([*few, "--row", "Random", "RLCheck"])
    run.main([*few, "--row", "RLCheck", "--output", str(tmp_path / "there")])
    made = tmp_path / "there/deep/maven.jsonl"
    row = json.loads(made.read_text())
    made.write_text(json.dumps({**row, "cpu": "99 of another", "seed": 7}) + "\n")
    analyse.main(["--add", str(made)])
    rows = [json.loads(line) for line in (results / "deep/maven.jsonl").read_text().splitlines()]
    assert [(row["row"], row["seed"]) for row in rows] == [("Random", 0), ("RLCheck", 7)]
    assert rows[1]["cpu"] == "99 of another" != rows[0]["cpu"]
    page = (results / "deep/README.md").read_text()
    assert rows[0]["cpu"] in page
    assert "99 of another" in page


def test_the_recurrent_learner_has_ten_seeds_on_javascript():
    tasks = run.tasks_of("javascript", ["Random", "Recurrent"], inputs=10, seeds=3)
    assert [task[1] for task in tasks] == ["Recurrent"] * 10 + ["Random"] * 3
