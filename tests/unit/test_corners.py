"""Corners that campaigns seldom reach: numbers at the border, parts that do not fit, missing packages."""

import importlib
import os
import sys
from random import Random
from types import SimpleNamespace

import pytest

import rlcheck
from rlcheck import files, learners, registry
from rlcheck.abstractions.call_tree import Frames
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import MissingExtra, Signal
from rlcheck.failure import Failure, describe, place_of, shown
from rlcheck.learners._exploration import weighted_option
from rlcheck.learners._parts import Parts
from rlcheck.learners._rows import LongRow
from rlcheck.learners._saved import Saved
from rlcheck.learners._table import Table
from rlcheck.learners.portfolio.bandit import Bandit
from rlcheck.learners.portfolio.goals import Goals
from rlcheck.learners.portfolio.lesson import Lesson
from rlcheck.learners.portfolio.states import MemberStates


def test_a_roll_of_one_falls_on_the_last_part():
    assert Parts(3).pick(1.0) == 2


def test_no_weight_at_all_is_the_first_option():
    assert weighted_option(Random(0), [0.0, 0.0]) == 0


def test_options_that_only_changed_in_value_were_not_taken():
    row = LongRow(1_000)
    row.add(2, 0.5)
    row.count(1)
    assert [index for index, _, _ in row.tallies()] == [1]


def test_a_table_shows_its_rows():
    table = Table(lambda n: [0] * n, 10)
    point = ChoicePoint("p", 0)
    table.row(point, (), 3)
    assert list(table.items()) == [((point, (), 3), [0, 0, 0])]


def test_before_the_first_turn_every_arm_is_behind():
    assert Bandit(2, discount=0.9, explore=0.1, rng=Random(0)).is_behind(0)


def test_a_lesson_ends_where_a_choice_does_not_fit():
    lesson, episode = Lesson(), Episode()
    episode.choices.extend([1, 9, 1])
    lesson.keep(episode, 0, shown=False)
    lesson.begin()
    assert [lesson.next(3), lesson.next(3), lesson.next(3)] == [1, -1, -1]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "not a file of rlcheck"),
        ({"rlcheck": "policy", "version": 9}, "it has version 9, and this rlcheck reads 1"),
        ({"rlcheck": ["policy"], "version": 1}, "it is damaged"),
    ],
)
def test_a_header_of_another_kind_is_refused(found, message):
    with pytest.raises(ValueError, match=message):
        files.check_header(found, "policy", 1)


def test_headers_of_the_first_version_are_read():
    assert files.check_header({"format": "rlcheck policy", "version": 1, "a": 2}, "policy", 1)["a"] == 2


def test_a_deep_learner_without_its_package_names_the_extra(monkeypatch):
    def absent(name):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(MissingExtra, match="needs torch"):
        _ = learners.Dqn


def test_a_call_tree_forgets_the_outer_frames():
    def nested(choose, depth=4):
        return choose([1, 2]) + (nested(choose, depth - 1) if depth else 0)

    campaign = rlcheck.Campaign(nested, learner="monte-carlo", abstraction=Frames(window=1), seed=0)
    assert campaign.run(20).valid == 20


def test_a_failure_in_a_folder_that_is_gone_has_its_whole_path(tmp_path, monkeypatch):
    def gone():
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", gone)
    with pytest.raises(ValueError, match="no") as raised:
        raise ValueError("no")
    assert place_of(raised.value).startswith(f"ValueError at {os.sep}")


def test_a_portable_failure_has_neither_exception_nor_input():
    failure = Failure.of(ValueError("no"), [1], object())
    assert (failure.portable().error, failure.portable().value, failure.portable().choices) == (
        None,
        None,
        [1],
    )


class Unreadable:
    def __repr__(self):
        raise ValueError("no")


def test_an_input_that_cannot_be_shown_says_so():
    assert shown(Unreadable()) == "<repr of a Unreadable raised ValueError>"
    assert describe(Failure("here", "message", [])) == "FAILED: message\n  here, 1 input"


def test_draws_of_front_ends_have_points_and_a_limit():
    guide = rlcheck.Guide("monte-carlo", seed=0, max_choices=2)
    guide.start()
    frame = sys._getframe()
    assert {guide.draw(3, frame), guide.draw(3, frame)} <= {0, 1, 2}
    with pytest.raises(Signal, match="more than max_choices=2 choices"):
        guide.draw(3, frame)


def test_a_missing_module_of_a_registered_name_is_an_extra(monkeypatch):
    monkeypatch.setitem(registry.KNOWN["learner"], "recurrent", "torch.nothing_of_the_kind:Recurrent")
    with pytest.raises(MissingExtra, match="recurrent"):
        registry.load("learner", "recurrent")


def test_a_portfolio_tells_those_that_observe():
    class Watcher(learners.MonteCarlo):
        observes = True
        told = 0

        def drop(self):
            self.told += 1
            super().drop()

        def discard(self, since):
            self.told += 1

    members = [Watcher(), Watcher()]
    portfolio = learners.Portfolio(members)
    guide = rlcheck.Guide(portfolio, seed=0)
    for number in range(80):
        guide.start()
        guide.choose([1, 2, 3], at="p", state=())
        portfolio.discard(0)
        guide.abandon() if number % 2 else guide.finish(rlcheck.Outcome.VALID)
    assert sum(member.told for member in members) > 120, "they heard of each other's episodes"
    first, second = (member.counts() for member in members)
    portfolio.merge({((0, "p"), (), 3, 1): (2, 1.0)}, guide.points.named)
    assert members[0].counts() != first
    assert members[1].counts() == second, "it is handed nothing of another member"


def test_a_lesson_that_does_not_fit_is_left_to_the_member():
    calls = 0

    def fickle(choose):
        nonlocal calls
        calls += 1
        return choose(range(1 + calls % 5), at="p", state=())

    portfolio = learners.Portfolio(["uniform", "monte-carlo"])
    assert rlcheck.Campaign(fickle, learner=portfolio, seed=0).run(300).episodes == 300


def test_gains_of_a_turn_add_up_goal_by_goal():
    goals = Goals(lambda episode: (1.0, 2.0))
    goals.begin()
    goals.add(Episode())
    goals.add(Episode())
    assert goals.gained() == [2.0, 4.0]


def test_a_slot_and_the_states_of_a_portfolio_pass_everything_on():
    pytest.importorskip("greenlet")
    from rlcheck.lockstep import Slot

    heard = []
    lane = SimpleNamespace(observe=lambda *call: heard.append(call), reward=heard.append)
    slot = Slot(lane, SimpleNamespace(switch=None))
    slot.observe("point", "state", 3, 1)
    slot.reward(2.0)
    assert heard == [("point", "state", 3, 1), 2.0]
    states = MemberStates([learners.MonteCarlo()])
    states.start(sys._getframe())
    states.reward(1.0)
    process = rlcheck.AdaptiveProcess(learners.Portfolio(["sarsa-lambda", "uniform"]), seed=0)
    for _ in range(20):
        process.suggest("context", [1, 2])
        process.reward(1.0)
    process.end_episode()
    assert process.episodes == 1


def test_an_input_that_owns_several_branches_may_lose_one():
    saved = Saved(10, 2.0, 1.0)
    rng = Random(0)
    saved.add(rng, (1, 2), branches=2, owns=(1, 2))
    saved.add(rng, (3,), branches=1, owns=(1,))
    saved.add(rng, (4,), branches=1, owns=(2,))
    assert len(saved) == 3
