"""The study of first valid inputs: a short run gives rows and a page, and every subject can be made valid."""

from dataclasses import replace

import pytest
from benchmarks.cold import validators
from benchmarks.cold.study import STUDY
from benchmarks.cold.subjects import HELD_OUT, SUBJECTS, is_red_black_of_height_3, is_sorted


def test_a_short_run_gives_rows_and_a_page(studies):
    budget = ["--seconds", "0.3", "--seeds", "1", "--jobs", "0"]
    arguments = ["--method", "uniform", "unwatched", "diverse", "--subject", "sorted-10"]
    assert studies.run(STUDY, *budget, *arguments) == 0
    assert [row["method"] for row in studies.rows("cold/first")] == ["uniform", "unwatched", "diverse"]
    assert "| sorted-10 | uniform | 0 of 1 | - | - | 0 |" in studies.page("cold")


def test_what_is_held_out_is_a_subject():
    assert set(HELD_OUT) < SUBJECTS.keys()


def test_some_inputs_are_valid():
    leaf = ("B", None, 0, None)
    assert not is_red_black_of_height_3(leaf)
    assert is_sorted(list(range(10)))
    assert not is_sorted(list(range(9)))
    rows = [(0, part, 1) for part in range(1, 8)]
    assert validators.is_bill_of_materials((8, rows))
    assert not validators.is_bill_of_materials((8, [*rows, (1, 0, 1)]))
    assert not validators.is_bill_of_materials((8, [*rows, (0, 1, 1)]))
    assert not validators.is_bill_of_materials((8, [(0, part, 50) for part in range(1, 8)]))


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("graphql-types", "type Query implements A { a: Int }\ninterface A { a: Int }"),
        (
            "pydantic",
            {"number": 500, "kind": "new", "items": [{"code": "AB", "count": 1}] * 2, "rebate": None},
        ),
        ("json-schema", {"type": "object", "properties": {"a": {}}, "required": ["a"], "minimum": 1}),
        (
            "protobuf",
            {
                "name": "f.proto",
                "messageType": [
                    {
                        "name": "M",
                        "field": [
                            {"name": name, "number": number, "type": "TYPE_INT32", "label": "LABEL_OPTIONAL"}
                            for number, name in enumerate("ab", 1)
                        ],
                    }
                ],
                "enumType": [{"name": "E", "value": [{"name": "P", "number": 0}]}],
            },
        ),
    ],
)
def test_validators_accept_what_they_should(name, made):
    subject = SUBJECTS[name]
    if subject.missing:
        pytest.skip(f"{subject.missing} is not installed")
    assert subject.valid(made) is True


def test_a_part_of_a_package_that_is_missing_is_missing():
    subject = SUBJECTS["protobuf"]
    assert replace(subject, needs=("nowhere.at.all", "json.decoder")).missing == ["nowhere.at.all"]
