"""Why an input was rejected: what `valid` may return, how messages become reasons, and which are counted."""

import pytest

import rlcheck
from rlcheck import Campaign
from rlcheck.errors import ConfigurationError
from rlcheck.reasons import Reasons, Rejection, rejection_of, text_of, without_values


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("'a' is not of type \"string\"", "_ is not of type _"),
        ("expected 3, got -17.5", "expected _, got _"),
        ("[1, {'a': (2,)}] is  too\n long", "_ is too long"),
        ("at 0x7fe3 in <f at 3>", "at _ in _"),
        ("line12 is fine", "line12 is fine"),
        ("x" * 500, "x" * 200),
    ],
)
def test_values_are_taken_out_of_a_message(message, reason):
    assert without_values(message) == reason


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ("no key 'a'", "no key _"),
        (ValueError("no key 'a'"), "ValueError: no key _"),
        (["no key 'a'"], "no key _"),
        (("no key 'a'", KeyError(3), "late"), "no key _ (and 2 more)"),
        (["early"] * 30, "early (and 29 more)"),
    ],
)
def test_what_is_wrong_may_be_returned(returned, reason):
    assert rejection_of(returned).reason == reason


@pytest.mark.parametrize(
    "returned", [True, False, None, 0, 3, 0.5, object(), "", [], (), [1], ["late", 1], {}, {"a": "b"}, {1}]
)
def test_other_things_are_truth_values(returned):
    assert rejection_of(returned) is None


@pytest.mark.parametrize("first", [[], ["too long"]])
def test_errors_where_there_are_some_and_nothing_otherwise_cannot_be_meant(first):
    answers = iter([first, True, [], ["too long"]])
    campaign = Campaign(lambda choose: choose(range(10)), valid=lambda _: next(answers))
    with pytest.raises(ConfigurationError, match="Write `return errors or True`"):
        campaign.run(episodes=10)


@pytest.mark.parametrize("empty", ["", [], (), {}])
def test_what_is_empty_is_false(empty):
    campaign = Campaign(lambda choose: choose(range(10)), valid=lambda x: empty if x < 5 else [x], seed=0)
    summary = campaign.run(episodes=50)
    assert 0 < summary.unique_valid <= 5


def test_an_exception_that_cannot_be_shown_is_known_by_its_type():
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError

    assert text_of(Odd()) == "Odd: str() raised"
    assert text_of(Odd("args are enough")) == "Odd: args are enough"


def test_the_order_of_errors_matters_for_the_first_sign_alone():
    one, other = Rejection(["a", "b"]).signs(), Rejection(["b", "a"]).signs()
    assert one[0] != other[0]
    assert one[1] == other[1]


def test_a_campaign_rejects_what_valid_finds_wrong():
    def valid(x):
        return [f"{x} is too low"] if x < 3 else ValueError(f"{x} is too high") if x > 5 else True

    campaign = Campaign(lambda choose: choose(range(10)), valid=valid, seed=0)
    campaign.run(episodes=100)
    found = campaign.summary.reasons.most_common()
    assert {reason for reason, _, _ in found} == {"_ is too low", "ValueError: _ is too high"}
    assert all(valid(*choices) is not True for _, _, choices in found)
    assert campaign.summary.unique_valid == 3


def test_assume_is_known_by_its_place():
    def valid(x):
        rlcheck.assume(x > 3)
        rlcheck.assume(x > 5)
        return True

    line = valid.__code__.co_firstlineno
    campaign = Campaign(lambda choose: choose(range(7)), valid=valid, seed=0)
    campaign.run(episodes=60)
    reasons = {reason for reason, _, _ in campaign.summary.reasons.most_common()}
    assert reasons == {f"assume() at {__name__}:{line + 1}", f"assume() at {__name__}:{line + 2}"}


def test_reasons_are_counted_with_an_example_and_not_without_end():
    reasons = Reasons()
    assert not reasons
    for number in range(1_100):
        reasons.add(f"reason {number}", [number])
    for number in range(3):
        reasons.add("", [number])
    found = reasons.most_common(2)
    assert found == [("other reasons", 102, [1_001]), ("reason 0", 1, [0])]


def test_a_summary_without_a_valid_input_shows_what_rejected_most():
    def valid(x):
        return "low" if x < 6 else False

    campaign = Campaign(lambda choose: choose(range(9)), valid=valid, seed=0, coverage=())
    text = str(campaign.run(episodes=9))
    assert "the closest misses:\n  6 x low (such as the choices [" in text
    assert "\n  3 x valid() was false (such as the choices [" in text
    assert "closest misses" not in str(Campaign(lambda choose: choose([1, 2]), seed=0).run(episodes=2))
