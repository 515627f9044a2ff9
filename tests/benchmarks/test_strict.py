"""The strict suite: its predicates are right, its generators run, its study gives rows and a page."""

from dataclasses import dataclass
from typing import Any

import pytest
from benchmarks.campaigns import Meter
from benchmarks.strict import study
from benchmarks.strict.subjects import SUBJECTS
from benchmarks.strict.trees import Tree

from rlcheck import Campaign, Outcome


@dataclass
class Examples:
    """An input that is valid, one of the same shape with other leaves, and invalid ones."""

    good: Any
    twin: Any
    bad: list[Any]


def black(value, left=None, right=None):
    return Tree(value, left, right)


def red(value, left=None, right=None):
    return Tree(value, left, right, red=True)


def spec(**changes):
    """A valid OpenAPI document, but for the changes."""
    parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    responses = {"200": {"description": "Pets"}}
    item = {"get": {"operationId": "Pets", "parameters": [parameter], "responses": responses}}
    whole = {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1.0"},
        "paths": {"/pets/{id}": item},
        "components": {"schemas": {"Pet": {"type": "object", "required": ["id"]}}},
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


INT, BOOL = ("int", 1), ("bool", True)
IDENTITY = ("lambda", "int", ("variable", 0))
ARTIFACT = ("artifactId", "core", [])


def pom(*children, text=None):
    return ("project", text, list(children))


EXAMPLES = {
    "bst": Examples(
        Tree(5, Tree(2, None, Tree(3)), Tree(8)),
        Tree(6, Tree(0, None, Tree(1)), Tree(7)),
        [
            Tree(5, Tree(2, None, Tree(6)), Tree(8)),  # 6 is left of 5.
            Tree(5, Tree(5)),
        ],
    ),
    "avl": Examples(
        Tree(5, Tree(2, None, Tree(3)), Tree(8)),
        Tree(9, Tree(0, None, Tree(1)), Tree(15)),
        [
            Tree(5, Tree(2, None, Tree(6)), Tree(8)),
            Tree(5, Tree(2, Tree(1))),  # Two levels left, none right.
            Tree(5, Tree(2)),  # Two nodes.
        ],
    ),
    "red-black": Examples(
        black(5, black(2, red(1)), black(8)),
        black(6, black(3, red(2)), black(9)),
        [
            red(5, black(2, red(1)), black(8)),  # A red root.
            black(5, red(2, red(1)), black(8)),  # Red under red.
            black(5, black(2), red(8)),  # Two black nodes left, one right.
            black(5, black(6), black(8)),
            black(5, red(2)),
        ],
    ),
    "sorted-list": Examples([0, 1, 1, 7, 100], [2, 3, 4, 5, 6], [[0, 1, 2, 3], [1, 2, 3, 5, 4], []]),
    "brackets": Examples("([]){}", "{()}[]", ["(]()[]", "([)]{}", "((()))(", ")()()(", "()[]", ""]),
    "schedule": Examples(
        [(0, 0), (0, 1), (3, 0), (2, 1), (7, 2)],
        [(1, 1), (0, 2), (4, 1), (3, 2), (9, 0)],
        [
            [(0, 0), (0, 1), (3, 0), (2, 1), (6, 2)],  # 4 starts before 2 has ended.
            [(0, 0), (0, 0), (3, 0), (2, 1), (7, 2)],  # 0 and 1 at once on a machine.
        ],
    ),
    "all-valid": Examples([3, 1, 2], [0, 0, 99], []),
    "lambda": Examples(
        ("apply", IDENTITY, INT),
        ("apply", ("lambda", ("->", "int", "int"), ("variable", 2)), ("int", 3)),
        [
            ("apply", IDENTITY, BOOL),
            ("apply", INT, INT),
            ("apply", ("lambda", "int", ("variable", 1)), INT),  # Not closed.
            ("add", INT, BOOL),
            ("if", INT, INT, INT),
            ("if", BOOL, INT, BOOL),
            IDENTITY,  # Not of type int or bool.
            INT,
        ],
    ),
    "arithmetic": Examples(
        [("a", ("number", 6)), ("b", ("/", ("name", "a"), ("number", 3)))],
        [("c", ("number", 0)), ("c", ("/", ("name", "b"), ("number", 0)))],
        [
            [("a", ("number", 6)), ("b", ("/", ("name", "a"), ("number", 0)))],
            [("a", ("number", 6)), ("b", ("%", ("name", "a"), ("number", 0)))],
            [("a", ("number", 6)), ("b", ("/", ("name", "a"), ("number", 4)))],  # A remainder.
            [("a", ("number", 6)), ("b", ("-", ("number", 3), ("name", "a")))],  # Negative.
            [("a", ("number", 6)), ("b", ("+", ("name", "c"), ("number", 3)))],  # Not bound.
            [("a", ("number", 6)), ("b", ("+", ("number", 1), ("number", 3)))],  # Reads nothing.
            [("a", ("number", 6)), ("b", ("name", "a"))],
            [("a", ("number", 6))],
            [],
        ],
    ),
    "xml-pom": Examples(
        pom(("modelVersion", "4.0.0", []), ("dependencies", None, [("dependency", None, [ARTIFACT])])),
        pom(
            ("modelVersion", "war", []),
            ("dependencies", None, [("dependency", None, [("artifactId", "app", [])])]),
        ),
        [
            pom(),
            pom(ARTIFACT, text="app"),
            pom(ARTIFACT, ARTIFACT),  # Only once.
            pom(("artifactId", None, [])),
            pom(("artifactId", "app", [ARTIFACT])),
            pom(("modelVersion", "1.0", [])),
            pom(("scope", "test", [])),  # Not there.
            pom(("dependencies", None, [("dependency", None, [("version", "1.0", [])])])),
            ("build", None, []),
        ],
    ),
    "pycparser": Examples(
        "int f ( char x ) { return x + 1 ; }",
        "int y ( char x ) { return T + 4 ; }",
        [
            "int f ( char x ) { }",
            "int f ( char x ) ;",
            "int f ( char x ) { return x + ; }",
            "int f ( char x ) { else x ; }",
            "f { break ; }",
            "int f ( T x ) { return 1 ; }",  # No such type.
            "",
        ],
    ),
    "graphql": Examples(
        "query A ($a: ID!) { user(id: $a) { name posts(first: 1) { ...F } } } fragment F on Post { id }",
        "query B ($b: ID!) { user(id: $b) { name posts(first: true) { ...G } } } fragment G on Post { id }",
        [
            "query { user { name } }",  # The id is required.
            'query { user(id: "s") }',
            "query { version { id } }",
            "query { title }",
            "query A ($a: ID!) { version }",  # Not used.
            "query { version } query { version }",
            "query { version } fragment F on User { id }",
            "query { ...F } fragment F on Query { ...F }",
        ],
    ),
    "kml": Examples(
        "<kml><Placemark><name>home</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
        "<kml><Placemark><name>0</name><Point><coordinates>2.5</coordinates></Point></Placemark></kml>",
        [
            "<kml><Point><coordinates>1,2</coordinates></Point></kml>",
            "<kml><Placemark><Point><coordinates>home</coordinates></Point></Placemark></kml>",
            "<kml><Placemark><Point></Point></Placemark></kml>",
            "<kml><Placemark><visibility>1</visibility><name>0</name></Placemark></kml>",  # The order.
            "<kml><Folder></Folder><Folder></Folder></kml>",
            "<kml>home</kml>",
            "<Folder></Folder>",
        ],
    ),
    "openapi": Examples(
        spec(),
        spec(openapi="2.0", info={"title": 1, "version": True}),
        [
            spec(openapi="2.0"),
            spec(openapi=None),
            spec(info={"title": "Pets"}),
            spec(info={"title": 1, "version": "1.0"}),
            spec(paths=None),
            spec(paths={"pets": {}}),
            spec(paths={"/": {"get": {}}}),  # No responses.
            spec(paths={"/pets/{id}": {"get": {"responses": {"200": {"description": "Pets"}}}}}),
            spec(components={"schemas": {"Pet": {"$ref": "#/components/schemas/Error"}}}),
            spec(components={"schemas": {"Pet": {"$ref": "#/components/schemas/Pet"}}}),
        ],
    ),
}


@pytest.fixture(params=SUBJECTS)
def subject(request):
    subject = SUBJECTS[request.param]
    if subject.missing:
        pytest.skip(f"needs {', '.join(subject.missing)}")
    return subject


def test_every_subject_has_examples():
    assert EXAMPLES.keys() == SUBJECTS.keys()


def test_the_predicate_accepts_the_valid_and_rejects_the_broken(subject):
    examples = EXAMPLES[subject.name]
    assert subject.valid(examples.good)
    assert [value for value in examples.bad if subject.valid(value)] == []


def test_the_shape_is_that_of_inputs_with_other_leaves(subject):
    examples = EXAMPLES[subject.name]
    assert examples.good != examples.twin
    assert hash(subject.shape(examples.good)) == hash(subject.shape(examples.twin))
    assert subject.size(examples.good) > 0


def test_random_inputs_run_and_have_several_shapes(subject):
    shapes = set()
    campaign = Campaign(
        subject.generator,
        valid=subject.valid,
        learner="uniform",
        seed=0,
        observers=[lambda episode: shapes.add(subject.shape(episode.value))],
    )
    summary = campaign.run(episodes=300)
    assert summary.episodes == 300
    assert len(shapes) > 5
    assert summary.valid < 0.4 * summary.episodes or subject.name == "all-valid"


def test_a_meter_counts_what_the_campaign_counts():
    subject = SUBJECTS["bst"]
    meter = Meter(subject)
    found = []
    campaign = Campaign(
        subject.generator,
        valid=subject.valid,
        shape=subject.shape,
        learner="uniform",
        seed=0,
        observers=[meter, found.append],
    )
    summary = campaign.run(episodes=2_000)
    meter.snapshot()
    unique = [episode.value for episode in found if episode.unique and episode.outcome is Outcome.VALID]
    last = meter.snapshots[-1]
    assert last | {"seconds": 0} == {
        "inputs": 2_000,
        "valid": summary.valid,
        "unique_valid": summary.unique_valid,
        "shapes": summary.shapes,
        "effective_shapes": round(summary.effective_shapes, 1),
        "largest": max(map(subject.size, unique)),
        "seconds": 0,
    }
    assert {1_000, 2_000} <= {snapshot["inputs"] for snapshot in meter.snapshots}


def test_a_small_study_gives_rows_a_page_and_curves(studies):
    pytest.importorskip("matplotlib")
    arguments = ["--subject", "avl", "arithmetic", "--method", "uniform", "monte-carlo"]
    assert studies.run(study.STUDY, *arguments, "--part", "inputs", "--inputs", "300", "--seeds", "2") == 0
    rows = studies.rows("strict/inputs")
    assert [(row["subject"], row["learner"], row["seed"]) for row in rows] == [
        (subject, learner, seed)
        for subject in ("avl", "arithmetic")
        for learner in ("uniform", "monte-carlo")
        for seed in (0, 1)
    ]
    assert all(row["snapshots"][-1]["inputs"] == 300 for row in rows)
    assert "| arithmetic |" in studies.page("strict")
    assert "<svg" in (studies.folder / "strict/curves.svg").read_text()


def test_equal_time_is_the_time_without_shapes(studies):
    arguments = ["--part", "seconds", "--seconds", "0.1", "--seeds", "1"]
    assert studies.run(study.STUDY, *arguments, "--subject", "all-valid", "--method", "uniform") == 0
    assert all(row["snapshots"][-1]["seconds"] > 0.09 for row in studies.rows("strict/seconds"))
    assert "| all-valid |" in studies.page("strict")


def test_ratios_are_to_the_baselines():
    def row(learner, found, shapes=1.0):
        snapshot = {"inputs": 1_000, "unique_valid": found, "effective_shapes": shapes, "seconds": 0.5}
        return {"subject": "s", "learner": learner, "seed": 0, "snapshots": [snapshot]}

    rows = [row("diverse", 30, 5.0), row("monte-carlo", 10), row("uniform", 0)]
    ratios = "diverse / monte-carlo: unique, shapes | diverse / uniform: unique, shapes"
    assert study.table(rows, 1_000) == [
        f"| subject | uniform | monte-carlo | diverse | {ratios} |",
        "|---|---:|---:|---:|---:|---:|",
        "| s | 0 [1] 2,000/s | 10 [1] 2,000/s | 30 [5] 2,000/s | 3.0, 5.0 | ∞, 5.0 |",
    ]
    assert study.table(rows, 10_000) == []


def test_a_subject_knows_what_it_needs(monkeypatch):
    monkeypatch.setattr("benchmarks.campaigns.find_spec", lambda package: None)
    assert SUBJECTS["bst"].missing == []
    assert SUBJECTS["kml"].missing == ["lxml"]
