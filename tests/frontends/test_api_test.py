"""ApiTest: calls are chosen, judged, measured, made small and written down."""

import operator
from enum import Enum
from functools import partial
from itertools import count

import pytest

import rlcheck
from rlcheck.errors import ConfigurationError, ReplayError
from rlcheck.frontends.api.calls import Call, operations_of
from rlcheck.frontends.api.measures import Measures
from rlcheck.frontends.api.minimise import minimise
from rlcheck.frontends.api.portfolio import ApiPortfolio
from rlcheck.frontends.api.shape_search import ShapeSearch
from rlcheck.frontends.api.trial import Rules
from rlcheck.learners import Uniform

LEARNERS = ["uniform", "sarsa-lambda", ApiPortfolio(), "portfolio", "diverse"]
SEARCHES = [ShapeSearch(), ShapeSearch(copy=True)]


class Stack:
    """A stack that forgets its fourth element when a fifth one comes."""

    most = 99

    def __init__(self):
        self.items = []

    def push(self, value):
        if len(self.items) == self.most:
            del self.items[3]
        self.items.append(value)

    def pop(self):
        if not self.items:
            raise IndexError("empty")
        return self.items.pop()

    def size(self):
        return len(self.items)


class Leaky(Stack):
    most = 4


class Silent(Stack):
    def pop(self):
        return None


class Words(Enum):
    HELLO = "hello"
    BYE = "bye"


OPERATIONS = {"push": [range(10)], "pop": [], "size": []}


def clear(stack):
    stack.items.clear()


def drop_at(stack, place):
    del stack.items[place]


def places(stack):
    return range(len(stack.items))


def few(stack):
    return len(stack.items) < 7


def few_or_error(stack):
    if len(stack.items) > 6:
        raise OverflowError("too many")


def check_snippet(failure, error=AssertionError):
    with pytest.raises(error):
        exec(failure.snippet, {})


@pytest.mark.parametrize("learner", [*LEARNERS, *SEARCHES])
def test_a_right_subject_passes_and_is_measured(learner):
    test = rlcheck.ApiTest(Stack, OPERATIONS, Stack, 30, learner=learner, seed=0)
    summary = test.run(episodes=60)
    assert not summary.failures
    assert summary.stopped == "episodes"
    # The start of each method and what its decision leads to: push never finds the stack full.
    assert (summary.branches, summary.paths, summary.combinations) == (6, 4, 6)
    assert summary.shapes >= 5
    assert summary.calls == (60 if isinstance(learner, ShapeSearch) else 60 * 30)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_bug_is_found_made_small_and_written_down(learner):
    test = rlcheck.ApiTest(Leaky, OPERATIONS, Stack, learner=learner, seed=1)
    summary = test.run(episodes=500)
    assert summary.stopped == "failure"
    (failure,) = summary.failures
    assert len(failure.calls) in (6, 7)
    check_snippet(failure)
    assert str(failure) in str(summary)
    assert "  Reproduce with:\n    from " in str(failure)
    with pytest.raises(AssertionError, match="the oracle gave"):
        test.replay(failure.calls)
    with pytest.raises(AssertionError, match="the oracle gave"):
        test.replay(failure.found)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_finds_what_each_shape_shows_and_ends(search):
    class Wrong(Stack):
        def size(self):
            return len(self.items) if len(self.items) < 3 else 3

    summary = rlcheck.ApiTest(Wrong, OPERATIONS, Stack, learner=search).run(episodes=500)
    assert summary.failures[0].calls == [[0, 0]] * 4 + [[2]]
    # What a fifth element does to the stack, no new shape shows: the search does not look behind it.
    blind = rlcheck.ApiTest(Leaky, OPERATIONS, Stack, learner=search).run(episodes=500)
    assert blind.stopped == "exhausted"
    assert not blind.failures


def test_the_snippet_is_a_program():
    summary = rlcheck.ApiTest(Leaky, OPERATIONS, Stack, seed=1).run(episodes=200)
    assert summary.failures[0].snippet == (
        f"from {__name__} import Leaky\n"
        f"from {__name__} import Stack\n"
        "\n"
        "subject = Leaky()\n"
        "oracle = Stack()\n"
        + 5 * "assert subject.push(0) == oracle.push(0)\n"
        + "assert subject.size() == oracle.size()\n"
    )


def test_the_same_seed_makes_the_same_tests():
    def distribution(seed):
        test = rlcheck.ApiTest(Stack, OPERATIONS, Stack, 50, seed=seed)
        return test.run(episodes=20).distribution

    assert distribution(5) == distribution(5) != distribution(6)


def test_exceptions_agree_with_the_oracle_or_are_failures():
    wrong = rlcheck.ApiTest(Silent, {"pop": []}, Stack, seed=0).run(episodes=50)
    assert "the oracle raised IndexError" in str(wrong.failures[0].error)
    check_snippet(wrong.failures[0])
    alone = rlcheck.ApiTest(Stack, OPERATIONS, seed=0).run(episodes=50)
    check_snippet(alone.failures[0], IndexError)
    assert alone.failures[0].calls == [[1]]
    assert not rlcheck.ApiTest(Stack, OPERATIONS, allowed=(IndexError,), seed=0).run(episodes=50).failures


@pytest.mark.parametrize("invariant", [few, few_or_error])
def test_invariants_hold_after_each_call(invariant):
    operations = {"push": [range(3)], "size": []}
    summary = rlcheck.ApiTest(Stack, operations, invariants=[invariant], seed=0).run(episodes=50)
    (failure,) = summary.failures
    assert failure.calls == [[0, 0]] * 7
    check_snippet(failure, (AssertionError, OverflowError))


def test_operations_may_be_functions_and_options_may_move():
    operations = [("push", Words), "pop", clear, (drop_at, places)]
    test = rlcheck.ApiTest(Stack, operations, Stack, seed=0)
    summary = test.run(episodes=10)
    assert not summary.failures
    written = {test.written(call).split("(")[0] for call in summary.distribution}
    assert written == {"subject.push", "subject.pop", "clear", "drop_at"}
    broken = rlcheck.ApiTest(Leaky, operations, Stack, seed=0).run(episodes=300)
    assert "push(Words.HELLO)" in broken.failures[0].snippet
    check_snippet(broken.failures[0], (AssertionError, IndexError))
    only = rlcheck.ApiTest(Stack, [(drop_at, places)], seed=0).run(episodes=3)
    assert only.calls == 0


def test_a_moving_source_is_written_by_its_name():
    summary = rlcheck.ApiTest(
        Stack, [("push", [7]), (drop_at, places)], invariants=[few], learner="swarm", seed=0
    ).run(episodes=50)
    test = rlcheck.ApiTest(Stack, [("push", [7]), (drop_at, places)], seed=0)
    assert test.written(type(next(iter(summary.distribution)))(1, (2,))) == (
        "drop_at(subject, places(subject)[2])"
    )


def test_a_single_option_list_may_stand_alone():
    test = rlcheck.ApiTest(Stack, {"push": range(3), "pop": ()}, Stack, seed=0)
    assert not test.run(episodes=5).failures


@pytest.mark.parametrize("lone", ["ab", range(2)])
def test_one_argument_needs_no_list_around_its_options(lone):
    test = rlcheck.ApiTest(Stack, {"push": lone}, Stack, 20, seed=0)
    assert len(test.run(episodes=3).distribution) == 2


def test_methods_of_a_class_are_written_with_it():
    operations = [(Stack.push, range(4)), Stack.pop, Stack.size]
    summary = rlcheck.ApiTest(Leaky, operations, Stack, seed=1).run(episodes=200)
    assert "Stack.push(subject, 0)" in summary.failures[0].snippet
    check_snippet(summary.failures[0])


def test_what_cannot_be_imported_is_said_and_the_snippet_is_still_python():
    test = rlcheck.ApiTest(
        partial(Stack), [(lambda stack, value: stack.push(value), range(2))], invariants=[lambda _: False]
    )
    text = test.run().failures[0].snippet
    compile(text, "<snippet>", "exec")
    assert "# partial_ stands for what ApiTest was given" in text


def test_a_call_is_traded_for_another_when_none_can_be_left_out():
    def neither(stack):
        return stack.items not in ([0, 0, 0, 0], [0, 0, 3])

    rules = Rules(operations_of({"push": [range(4)]}), Stack, None, (neither,), ())
    found = minimise(rules, [Call(0, (0,))] * 4)
    assert found is not None
    assert found[0] == [Call(0, (0,)), Call(0, (0,)), Call(0, (3,))]


def test_failures_can_be_gone_past_and_runs_stop_at_new_ones():
    test = rlcheck.ApiTest(Leaky, OPERATIONS, Stack, seed=1)
    test.run(episodes=30, stop_on_failure=False)
    assert test.summary.episodes == 30
    assert len(test.summary.failures) == 1
    assert test.run(episodes=30).stopped == "failure"
    search = rlcheck.ApiTest(
        Leaky, {"size": [], "push": [[1]]}, list, allowed=[TypeError], learner=SEARCHES[0]
    )
    assert search.run(episodes=20, stop_on_failure=False).stopped == "exhausted"


def test_check_raises_with_the_snippet():
    with pytest.raises(AssertionError, match="the oracle gave") as caught:
        rlcheck.ApiTest(Leaky, OPERATIONS, Stack, seed=1).check(episodes=200)
    assert any("subject = Leaky()" in note for note in caught.value.__notes__)
    rlcheck.ApiTest(Stack, OPERATIONS, Stack, seed=1).check(episodes=5)


def test_runs_go_on_and_a_search_ends():
    test = rlcheck.ApiTest(Stack, OPERATIONS, Stack, 10, seed=0)
    test.run(episodes=3)
    assert test.run(episodes=4).episodes == 7
    search = rlcheck.ApiTest(Stack, OPERATIONS, Stack, 3, learner=ShapeSearch())
    assert search.run(seconds=20).stopped == "exhausted"
    assert search.summary.shapes == 4


def test_contexts_and_learners_can_be_chosen():
    for context in (rlcheck.contexts.concrete, rlcheck.contexts.shape_members, Stack.size):
        for counted in (False, True):
            test = rlcheck.ApiTest(
                Stack, OPERATIONS, Stack, 20, context=context, counted=counted, coverage=(), seed=0
            )
            assert not test.run(episodes=3).failures


@pytest.mark.parametrize(("operations", "members"), [(OPERATIONS, 3), ({"push": range(4)}, 2)])
def test_a_portfolio_prefers_operations_where_there_are_several(operations, members):
    test = rlcheck.ApiTest(Stack, operations, Stack, learner=ApiPortfolio(), seed=0)
    assert not test.run(episodes=20).failures
    assert len(test.process.guide.learner.members) == members


def test_members_of_a_portfolio_pay_for_their_choices():
    class Dear(Uniform):
        price = 100.0

    always_new = count()
    learner = ApiPortfolio([Uniform(), Dear()], turn=1)
    test = rlcheck.ApiTest(
        Stack, OPERATIONS, Stack, 20, learner=learner, shape=lambda stack: next(always_new), seed=0
    )
    test.run(episodes=300)
    cheap, dear = test.process.guide.learner.episodes
    assert cheap > 2 * dear > 0


def test_a_shape_is_worth_more_where_shapes_are_rare():
    measures = Measures(None, len, len, counted=False)
    measures.begin("")
    assert measures.after("a") == 1.0, "no more than a path, where there are as few of them"
    measures.paths.update(range(300))
    assert measures.after("a") == 0.0
    assert measures.after("ab") == 100.0, "300 paths, 3 shapes"


def test_a_subject_without_source_has_shapes_only():
    summary = rlcheck.ApiTest(list, {"append": [range(3)]}, list, 10, seed=0).run(episodes=3)
    assert (summary.paths, summary.branches, summary.combinations) == (0, 0, 0)
    assert summary.shapes == 11


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"operations": []}, "is empty"),
        ({"operations": "push"}, "must be a mapping"),
        ({"operations": {"push": [[]]}}, "no option"),
        ({"operations": {"push": 3}}, "needs its own options"),
        ({"operations": {"push": [1, 2]}}, "has 1 for argument 0: each needs its own options"),
        ({"operations": [3]}, "must be the name of a method"),
        ({"operations": ["pop", "pop"]}, "different names"),
        ({"oracle": Stack()}, "oracle"),
        ({"subject_factory": None}, "subject_factory"),
        ({"length": 0}, "length=0"),
        ({"learner": "sarsa_lambda"}, "Did you mean 'sarsa-lambda'"),
        ({"invariants": [3]}, "invariant=3"),
        ({"allowed": (3,)}, "allowed"),
        ({"context": 3}, "context=3"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        rlcheck.ApiTest(**({"subject_factory": Stack, "operations": OPERATIONS} | arguments))


def test_calls_of_other_operations_do_not_replay():
    test = rlcheck.ApiTest(Stack, OPERATIONS, Stack)
    with pytest.raises(ReplayError, match="other operations"):
        test.replay([[7]])
    test.replay([[0, 3], [2], [1]])


def test_a_failure_that_does_not_repeat_is_still_reported():
    class Moody(Stack):
        calls = 0

        def size(self):
            Moody.calls += 1
            return operator.index(99) if Moody.calls == 5 else super().size()

    summary = rlcheck.ApiTest(Moody, OPERATIONS, Stack, seed=0).run(episodes=20)
    assert "same calls did not fail again" in summary.failures[0].error.__notes__[0]


def test_abp_fills_what_random_calls_do_not():
    def shapes(learner):
        tests = [rlcheck.ApiTest(Stack, OPERATIONS, Stack, 60, learner=learner, seed=seed) for seed in (0, 1)]
        return sum(test.run(episodes=60).shapes for test in tests)

    # For single seeds, of six: uniform 17 to 21, sarsa-lambda 19 to 28, portfolio 46 to 61.
    uniform = shapes("uniform")
    assert shapes("sarsa-lambda") > 1.1 * uniform
    assert shapes(ApiPortfolio()) > 2 * uniform


class Grower:
    """Only `grow` gives it a new shape."""

    serial = count()

    def __init__(self):
        self.shape = 0

    def grow(self):
        self.shape = next(Grower.serial)

    def rest(self):
        pass

    sit = stand = wait = rest


def share_of_growth(learner, seed):
    """How many calls of later tests are the one that is rewarded."""
    test = rlcheck.ApiTest(
        Grower,
        ["rest", "sit", "grow", "stand", "wait"],
        length=20,
        learner=learner,
        shape=lambda subject: subject.shape,
        context=type,
        coverage=(),
        seed=seed,
    )
    before = test.run(episodes=200).distribution.copy()
    later = test.run(episodes=100).distribution - before
    return later[Call(2, ())] / later.total()


@pytest.mark.parametrize(
    "learner",
    [
        "monte-carlo",
        "sarsa-lambda",
        "portfolio",
        ApiPortfolio(),
        "diverse",
    ],
)
def test_every_learner_prefers_the_call_that_is_rewarded(learner):
    # At random it is 0.2.
    assert sum(share_of_growth(learner, seed) for seed in range(3)) / 3 > 0.25


def test_a_misspelt_method_is_no_failure():
    test = rlcheck.ApiTest(Stack, {"psh": [range(3)]}, Stack, seed=0)
    with pytest.raises(ConfigurationError, match="'psh' must be a method of the subject, and Stack has none"):
        test.run(episodes=1)
