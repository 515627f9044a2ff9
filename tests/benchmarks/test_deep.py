"""The study of the deep learners, on a small scale."""

import pytest

for _package in ("torch", "greenlet", "quickjs"):
    pytest.importorskip(_package, reason=f"needs {_package}")

from benchmarks.deep import gpu, study  # noqa: E402
from benchmarks.deep.javascript import compiles, program  # noqa: E402
from benchmarks.deep.maven import document, is_project  # noqa: E402

from rlcheck import Campaign  # noqa: E402


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


def test_a_small_study_gives_rows_and_a_page(studies, monkeypatch):
    pytest.importorskip("matplotlib")
    for name, value in (("WIDTH", 16), ("LAYERS", 1), ("LANES", 8), ("LENGTH", 4)):
        monkeypatch.setattr(gpu, name, value)
    few = ["--inputs", "40", "--seeds", "1", "--part"]
    studies.run(study.STUDY, *few, "maven", "--method", "RLCheck", "DQN, bootstrapped")
    studies.run(study.STUDY, *few, "javascript", "--method", "RLCheck")
    studies.run(study.STUDY, *few, "javascript", "--method", "DQN")
    studies.run(study.STUDY, *few, "lambda", "--method", "RLCheck", "Diverse")
    rows = studies.rows("deep/javascript")
    assert [row["row"] for row in rows] == ["RLCheck", "DQN"]
    assert all(row["curve"][-1] == [40, row["valid"], row["unique_valid"]] for row in rows)
    studies.run(study.STUDY, "--inputs", "500", "--part", "memory", "--method", "DQN")
    studies.run(study.STUDY, "--part", "gpu", "--subject", "cpu", "--method", "lstm", "--seconds", "0.1")
    page = studies.page("deep")
    assert "times the seconds of RLCheck; at most 4" in page
    for part in ("| DQN | 1 |", "## Beside the study: lambda", "## Memory", "## CPU and GPU"):
        assert part in page
    assert "</svg>" in (studies.folder / "deep/maven.svg").read_text()
