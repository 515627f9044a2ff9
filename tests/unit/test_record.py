"""Recorders count and keep; surveys tell what was asked, chosen and rejected; views draw."""

import io
import sys
from collections import deque

import pytest

import rlcheck
from rlcheck import Coverage
from rlcheck.report import record
from rlcheck.report.progress import View, line, sparkline
from rlcheck.report.record import Recorder, Snapshot
from rlcheck.report.survey import survey


def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(1, 5)))]


def recorded(episodes=2_000, **arguments):
    recorder = Recorder(0)
    campaign = rlcheck.Campaign(numbers, seed=0, observers=[recorder], **arguments)
    return recorder, campaign.run(episodes)


def test_a_recorder_counts_what_the_summary_counts():
    recorder, summary = recorded(valid=lambda xs: sum(xs) % 3 == 0)
    counts = recorder.episodes, recorder.valid, recorder.unique_valid, recorder.overruns
    assert counts == (summary.episodes, summary.valid, summary.unique_valid, summary.overruns)
    assert sum(recorder.sizes.values()) == summary.unique_valid
    inputs, options, digests, shapes = recorder.take()
    assert len(inputs) == len(set(digests)) == summary.unique_valid
    assert [len(sizes) for sizes in options] == [len(choices) for choices in inputs]
    assert len(shapes) == summary.shapes
    assert sum(shapes.values()) == summary.valid
    assert recorder.take() == ([], [], [], {})


def test_the_sample_is_of_the_whole_run():
    recorder, _ = recorded(valid=lambda xs: len(xs) > 1, learner="uniform")
    assert len(recorder.sample) == 1_000
    share = sum(valid for valid, _ in recorder.sample) / 1_000
    assert share == pytest.approx(recorder.valid / recorder.episodes, abs=0.05)


def test_the_corpus_is_bounded_and_keeps_what_is_rare(monkeypatch):
    monkeypatch.setattr(record, "_CORPUS", 320)
    recorder, _ = recorded()
    sizes = [len(choices) for choices in recorder.take()[0]]
    assert len(sizes) <= 320
    assert {size: sizes.count(size) for size in set(sizes)} == {2: 10, 3: 20, 4: 20, 5: 20}


def test_a_survey_shows_points_inputs_and_rejections():
    def valid(xs):
        rlcheck.assume(len(xs) > 1)
        return xs[0] == 3

    recorder, _ = recorded(valid=valid)
    found = survey(numbers, valid, None, recorder.sample)
    assert found["looked"] == 1_000
    first, second = found["tree"]
    # Before Python 3.12, a list comprehension is a call of its own.
    (values,) = second.get("below") or [second]
    assert first["n"] == "4"
    assert "choose(range(1, 5))" in first["line"]
    assert {name for name, _, _ in first["options"]} == {"1", "2", "3", "4"}
    shares = {name: valid / taken for name, taken, valid in values["options"]}
    assert max(shares, key=shares.get) == "3"
    line = valid.__code__.co_firstlineno
    places = {place: example for place, _, example in found["rejections"]}
    assert places.keys() == {
        f"assume() in {valid.__qualname__}, line {line + 1}",
        f"{valid.__qualname__} was false after {__name__}:{line}: def valid(xs):",
    }
    assert all(one["input"].startswith("[3") for one in found["inputs"])
    assert {bool(example) for example in places.values()} == {True}


def test_a_survey_says_which_condition_stopped_inputs_and_what_valid_found_wrong():
    def valid(x):
        if x % 3 == 0:
            return f"{x} is a multiple"
        if x % 3 == 1:
            return 0.5
        return x > 5 and x > 50

    def rejections(function):
        found = survey(lambda choose: choose(range(9)), function, None, [(False, [x]) for x in range(9)])
        return {place: (count, example) for place, count, example in found["rejections"]}

    line, name = valid.__code__.co_firstlineno, valid.__qualname__
    assert rejections(valid) == {
        "_ is a multiple": (3, "0"),
        f"{name} returned a number below 1": (3, "1"),
        f"{name} was false after {__name__}:{line + 3}: if x % 3 == 1:": (2, "2"),
        f"{name} was false after {__name__}:{line + 5}: x > 50": (1, "8"),
    }
    assert rejections([].__contains__) == {"list.__contains__ was false": (9, "0")}
    with Coverage(sys.modules[__name__]):
        assert f"{name} was false" in rejections(valid)


def test_a_survey_survives_generators_that_have_changed():
    found = survey(lambda choose: choose(range(2)), None, None, [(True, [5]), (False, []), (True, [1])])
    assert found["looked"] == 3
    assert [one["input"] for one in found["inputs"]] == ["1"]


def test_without_a_terminal_there_are_lines(monkeypatch):
    monkeypatch.setattr("rlcheck.report.progress._LINE", 0.0)
    stream = io.StringIO()
    with View(lambda snapshots: 0.5, stream) as view:
        view.show({"diverse": Snapshot(2.0, 1_000, 500, 400, 0, 1, 30)})
    assert stream.getvalue() == (
        "diverse: 1,000 inputs in 2 s, 50% valid, 400 unique valid (200/s), 1 failure, 30 states, 50% done\n"
    )


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_a_table_that_never_costs_much(monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr("rlcheck.report.progress.DRAW", 0.0)
    stream = Terminal()
    with View(lambda snapshots: 0.25, stream) as view:
        for second in range(1, 1_000):
            view.show({"diverse": Snapshot(float(second), 100 * second, 50 * second, 40 * second, 0, 1, 30)})
        shown = stream.getvalue()
        drawn = shown.count("25% done")
    for words in ("unique valid", "last minute", "30 states", "MB", "75% done" if drawn == 0 else "s left"):
        assert words in shown
    assert 1 <= drawn <= 5  # A thousand calls take a moment, in which it may draw but a few times.


def test_without_rich_a_terminal_gets_lines(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rich.console", None)
    stream = Terminal()
    View(lambda snapshots: 0.0, stream)
    assert "pip install '.[cli]'" in stream.getvalue()


def test_the_curve_is_of_the_last_minute():
    assert sparkline(deque([(0.0, 0)])) == ""
    bars = sparkline(deque([(0.0, 0), (30.0, 100), (60.0, 150)]))
    assert len(bars) == 20
    assert bars[10] == "█"
    assert bars[19] == "▅"
    assert set(bars[:10]) == {"▁"}


def test_a_line_says_it_all():
    assert line(Snapshot(0.0, 0, 0, 0, 0, 0, 0)).startswith("0 inputs in 0 s, 0% valid")
