"""The guide: what it answers, records, refuses and announces."""

from enum import Enum

import pytest

import rlcheck
from rlcheck import Guide, Outcome
from rlcheck.choice import ChoicePoints
from rlcheck.errors import ChoiceError, ConfigurationError, GuideError, Overrun, UnknownName


class Colour(Enum):
    RED = "r"
    BLUE = "b"


def started(**arguments):
    guide = Guide("uniform", seed=0, **arguments)
    guide.start()
    return guide


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ([1, 2], {1, 2}),
        ((1, 2), {1, 2}),
        (range(3, 5), {3, 4}),
        ("ab", {"a", "b"}),
        (Colour, set(Colour)),
    ],
)
def test_chooses_every_option_and_nothing_else(options, allowed):
    guide = started()
    assert {guide.choose(options) for _ in range(100)} == allowed


@pytest.mark.parametrize("learner", ["uniform", "monte-carlo"])
def test_a_range_longer_than_len_can_say_is_covered_to_its_ends(learner):
    guide = Guide(learner, seed=0)
    guide.start()
    drawn = [guide.choose(range(0, 2**70, 3), at="x", state=i) for i in range(300)]
    assert all(0 <= value < 2**70 and value % 3 == 0 for value in drawn)
    assert min(drawn) < 2**66
    assert max(drawn) > 2**69


def test_the_episode_records_indices_in_order():
    guide = Guide("uniform", seed=0)
    episode = guide.start()
    letters = [guide.choose("abcdef") for _ in range(20)]
    guide.finish(Outcome.VALID)
    assert ["abcdef"[index] for index in episode.choices] == letters


@pytest.mark.parametrize("options", [[], (), range(0), "", range(5, 2)])
def test_no_options_is_an_error_that_says_what_to_do(options):
    with pytest.raises(ChoiceError, match=r"at 'here' is empty.*at least one option.*assume\(False\)"):
        started().choose(options, at="here")


@pytest.mark.parametrize("options", [{1, 2}, {"a": 1}, iter([1]), 3, None])
def test_options_without_an_order_are_an_error(options):
    with pytest.raises(ChoiceError, match="ordered collection"):
        started().choose(options)


def test_an_unhashable_state_is_an_error_that_shows_it():
    guide = Guide("monte-carlo", seed=0)
    guide.start()
    with pytest.raises(ChoiceError, match=r"state=\[1\] is of type list and cannot be hashed.*tuple"):
        guide.choose([1, 2], at="x", state=[1])


def test_a_type_error_of_the_learner_is_not_blamed_on_the_state():
    class Broken:
        def select(self, point, state, n):
            raise TypeError("mine")

        def reward(self, value): ...

        def update(self, outcome): ...

    guide = Guide(Broken())
    guide.start()
    with pytest.raises(TypeError, match="mine"):
        guide.choose([1, 2], at="x", state=1)


def test_choosing_outside_an_episode_is_an_error():
    guide = Guide("uniform")
    with pytest.raises(GuideError, match=r"choose\(\) was called outside an episode"):
        guide.choose([1])
    guide.start()
    guide.finish(Outcome.VALID)
    for call in (lambda: guide.choose([1]), lambda: guide.reward(1.0), lambda: guide.finish(Outcome.VALID)):
        with pytest.raises(GuideError, match="outside an episode"):
            call()


def test_starting_twice_is_an_error():
    guide = started()
    with pytest.raises(GuideError, match="finish"):
        guide.start()


def test_an_outcome_must_be_an_outcome():
    guide = started()
    with pytest.raises(GuideError, match=r"outcome=True must be an rlcheck\.Outcome"):
        guide.finish(True)
    guide.finish(Outcome.VALID)


def test_max_choices_unwinds_and_marks_the_episode():
    guide = Guide("uniform", max_choices=3, seed=0)
    episode = guide.start()
    drawn = iter(lambda: guide.choose([1, 2]), None)
    with pytest.raises(Overrun, match="more than max_choices=3 choices"):
        list(drawn)
    assert len(episode.choices) == 3
    assert episode.overrun


def test_a_choice_point_is_a_place_or_a_name():
    asked = []

    class Spy:
        def select(self, point, state, n):
            asked.append(point)
            return 0

        def reward(self, value): ...

        def update(self, outcome): ...

    guide = Guide(Spy())
    guide.start()
    for _ in range(2):
        guide.choose([1]), guide.choose([1])
        guide.choose([1], at="named")
        guide.choose([1], at="named", state=1)
    first, second, named, same = asked[:4]
    assert asked[4:] == asked[:4]
    assert len({first, second, named}) == 3
    assert same is named
    assert named.name == "named"
    assert "test_a_choice_point_is_a_place_or_a_name" in first.name


def test_uniqueness_is_by_choices_when_there_is_no_value():
    guide = Guide("uniform", seed=0)
    unique = 0
    for _ in range(200):
        guide.start()
        guide.choose(range(10))
        unique += guide.finish(Outcome.VALID).unique
    assert unique == 10


def test_rewards_reach_the_learner_in_order_and_the_last_one_with_the_episode():
    heard = []

    class Spy:
        def select(self, point, state, n):
            heard.append("select")
            return 0

        def reward(self, value):
            heard.append(value)

        def update(self, episode):
            heard.append((episode.earned, episode.reward, episode.outcome))

    guide = Guide(Spy(), reward=lambda episode: 7.0)
    guide.start()
    guide.choose([1])
    guide.reward(0.5)
    guide.finish(Outcome.FAILED)
    assert heard == ["select", 0.5, (0.5, 7.0, Outcome.FAILED)]


def test_observers_see_the_finished_episode_after_learning():
    seen = []
    guide = Guide("uniform", observers=[lambda episode: seen.append((episode.outcome, episode.unique))])
    for _ in range(2):
        guide.start()
        guide.finish(Outcome.VALID)
    assert seen == [(Outcome.VALID, True), (Outcome.VALID, False)]


def test_an_abandoned_episode_is_not_announced():
    seen = []
    guide = Guide("monte-carlo", observers=[seen.append])
    guide.start()
    guide.choose([1, 2])
    guide.abandon()
    guide.abandon()
    assert seen == []
    guide.start()
    guide.finish(Outcome.VALID)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"learner": "monte-calro"}, "learner='monte-calro' is not known. Did you mean 'monte-carlo'?"),
        ({"learner": "sarsa"}, "Did you mean 'sarsa-lambda'?"),
        ({"abstraction": "call"}, "abstraction='call' is not known"),
        ({"reward": "x"}, "Known: 'combine'"),
        ({"characteristic": "x"}, "Known: 'branches'"),
        ({"characteristic": 3}, "characteristic=3 must be a name"),
        ({"learner": 3}, r"learner=3 has no method select\(\)"),
        ({"seed": "a"}, "seed='a' must be an integer"),
        ({"seed": True}, "seed=True must be an integer"),
        ({"max_choices": 0}, "max_choices=0 must be"),
    ],
)
def test_bad_arguments_are_refused_when_constructing(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        Guide(**arguments)


def test_an_unknown_name_is_a_lookup_error_too():
    with pytest.raises(LookupError, match="learner='nothing' is not known"):
        Guide("nothing")
    assert issubclass(UnknownName, rlcheck.RlcheckError)


def test_two_guides_side_by_side_do_not_mix():
    def run(guides):
        made = {guide: [] for guide in guides}
        for _ in range(50):
            for guide in guides:
                guide.start()
            for _ in range(5):
                for guide in guides:
                    made[guide].append(guide.choose(range(9)))
            for guide in guides:
                guide.finish(Outcome.VALID)
        return list(made.values())

    one, two = Guide("monte-carlo", seed=1), Guide("monte-carlo", seed=2)
    assert run([one, two]) == [*run([Guide("monte-carlo", seed=1)]), *run([Guide("monte-carlo", seed=2)])]


def test_points_have_the_same_numbers_in_whatever_order_they_are_met():
    names = ["tree:3:4-20", "tree:5:8-30", "op", ("row", 3)]
    one, other = ChoicePoints(), ChoicePoints()
    numbers = {name: one.named(name).number for name in names}
    assert {name: other.named(name).number for name in reversed(names)} == numbers
    assert len(set(numbers.values())) == len(names)


def test_two_points_never_share_a_number_while_there_are_enough():
    points = ChoicePoints()
    numbers = {points.named(name).number for name in range(20_000)}
    assert len(numbers) == 20_000
    assert max(numbers) < 1 << 16


def test_a_guide_keeps_how_many_options_there_were_when_told_to():
    guide = Guide(seed=0)
    episode = guide.start()
    guide.choose(range(3))
    guide.choose([7])
    assert guide.finish(Outcome.VALID).sizes == [3, 1]
    assert episode.choices[1] == 0


def test_a_guide_tells_whether_an_episode_is_running():
    guide = Guide("uniform", seed=0)
    assert not guide.running
    guide.start()
    assert guide.running
    guide.finish(Outcome.VALID)
    assert not guide.running


def test_a_point_tells_whether_its_options_are_numbers():
    guide = Guide("monte-carlo", seed=0)
    guide.start()
    for name, options in (("words", "abc"), ("range", range(3)), ("mixed", ["a", 1]), ("floats", [0.5, 1.5])):
        guide.choose(options, at=name)
    ordered = {name: guide.points.named(name).ordered for name in ("words", "range", "mixed", "floats")}
    assert ordered == {"words": False, "range": True, "mixed": False, "floats": True}
