"""Coverage: what is noted of an input, which modules, and that nothing is left when it is off."""

import functools
import gc
import importlib
import sys
import types
from textwrap import dedent

import pytest

import rlcheck
from rlcheck import Campaign, Coverage, Guide, Outcome
from rlcheck.coverage import modules_of, notes, switch
from rlcheck.coverage.session import COLD, COLD_CLIMBING, SCOUTED
from rlcheck.errors import ConfigurationError


def told(campaign, episodes):
    """How near each episode came, and what it was worth."""
    found = []
    campaign.guide.observers.append(lambda episode: found.append((episode.progress, episode.reward)))
    summary = campaign.run(episodes=episodes)
    return found, summary


SUBJECT = """
import functools

def grade(x):
    if x < 3:
        return "low"
    return "high"

def steps(n):
    for _ in range(n):
        pass

def adder(x):
    def add(y):
        return x + y if y else x
    return add

@functools.cache
def cached(x):
    return x or None

def endless():
    while True:
        yield 1

def is_code(xs):
    if xs[0] != 7:
        return False
    if xs[1] != 13:
        return False
    if xs[2] != 11:
        return False
    return True
"""


@pytest.fixture
def subject(tmp_path, monkeypatch):
    """A module of its own for each test."""
    (tmp_path / "covered_subject.py").write_text(dedent(SUBJECT))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("covered_subject")
    del sys.modules["covered_subject"]


def number(choose):
    return choose(range(6))


def code(choose):
    return [choose(range(64)) for _ in range(3)]


def taken(cover, function, *arguments, valid=True):
    cover.start()
    function(*arguments)
    cover.stop(valid=valid)
    return {cover.where(branch): count for branch, count in cover.counts.items()}


def test_counts_branches_and_trace_of_one_input(subject):
    with Coverage("covered_subject") as cover:
        assert taken(cover, subject.grade, 1) == {"covered_subject:4": 1, "covered_subject:5": 1}
        taken(cover, subject.steps, 5)
        entered, looped, ended = sorted(cover.counts)
        assert cover.counts == {entered: 1, looped: 5, ended: 1}
        assert cover.branches == {entered, looped, ended}
        assert cover.trace == {(entered, 1), (looped, 4), (ended, 1)}


def test_an_input_is_what_ran_between_start_and_stop(subject):
    with Coverage(subject) as cover:
        subject.grade(1)
        assert taken(cover, subject.steps, 0) == {"covered_subject:9": 1, "covered_subject:10": 1}
        subject.grade(1)
        assert len(cover.counts) == 2


def test_covered_and_covered_by_valid_inputs(subject):
    with Coverage([subject]) as cover:
        taken(cover, subject.grade, 1, valid=False)
        assert (len(cover.covered), len(cover.covered_valid)) == (2, 0)
        taken(cover, subject.grade, 9)
        assert (len(cover.covered), len(cover.covered_valid)) == (3, 2)
        assert str(cover) == "3 branches covered, 2 by valid inputs"
        assert cover.covered_valid < cover.covered < set(range(cover.total))


def test_an_input_is_new_by_its_branches_and_how_often_it_takes_them(subject):
    def is_new(times):
        taken(cover, subject.steps, times)
        return cover.is_new()

    with Coverage(subject) as cover:
        assert [is_new(times) for times in (1, 1, 2, 3, 5, 4, 7, 8)] == [1, 0, 1, 0, 1, 0, 0, 1]


def test_new_branches_are_told_as_they_come(subject):
    with Coverage(subject, ordered=True) as cover:
        cover.start()
        subject.grade(1)
        assert cover.advance() == 2
        subject.grade(1)
        assert cover.advance() == 0
        subject.grade(9)
        assert cover.stop(valid=True) == 1
        entered, low, high = sorted(cover.counts)
        assert cover.path == [entered, low, entered, low, entered, high]
        assert cover.counts == {entered: 3, low: 2, high: 1}
        assert list(cover.counts) == sorted(cover.counts)


@pytest.mark.parametrize("arguments", [{}, {"ordered": True}, {"predicates": True}])
def test_the_same_way_has_the_same_digest(subject, arguments):
    def digest(function, *given):
        cover.start()
        function(*given)
        return cover.digest()

    with Coverage(subject, **arguments) as cover:
        assert digest(subject.grade, 1) == digest(subject.grade, 2) != digest(subject.grade, 9)
        assert digest(subject.steps, 2) != digest(subject.steps, 3)


def test_without_order_there_is_no_path(subject):
    with pytest.raises(ConfigurationError, match="ordered=True"):
        _ = Coverage(subject).path


def test_references_that_were_taken_before_are_covered(subject):
    grade, add, partial = subject.grade, subject.adder(2), functools.partial(subject.grade, 1)
    with Coverage(subject) as cover:
        assert len(taken(cover, grade, 1)) == 2
        assert len(taken(cover, add, 1)) == 2
        assert len(taken(cover, partial)) == 2
        assert len(taken(cover, subject.cached, 1)) == 1


def test_off_leaves_nothing_behind(subject):
    functions = [subject.grade, subject.steps, subject.adder, subject.cached.__wrapped__]
    before = [function.__code__ for function in functions]
    with Coverage(subject):
        assert [function.__code__ for function in functions] != before
        made = subject.adder(3)
    assert all(function.__code__ is old for function, old in zip(functions, before, strict=True))
    assert made.__code__ in (*subject.adder.__code__.co_consts, subject.adder(1).__code__)
    assert made(4) == 7
    assert not [
        thing
        for thing in gc.get_objects()
        if type(thing) is types.FunctionType  # Others may warn when they are looked at.
        and any(isinstance(constant, types.BuiltinMethodType) for constant in thing.__code__.co_consts)
    ]


def test_what_still_runs_when_it_is_turned_off_goes_on(subject):
    with Coverage(subject):
        numbers = subject.endless()
        next(numbers)
    assert [next(numbers) for _ in range(3)] == [1, 1, 1]


def test_on_and_off_again_keeps_the_numbers(subject):
    cover = Coverage(subject)
    seen = []
    for _ in range(2):
        with cover:
            taken(cover, subject.grade, 1)
            seen.append(cover.branches)
    assert seen[0] == seen[1]
    assert not cover.is_on


def test_other_modules_are_left_alone(subject):
    before = number.__code__
    with Coverage(subject) as cover:
        assert cover.is_on
        assert number.__code__ is before


def test_a_package_stands_for_its_modules(tmp_path, monkeypatch):
    package = tmp_path / "covered_package"
    package.mkdir()
    (package / "__init__.py").write_text("from covered_package.inner import f\n")
    (package / "inner.py").write_text("def f(x):\n    return x or 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    with Coverage("covered_package") as cover:
        f = sys.modules["covered_package"].f
        assert taken(cover, f, 0) == {"covered_package.inner:1": 1, "covered_package.inner:2": 1}


def test_branches_are_numbered_in_the_order_of_names_and_lines(tmp_path, monkeypatch):
    package = tmp_path / "numbered_package"
    package.mkdir()
    (package / "__init__.py").write_text("from numbered_package import b, a, c\n")
    for name in "abc":
        (package / f"{name}.py").write_text("def f():\n    pass\ndef g():\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    cover = Coverage("numbered_package")
    assert [cover.where(branch) for branch in range(cover.total)] == [
        f"numbered_package.{name}:{line}" for name in "abc" for line in (1, 3)
    ]


def asserting(x):
    assert x in (1, 2)
    return x == 1 or "two"


def test_functions_whose_assertions_pytest_rewrote_are_covered():
    assert "@pytest_ar" in asserting.__code__.co_names
    with Coverage(__name__) as cover:
        assert len(taken(cover, asserting, 2)) == 2
        with pytest.raises(AssertionError):
            asserting(3)
    assert "@pytest_ar" in asserting.__code__.co_names


def test_a_changed_file_does_not_change_what_runs(tmp_path, monkeypatch):
    path = tmp_path / "edited_subject.py"
    path.write_text("def f():\n    return 1\ndef g():\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("edited_subject")
    path.write_text("def f():\n    return 2\ndef g():\n    return 1\n")
    with Coverage(module) as cover:
        assert module.f() == 1
        assert taken(cover, module.g) == {"edited_subject:3": 1}


def test_counts_are_bounded(subject, monkeypatch):
    monkeypatch.setattr(notes, "MOST", 10)
    monkeypatch.setattr(notes, "LONGEST", 20)
    with Coverage(subject) as cover:
        taken(cover, subject.steps, 1_000)
        assert max(cover.counts.values()) == 10
    with Coverage(subject, ordered=True) as cover:
        taken(cover, subject.steps, 1_000)
        assert len(cover.path) == 20
        cover.start()
        for _ in range(3):
            subject.steps(15)
            cover.advance()
        assert len(cover.path) == 20


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ("no_such_module", "coverage='no_such_module' cannot be imported: No module named"),
        ([3], "coverage=3 must be a module or the name of one"),
        ("math", "coverage='math' has no Python function whose source can be read"),
    ],
)
def test_what_cannot_be_covered_is_refused(modules, message):
    with pytest.raises(ConfigurationError, match=message):
        Coverage(modules)


def test_two_at_once_are_refused_and_the_first_goes_on(subject):
    with Coverage(subject) as first:
        with pytest.raises(ConfigurationError, match="in use by another campaign"):
            Coverage(subject)
        assert len(taken(first, subject.grade, 1)) == 2
    with Coverage(subject) as second:
        assert len(taken(second, subject.grade, 1)) == 2


def test_the_module_of_what_stands_under_decorators(subject):
    class Callable:
        def __call__(self, x):
            return x

    assert modules_of(subject.grade, subject.cached) == ["covered_subject"]
    assert modules_of(functools.partial(functools.partial(subject.grade), 1)) == ["covered_subject"]
    assert modules_of(functools.wraps(subject.grade)(lambda x: x)) == ["covered_subject"]
    assert modules_of(Callable(), Callable().__call__) == [__name__]
    assert modules_of(len, str.isdigit, None, int) == []


# Campaigns.


@pytest.mark.parametrize(
    ("characteristic", "unique"), [("trace", 4), ("branches", 2), ("path", 6), ("identity", 6)]
)
def test_characteristics_look_at_branches(subject, characteristic, unique):
    campaign = Campaign(
        number, test=subject.steps, characteristic=characteristic, seed=0, coverage="covered_subject"
    )
    summary = campaign.run(episodes=100)
    # A loop that runs 0, 1, 2 to 3, 4 to 5 times; that runs or not; and how often exactly.
    assert (summary.valid, summary.unique_valid) == (summary.episodes, unique)


def test_the_modules_of_valid_and_test_are_covered_unless_told_otherwise(subject):
    campaign = Campaign(number, valid=subject.grade, test=taken, characteristic="trace")
    assert campaign.guide.coverage.modules == ["covered_subject", __name__]
    campaign = Campaign(number, valid=subject.grade, characteristic="trace", coverage="tomllib")
    assert campaign.guide.coverage.modules == ["tomllib"]
    assert Campaign(number, valid=subject.grade).guide.coverage is None


@pytest.mark.parametrize("arguments", [{"characteristic": "trace"}, {"reward": "coverage"}])
@pytest.mark.parametrize("more", [{}, {"valid": len}, {"valid": number, "coverage": ()}])
def test_branches_of_nothing_are_refused(arguments, more):
    with pytest.raises(ConfigurationError, match=r"reads the counts.* Give a Campaign coverage=\[modules\]"):
        Campaign(number, **arguments, **more)


def test_a_guide_must_keep_what_is_looked_at(subject):
    cover = Coverage(subject)
    with pytest.raises(ConfigurationError, match=r"reads the path.* ordered=True"):
        Guide(characteristic="path", coverage=cover)
    Guide(characteristic="trace", coverage=cover)


def test_what_the_generator_does_is_not_the_subjects(subject):
    def generator(choose):
        x = choose(range(6))
        subject.steps(x)
        return x

    campaign = Campaign(generator, test=subject.grade, characteristic="branches", seed=0)
    assert campaign.run(episodes=100).unique_valid == 2


def test_a_campaign_is_covered_while_it_runs(subject):
    before = subject.grade.__code__
    campaign = Campaign(number, valid=lambda x: bool(subject.grade(x)), coverage=[subject], seed=0)
    assert subject.grade.__code__ is before
    summary = campaign.run(episodes=50)
    assert subject.grade.__code__ is before
    assert str(campaign.guide.coverage) in str(summary)
    assert summary.coverage.covered_valid
    assert campaign.episode().counts == dict.fromkeys(campaign.guide.coverage.branches, 1)
    assert subject.grade.__code__ is before


def test_a_failing_test_has_branches_and_leaves_nothing_behind(subject):
    def test(x):
        subject.grade(x)
        raise SystemExit if x == 5 else ValueError

    before = subject.grade.__code__
    campaign = Campaign(
        number, test=test, characteristic="branches", coverage=subject, learner="uniform", seed=3
    )
    with pytest.raises(SystemExit):
        campaign.run(episodes=1000)
    assert subject.grade.__code__ is before
    assert campaign.summary.unique_valid == 2
    assert campaign.summary.failures[0].place.startswith("ValueError at")


def test_choices_are_the_same_in_a_generator_that_is_covered():
    demo = importlib.import_module("rlcheck.cli.demo")

    def made(**arguments):
        found = []
        Campaign(
            demo.tree,
            test=demo.is_bst,
            learner="monte-carlo",
            seed=1,
            observers=[lambda episode: found.append(episode.choices)],
            **arguments,
        ).run(episodes=200)
        return found

    assert made(coverage=demo) == made()


def test_the_same_seed_gives_the_same_campaign(subject):
    def made(seed):
        found = []
        Campaign(
            code,
            valid=subject.is_code,
            reward="coverage",
            learner="monte-carlo",
            seed=seed,
            observers=[lambda episode: found.append((tuple(episode.choices), tuple(episode.counts)))],
        ).run(episodes=300)
        return found

    assert made(1) == made(1) != made(2)


def test_grey_box_reward_is_for_a_new_set_of_branches_of_a_valid_input(subject):
    campaign = Campaign(
        number,
        valid=lambda x: x > 0,
        test=subject.grade,
        reward="coverage",
        coverage=subject,
        learner="uniform",
        seed=0,
    )
    found, summary = told(campaign, 200)
    rewards = [reward for _, reward in found]
    assert sorted(set(rewards)) == [-1.0, 0.0, 20.0]
    assert rewards.count(20.0) == 2
    assert rewards.count(-1.0) == summary.episodes - summary.valid


def test_new_branches_are_rewarded_before_the_next_choice(subject):
    def generator(choose):
        for _ in range(2):
            subject.grade(choose([1, 9]))

    told = []

    class Spy:
        def __init__(self):
            self.answers = iter([0, 1, 0, 0])

        def select(self, point, state, n):
            told.append("select")
            return next(self.answers)

        def reward(self, value):
            told.append(value)

        def update(self, episode):
            told.append((episode.earned, episode.reward))

    campaign = Campaign(generator, reward="new-branches", coverage=subject, learner=Spy())
    campaign.run(episodes=2)
    assert told == [
        *("select", 2.0, "select", (2.0, 1.0)),
        *("select", "select", (0.0, 0.0)),
    ]


def test_new_branches_in_a_loop_of_ones_own(subject):
    with Coverage(subject, ordered=True) as cover:
        guide = Guide("uniform", reward="new-branches", coverage=cover, seed=0)
        guide.start()
        subject.grade(guide.choose([1]))
        episode = guide.finish(Outcome.VALID)
    assert episode.new_branches == 2
    assert len(episode.path) == 2


# Cold starts.


@pytest.mark.parametrize("learner", ["diverse", "monte-carlo"])
def test_before_anything_is_valid_new_branches_are_progress(subject, learner):
    campaign = Campaign(code, valid=subject.is_code, coverage=subject, learner=learner, seed=0)
    found, _ = told(campaign, 400)
    before = found[: found.index((0.0, 20.0))] if (0.0, 20.0) in found else found
    assert set(before) == {(0.5, -1.0), (0.0, -1.0)}
    # Each of the conditions is new once.
    assert 2 <= before.count((0.5, -1.0)) <= 3


def test_after_the_first_valid_input_new_branches_are_no_progress(subject):
    campaign = Campaign(number, valid=lambda x: not subject.steps(x) and x == 0, coverage=subject, seed=0)
    found, _ = told(campaign, 6)
    first = found.index((0.0, 20.0))
    assert all(progress == 0.0 for progress, _ in found[first:])


def test_assumptions_that_hold_and_new_branches_both_are_progress(subject):
    def test(xs):
        rlcheck.assume(True)
        rlcheck.assume(subject.is_code(xs))

    campaign = Campaign(code, test=test, coverage=subject, learner="uniform", seed=0)
    assert told(campaign, 3)[0] == [(1.0, -1.0), (0.5, -1.0), (0.5, -1.0)]


def test_who_grades_inputs_is_listened_to_alone(subject):
    campaign = Campaign(
        code, valid=lambda xs: 0.25 + subject.is_code(xs), coverage=subject, learner="uniform", seed=0
    )
    assert told(campaign, 3)[0] == [(0.25, -1.0)] * 3


def test_a_campaign_that_starts_cold_looks_at_branches_by_itself(subject):
    lenient = []
    valid = functools.wraps(subject.is_code)(lambda xs: bool(lenient) or subject.is_code(xs))
    campaign = Campaign(code, valid=valid, seed=0, learner="uniform")
    assert campaign.run(episodes=COLD + SCOUTED - 1).note == ""
    summary = campaign.run(episodes=2)
    assert summary.note == (
        f"none of the first {COLD:,} inputs was valid: from then on, what covered_subject compared led to new"
        " inputs, until one was valid"
    )
    assert summary.note in str(summary)
    assert campaign.guide.coverage.modules == ["covered_subject", __name__]
    assert not campaign.guide.coverage.is_on
    lenient.append(True)
    campaign.run(episodes=1)
    assert not campaign.guide.coverage.is_on
    assert not switch._owners


@pytest.mark.parametrize(
    "arguments",
    [
        {"valid": lambda xs: xs[0] > 1},
        {"valid": lambda xs: 0.5},
        {"valid": lambda xs: rlcheck.target(1.0)},
        {"valid": [].__contains__},
        {"coverage": ()},
    ],
)
def test_a_campaign_does_not_look_when_it_is_not_cold_or_is_told_how_near_it_is_or_cannot(subject, arguments):
    campaign = Campaign(code, **{"valid": subject.is_code, "seed": 0, "learner": "uniform", **arguments})
    assert campaign.run(episodes=COLD + SCOUTED + 1).note == ""
    assert campaign.guide.coverage is None


def test_a_cold_campaign_inside_a_covered_one_does_not_disturb_it(subject):
    def outer(choose):
        Campaign(code, valid=subject.is_code, seed=0, learner="uniform").run(episodes=COLD + SCOUTED + 1)
        return choose(range(6))

    campaign = Campaign(outer, test=subject.grade, characteristic="branches", seed=0)
    assert campaign.run(episodes=20).unique_valid == 2


def test_a_property_that_starts_cold_looks_at_its_own_module():
    seen = set()

    @rlcheck.settings(seed=0, episodes=COLD + SCOUTED + 5, learner="uniform")
    @rlcheck.given(xs=code)
    def property(xs):
        seen.update(owner for owner in switch._owners)
        rlcheck.assume(False)

    with pytest.raises(rlcheck.errors.NoValidInput, match="saw no valid input"):
        property()
    assert seen == {__name__}
    assert not switch._owners


def test_a_cold_start_is_the_same_for_the_same_seed(subject):
    def made():
        found = []
        Campaign(
            code, valid=subject.is_code, seed=3, observers=[lambda episode: found.append(episode.choices)]
        ).run(episodes=COLD_CLIMBING + 300)
        return found

    assert made() == made()


def test_paused_it_notes_nothing_and_off_it_leaves_nothing(subject):
    plain = subject.grade.__code__
    with Coverage(subject) as cover:
        cover.pause()
        assert cover.is_on
        assert subject.grade.__code__ is plain
        assert taken(cover, subject.grade, 1) == {}
        cover.resume()
        assert taken(cover, subject.grade, 1) == {"covered_subject:4": 1, "covered_subject:5": 1}
        cover.pause()
    assert subject.grade.__code__ is plain
    with cover:
        assert taken(cover, subject.grade, 1)


def test_a_campaign_that_turned_it_on_by_itself_says_that_it_saw_a_part(subject):
    summary = Campaign(number, valid=subject.grade, learner="portfolio", seed=0).run(episodes=500)
    assert not summary.coverage.whole
    assert "at least 3 branches covered" in str(summary)
    given = Campaign(number, valid=subject.grade, learner="portfolio", seed=0, coverage=subject)
    assert "; 3 branches covered" in str(given.run(episodes=500))
