"""Campaigns: budgets, counting, failures, and everything that can go wrong in user code."""

import itertools
import pickle
import threading
from types import SimpleNamespace

import pytest

import rlcheck
from rlcheck import Campaign, Outcome, budget
from rlcheck import campaign as campaign_module
from rlcheck.errors import ConfigurationError, GeneratorError


def digits(choose):
    return [choose(range(10)) for _ in range(3)]


def counting(choose):
    return choose(range(4))


def test_counts_inputs_valid_and_unique():
    summary = Campaign(counting, valid=lambda x: x < 3, learner="uniform", seed=0).run(episodes=500)
    assert summary.episodes == 500
    assert 300 < summary.valid < 450
    assert summary.unique_valid == 3
    assert summary.failures == []
    assert summary.stopped == "episodes"
    assert summary.seconds > 0


def test_running_again_goes_on():
    campaign = Campaign(digits, seed=3)
    campaign.run(episodes=50)
    summary = campaign.run(episodes=50)
    assert (summary.episodes, summary.unique_valid) == (
        100,
        Campaign(digits, seed=3).run(episodes=100).unique_valid,
    )


def test_seconds_are_a_budget(monkeypatch):
    ticks = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: float(next(ticks)))
    monkeypatch.setattr(budget, "time", clock)
    monkeypatch.setattr(campaign_module, "time", clock)
    summary = Campaign(digits, learner="uniform", seed=0).run(seconds=20.0)
    # The clock is read once before each episode, and once when the budget and the run begin and end.
    assert (summary.stopped, summary.episodes, summary.seconds) == ("seconds", 19, 22.0)


def test_the_default_budget_is_finite():
    assert Campaign(counting, learner="uniform", seed=0).run().episodes == 10_000


@pytest.mark.parametrize(
    "budget",
    [
        {"episodes": 0},
        {"episodes": -5},
        {"seconds": -1.0},
        {"seconds": 0},
        {"episodes": True},
        {"episodes": 2.5},
    ],
)
def test_a_budget_must_be_above_zero(budget):
    with pytest.raises(ConfigurationError, match=r"must be (an integer )?above 0"):
        Campaign(counting).run(**budget)


@pytest.mark.parametrize(
    "arguments", [{"generator": 3}, {"generator": None}, {"generator": counting, "valid": 1}]
)
def test_functions_must_be_functions(arguments):
    with pytest.raises(ConfigurationError, match="must be a function"):
        Campaign(**arguments)


def test_a_seed_is_drawn_and_reported_when_none_is_given():
    first = Campaign(digits).run(episodes=20)
    again = Campaign(digits, seed=first.seed).run(episodes=20)
    assert again.unique_valid == first.unique_valid
    assert Campaign(digits).summary.seed != first.seed


def test_a_failing_property_is_a_result_and_a_valid_input():
    def test(xs):
        assert xs[0] != 7, "seven"

    summary = Campaign(digits, test=test, learner="uniform", seed=0).run(episodes=1000)
    assert summary.valid == 1000
    (failure,) = summary.failures
    assert isinstance(failure.error, AssertionError)
    assert failure.count > 50
    assert failure.value == rlcheck.replay(digits, failure.choices)
    assert failure.value[0] == 7
    assert "AssertionError at " in failure.place
    assert str(list(failure.choices)) in str(summary)


def test_failures_are_told_apart_by_type_and_place():
    def test(xs):
        if xs[0] == 1:
            raise ValueError
        if xs[0] == 2:
            raise KeyError
        if xs[0] == 3:
            raise ValueError

    summary = Campaign(digits, test=test, learner="uniform", seed=0).run(episodes=500)
    assert len(summary.failures) == 3


def test_a_failing_input_teaches_as_a_valid_one():
    def test(x):
        raise RuntimeError

    rewards = []
    campaign = Campaign(
        counting,
        test=test,
        learner="uniform",
        seed=0,
        observers=[lambda episode: rewards.append(episode.reward)],
    )
    campaign.run(episodes=200)
    assert sum(rewards) == 4 * 20.0


def test_the_property_may_reject():
    def test(x):
        rlcheck.assume(x == 2)

    summary = Campaign(counting, test=test, learner="uniform", seed=0).run(episodes=400)
    assert 50 < summary.valid < 150
    assert summary.unique_valid == 1


def test_the_generator_may_reject():
    def generator(choose):
        x = choose(range(4))
        rlcheck.assume(x != 3)
        return x

    summary = Campaign(generator, learner="uniform", seed=0).run(episodes=400)
    assert 200 < summary.valid < 350


def test_user_code_cannot_swallow_a_rejection():
    def generator(choose):
        try:
            rlcheck.assume(False)
        except Exception:
            return choose([1, 2])

    assert Campaign(generator).run(episodes=10).valid == 0


@pytest.mark.parametrize("part", ["generator", "valid"])
def test_user_code_that_is_not_the_property_must_not_raise(part):
    def generator(choose):
        x = choose(range(4))
        if part == "generator" and x == 2:
            raise KeyError("oops")
        return x

    def valid(x):
        if part == "valid" and x == 2:
            raise KeyError("oops")
        return True

    campaign = Campaign(generator, valid=valid, learner="uniform", seed=0)
    with pytest.raises(
        GeneratorError, match=r"KeyError: 'oops'(.|\n)*rlcheck.replay\(generator, \[2\]\)"
    ) as caught:
        campaign.run(episodes=100)
    assert caught.value.choices == (2,)
    assert isinstance(caught.value.__cause__, KeyError)
    assert campaign.summary.seconds > 0


def test_an_error_of_a_generator_crosses_processes():
    error = pickle.loads(pickle.dumps(GeneratorError("oops", [2, 5])))
    assert (str(error), error.choices) == ("oops", (2, 5))


def test_a_generator_that_never_chooses_makes_one_input():
    summary = Campaign(lambda choose: 42).run(episodes=1000)
    assert (summary.episodes, summary.unique_valid, summary.stopped) == (1, 1, "exhausted")


def test_a_generator_that_never_ends_overruns():
    def generator(choose):
        while True:
            choose([1, 2])

    summary = Campaign(generator, max_choices=50).run(episodes=20)
    assert (summary.episodes, summary.valid, summary.overruns) == (20, 0, 20)
    assert "20 overran max_choices" in str(summary)


def test_ctrl_c_ends_a_run_with_its_summary():
    calls = 0

    def generator(choose):
        nonlocal calls
        calls += 1
        x = choose(range(400))
        if calls == 30:
            raise KeyboardInterrupt
        return x

    campaign = Campaign(generator)
    summary = campaign.run(episodes=1000)
    assert (summary.episodes, summary.stopped) == (29, "interrupted")
    assert campaign.run(episodes=10).episodes == 39


def test_a_generator_may_run_a_campaign():
    def outer(choose):
        first = choose(range(10))
        inner = Campaign(digits, seed=first).run(episodes=5)
        return [first, choose(range(10)), inner.unique_valid]

    def plain(choose):
        first = choose(range(10))
        return [first, choose(range(10)), 5]

    def made(generator):
        values = []
        campaign = Campaign(generator, seed=1, observers=[lambda episode: values.append(episode.choices)])
        campaign.run(episodes=30)
        return values

    assert made(outer) == made(plain)


def test_campaigns_in_threads_do_not_mix():
    def run(seed):
        return Campaign(digits, valid=lambda xs: xs == sorted(xs), seed=seed).run(episodes=2000).unique_valid

    alone = [run(seed) for seed in range(4)]
    found = {}
    threads = [threading.Thread(target=lambda s=seed: found.update({s: run(s)})) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == alone


def test_a_test_that_changes_its_input_does_not_change_what_is_counted():
    def pair(choose):
        return [choose(range(4)), choose(range(4))]

    def test(xs):
        xs.sort()
        assert xs != [1, 3]

    summary = Campaign(pair, test=test, learner="uniform", seed=0).run(episodes=1000)
    assert summary.unique_valid == 16
    assert summary.failures[0].value == rlcheck.replay(pair, summary.failures[0].choices)


@pytest.mark.parametrize("fault", [SystemExit, KeyboardInterrupt])
def test_an_exception_that_ends_the_program_leaves_the_guide_usable(fault):
    ended = []

    def test(x):
        if x == 2 and not ended:
            ended.append(x)
            raise fault

    campaign = Campaign(counting, test=test, learner="uniform", seed=0)
    try:
        campaign.run(episodes=100)
    except SystemExit:
        pass
    before = campaign.summary.episodes
    assert campaign.run(episodes=10).episodes == before + 10


def test_a_characteristic_must_be_hashable():
    class Opaque:
        __hash__ = None

    campaign = Campaign(counting, characteristic=lambda x: Opaque(), seed=0)
    with pytest.raises(ConfigurationError, match="cannot be hashed"):
        campaign.run(episodes=10)


def test_functions_with_yield_or_async_are_refused():
    def generator(choose):
        yield choose([1, 2])

    with pytest.raises(ConfigurationError, match="runs nothing"):
        Campaign(generator)


def test_an_error_of_rlcheck_in_a_generator_shows_the_choices():
    def generator(choose):
        choose([1])
        return choose([])

    with pytest.raises(rlcheck.errors.ChoiceError) as caught:
        Campaign(generator).run(episodes=3)
    assert "after the choices [0]" in caught.value.__notes__[0]


def test_stop_on_failure():
    def test(x):
        assert x != 1

    summary = Campaign(counting, test=test, seed=0).run(episodes=1000, stop_on_failure=True)
    assert summary.stopped == "failure"
    assert summary.episodes < 1000


def test_characteristics_decide_what_is_unique():
    def words(choose):
        return [choose("ab") for _ in range(choose(range(4)))]

    def unique(characteristic):
        campaign = Campaign(words, learner="uniform", seed=0, characteristic=characteristic)
        return campaign.run(episodes=2000).unique_valid

    assert unique(None) == unique("identity") == 1 + 2 + 4 + 8
    assert unique("size") == 4
    assert unique(lambda xs: xs.count("a")) == 4


def test_identity_is_of_the_value_when_it_is_plain_data():
    def total(choose):
        return choose(range(3)) + choose(range(3))

    class Opaque:
        def __init__(self, value):
            self.value = value

    assert Campaign(total, learner="uniform", seed=0).run(episodes=500).unique_valid == 5
    opaque = Campaign(lambda choose: Opaque(total(choose)), learner="uniform", seed=0)
    assert opaque.run(episodes=500).unique_valid == 9


def test_outcomes_of_episodes():
    campaign = Campaign(counting, valid=lambda x: x < 2, seed=0)
    outcomes = {campaign.episode().outcome for _ in range(50)}
    assert outcomes == {Outcome.VALID, Outcome.INVALID}


def test_an_observer_may_ask_to_stop():
    made = []

    def observe(episode):
        made.append(episode)
        if len(made) == 7:
            campaign.stop()

    campaign = Campaign(lambda choose: choose(range(1000)), seed=0, observers=[observe])
    assert campaign.run(100).stopped == "asked"
    assert len(made) == 7
    assert campaign.run(5).stopped == "episodes"
