"""Labels of inputs: who sets them, how they are counted in bounded memory, and where they are found again."""

import json
import math

import pytest

import rlcheck
from rlcheck.cli.main import main
from rlcheck.errors import ConfigurationError
from rlcheck.report.distributions import OTHER, Distribution, Distributions
from rlcheck.report.html import _binned
from rlcheck.report.outline import depth_of


def number(choose):
    made = choose(range(10))
    rlcheck.event("parity", "even" if made % 2 == 0 else "odd")
    return made


def small(made):
    rlcheck.target(-made, "size")
    if made < 3:
        rlcheck.event("tiny")
    return made < 5


def test_an_episode_has_the_labels_of_its_input():
    episodes = []
    campaign = rlcheck.Campaign(number, valid=small, learner="uniform", seed=0, observers=[episodes.append])
    campaign.run(episodes=50)
    for episode in episodes:
        expected = {"parity": "even" if episode.value % 2 == 0 else "odd", "target size": -episode.value}
        assert episode.labels == expected | ({"tiny": ""} if episode.value < 3 else {})


def test_an_input_without_labels_has_none():
    assert rlcheck.Campaign(lambda choose: choose(range(3)), seed=0).episode().labels is None


def test_labels_that_cannot_be_kept_become_text():
    def generator(choose):
        rlcheck.event("list", [choose(range(2))])
        return 0

    assert rlcheck.Campaign(generator, seed=0).episode().labels["list"] in ("[0]", "[1]")


def test_outside_a_campaign_an_event_does_nothing():
    rlcheck.event("parity", "even")
    with pytest.raises(ConfigurationError, match=r"event\(3\): the label must be a string"):
        rlcheck.event(3)


def test_values_are_counted_among_all_and_among_valid_inputs():
    counted = Distribution()
    for value, valid in ((2, True), (2, False), ("b", True), (True, False), (1.25, True)):
        counted.add(value, valid=valid)
    assert counted.as_json() == [[1.0, 1, 1], [2, 2, 1], ["True", 1, 0], ["b", 1, 1]]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (0, 0),
        (-249, -249),
        (1_234, 1_000),
        (1_300, 1_500),
        (-98_765, -100_000),
        (0.0, 0),
        (0.0312, 0.03),
        (2**70, "beyond 2**64"),
        (math.inf, "inf"),
        (math.nan, "nan"),
        ("x" * 100, "x" * 60),
    ],
)
def test_numbers_are_rounded_and_texts_cut(value, key):
    counted = Distribution()
    counted.add(value, valid=True)
    assert list(counted.counts) == [key]


def test_memory_is_bounded():
    counted = Distributions()
    for value in range(5_000):
        counted.add(value, {f"label {value}": value, "one": f"value {value}"}, valid=False)
    assert len(counted.labels) == 30
    assert len(counted.labels["one"].counts) == 701
    assert counted.labels["one"].counts[OTHER] == [4_300, 0]
    assert len(counted.size.counts) < 400


def test_workers_add_up():
    first, second = Distributions(), Distributions()
    first.add(3, {"a": 1}, valid=True)
    second.add(3, {"a": 1, **{f"label {number}": 0 for number in range(40)}}, valid=False)
    first.merge(second)
    assert first.as_json()["size"] == [[3, 2, 1]]
    assert first.labels["a"].as_json() == [[1, 2, 1]]
    assert len(first.labels) == 30


def test_many_values_are_merged_into_bins():
    rows = [[value, 2, 1] for value in range(240)]
    binned = _binned([*rows, ["other values", 5, 0]])
    assert binned[:2] == [[0, 6, 3], [3, 6, 3]]
    assert binned[-1] == ["other values", 5, 0]
    assert sum(row[1] for row in binned) == 485
    assert len(_binned([[value / 7, 1, 1] for value in range(200)])) <= 81


@pytest.mark.parametrize(
    ("value", "depth"),
    [(3, 0), ("text", 0), ([], 1), ([1, 2], 1), ((1, (2, None, None), None), 2), ({"a": [[1]]}, 3)],
)
def test_the_depth_of_a_value(value, depth):
    assert depth_of(value) == depth


def test_the_depth_of_a_cycle_ends():
    cycle = []
    cycle.append(cycle)
    assert depth_of(cycle) == 100


SUBJECT = """
import rlcheck

def numbers(choose):
    made = [choose(range(10)) for _ in range(choose(range(1, 4)))]
    rlcheck.event("length", len(made))
    return made

def ascending(xs):
    return xs == sorted(xs)
"""


@pytest.mark.parametrize("workers", [[], ["--workers", "1"]])
def test_runs_keep_and_print_distributions(tmp_path, monkeypatch, capsys, workers):
    (tmp_path / "labelled.py").write_text(SUBJECT)
    monkeypatch.chdir(tmp_path)
    arguments = ["labelled.py::numbers", "--valid", "ascending", "--episodes", "300", "--seed", "1", "--json"]
    assert main(["run", *arguments, *workers]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [row[0] for row in run["labels"]["length"]] == [1, 2, 3]
    assert sum(row[1] for row in run["labels"]["length"]) == run["episodes"]
    assert sum(row[2] for row in run["size"]) == run["valid"]
    assert main(["show", "1", "--json"]) == 0
    stored = json.loads(capsys.readouterr().out)
    assert (stored["size"], stored["labels"]) == (run["size"], run["labels"])
    # The survey of a run in workers has a second, which is too little on a busy machine.
    assert [row[0] for row in stored["depth"]] in ([[1], []] if workers else [[1]])
