"""Episodes side by side: the same campaign, whatever the number of lanes."""

import pytest

import rlcheck
from rlcheck import Campaign, Outcome, registry
from rlcheck.abstractions import CallStack
from rlcheck.errors import GeneratorError
from rlcheck.learners._exploration import any_option
from rlcheck.learners.deep.codes import Codes
from rlcheck.learners.deep.lanes import Lanes

pytest.importorskip("greenlet")


class Dice(Lanes):
    """A learner without a network: it notes how many lanes it answers at once."""

    def __init__(self, lanes=4, **settings):
        super().__init__(
            Codes(4), lanes=lanes, seed=None, **{"bootstrap": None, "bootstrap_episodes": 1, **settings}
        )
        self.waves = []
        self.learned = []

    def outputs(self, lanes, sizes, wanted):
        self.waves.append([lane.place for lane in lanes])
        return [want if want >= 0 else any_option(self.rng, n) for n, want in zip(sizes, wanted, strict=True)]

    def learn(self, lane, episode):
        worth = sum(value for _, value in lane.rewards)
        self.learned.append((lane.outputs, worth, episode.outcome, lane.led))


def ragged(choose):
    return [choose(range(10)) for _ in range(choose(range(1, 5)))]


def tree(choose, depth=0):
    return [choose(range(3)), *(tree(choose, depth + 1) for _ in range(choose(range(3)) if depth < 3 else 0))]


def test_all_that_ask_are_answered_at_once_and_the_budget_is_exact():
    learner = Dice(lanes=4)
    summary = Campaign(ragged, learner=learner, seed=0).run(episodes=50)
    assert (summary.episodes, summary.stopped, len(learner.learned)) == (50, "episodes", 50)
    assert learner.waves[0] == [0, 1, 2, 3]
    assert all(wave == sorted(set(wave)) for wave in learner.waves)
    assert sum(map(len, learner.waves)) == sum(len(outputs) for outputs, *_ in learner.learned)
    assert sum(len(wave) == 4 for wave in learner.waves) > 0.8 * len(learner.waves)


def test_fewer_episodes_than_lanes():
    learner = Dice(lanes=64)
    assert Campaign(ragged, learner=learner, seed=0).run(episodes=3).episodes == 3
    assert max(map(len, learner.waves)) == 3


def test_each_episode_has_its_own_choices_value_and_states():
    class Spy(Dice):
        def __init__(self):
            super().__init__(lanes=5)
            self.seen = []

        def learn(self, lane, episode):
            self.seen.append((tuple(lane.outputs), tuple(lane.states)))

    def states(learner):
        seen = []
        campaign = Campaign(tree, learner=learner, seed=3, observers=[seen.append])
        campaign.run(episodes=200)
        assert all(rlcheck.replay(tree, episode.choices) == episode.value for episode in seen)
        return dict(learner.seen)

    beside, alone = Spy(), Spy()
    alone._wanted = 1
    # Numbers of tokens differ by the order of first visits, so compare which states are told apart.
    many, one = states(beside), states(alone)
    shared = sorted(many.keys() & one.keys())
    assert len(shared) > 10
    pairs = {(a, b) for key in shared for a, b in zip(many[key], one[key], strict=True)}
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


@pytest.mark.parametrize("history", ["", "SAR"])
def test_call_stacks_are_told_apart_side_by_side(history):
    def generator(choose):
        first = choose("ab")
        second = choose("ab")
        return [first, second, choose("ab")]

    learner = Dice(lanes=5)
    abstraction = CallStack(history=history)
    told = []
    learner.learn = lambda lane, episode: told.append(tuple(lane.states))
    Campaign(generator, learner=learner, abstraction=abstraction, seed=0).run(episodes=40)
    assert all(len(set(states)) == 3 for states in told)  # Each choice is on a line of its own, or later.
    if not history:
        assert len(set(told)) == 1


def test_rewards_and_outcomes_reach_the_lane_that_earned_them():
    learner = Dice(lanes=6)
    Campaign(ragged, valid=lambda xs: sum(xs) % 2 == 0, learner=learner, reward="validity", seed=1).run(
        episodes=60
    )
    for outputs, reward, outcome, _ in learner.learned:
        valid = sum(outputs[1:]) % 2 == 0
        assert outcome is (Outcome.VALID if valid else Outcome.INVALID)
        assert reward == registry.make("reward", "validity")(episode_of(outcome))


def episode_of(outcome):
    episode = rlcheck.Episode()
    episode.outcome = outcome
    return episode


def test_assumptions_and_targets_are_those_of_the_episode():
    learner = Dice(lanes=8)

    def generator(choose):
        first = choose(range(4))
        rlcheck.target(first)
        choose(range(2))
        rlcheck.assume(False)

    Campaign(generator, learner=learner, reward=lambda episode: 0.0, seed=0).run(episodes=64)
    assert {(outputs[0], reward) for outputs, reward, *_ in learner.learned} == {
        (first, 0.5 + 0.5 * first / (1 + first)) for first in range(4)
    }


def test_unique_inputs_are_unique_among_all_lanes():
    seen = []
    summary = Campaign(ragged, learner=Dice(lanes=8), seed=0, observers=[seen.append]).run(episodes=300)
    assert summary.unique_valid == len({tuple(episode.value) for episode in seen}) < 300


def test_overlong_episodes_are_cut_off():
    def endless(choose):
        while choose(range(100)) != 0:
            pass

    summary = Campaign(endless, learner=Dice(lanes=4), max_choices=20, seed=0).run(episodes=40)
    assert 20 < summary.overruns < 40


def test_an_error_in_the_generator_ends_the_run_and_abandons_the_others():
    def broken(choose):
        if [choose(range(5)) for _ in range(3)] == [4, 4, 4]:
            raise ValueError("oops")

    learner = Dice(lanes=4)
    campaign = Campaign(broken, learner=learner, seed=0)
    with pytest.raises(GeneratorError, match="oops"):
        campaign.run(episodes=10_000)
    done = campaign.summary.episodes
    assert all(not learner.lane(place).outputs for place in range(4))
    with pytest.raises(GeneratorError, match="oops"):
        campaign.run(episodes=10_000)
    assert campaign.summary.episodes > done


def test_a_failure_stops_the_run_when_asked_to():
    def test(xs):
        assert len(xs) < 4

    summary = Campaign(ragged, test=test, learner=Dice(lanes=8), seed=0).run(
        episodes=500, stop_on_failure=True
    )
    assert summary.stopped == "failure"
    assert summary.episodes < 100
    assert rlcheck.replay(ragged, summary.failures[0].choices) == summary.failures[0].value


def test_ctrl_c_keeps_what_was_done():
    def interrupted(choose):
        if choose(range(50)) == 7:
            raise KeyboardInterrupt

    assert Campaign(interrupted, learner=Dice(lanes=4), seed=0).run(episodes=1000).stopped == "interrupted"


def test_seconds_end_a_run():
    assert Campaign(ragged, learner=Dice(lanes=4), seed=0).run(seconds=0.05).stopped == "seconds"


def test_a_generator_that_asks_nothing_is_exhausted():
    summary = Campaign(lambda choose: 1, learner=Dice(lanes=4), seed=0).run(episodes=100)
    assert summary.stopped == "exhausted"


def test_examples_are_imitated():
    learner = Dice(lanes=4)
    Campaign(ragged, learner=learner, seed=0, examples=[[3, 9, 8, 7, 6], [0, 5]]).run(episodes=10)
    assert [outputs for outputs, _, _, led in learner.learned if led] == [[3, 9, 8, 7, 6], [0, 5]]


def test_coverage_is_that_of_each_episode():
    def run(lanes):
        counts = {}
        Campaign(
            ragged,
            valid=_branching,
            learner=Dice(lanes=lanes),
            characteristic="branches",
            seed=0,
            observers=[
                lambda episode: counts.setdefault(len(episode.value), set()).add(tuple(episode.counts))
            ],
        ).run(episodes=100)
        return counts

    beside = run(8)
    assert beside == run(1)
    assert all(len(branches) == 1 for branches in beside.values())


def _branching(xs):
    if len(xs) > 2:
        return True
    for _ in xs:
        pass
    return len(xs) == 1


def test_the_first_episodes_are_the_teachers_and_run_alone():
    learner = Dice(lanes=4, bootstrap="uniform", bootstrap_episodes=10)
    Campaign(ragged, learner=learner, seed=0).run(episodes=30)
    assert [led for *_, led in learner.learned] == [True] * 10 + [False] * 20
    assert {len(wave) for wave in learner.waves[:10]} == {1}
    assert learner.taught == 0


def test_the_budget_may_end_with_the_teachers_last_episode():
    learner = Dice(lanes=4, bootstrap="uniform", bootstrap_episodes=10)
    summary = Campaign(ragged, learner=learner, seed=0).run(episodes=10)
    assert (summary.episodes, summary.stopped) == (10, "episodes")


def test_without_greenlet_episodes_run_one_at_a_time(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rlcheck.lockstep", None)
    monkeypatch.delattr(rlcheck, "lockstep", raising=False)
    learner = Dice(lanes=4)
    summary = Campaign(ragged, learner=learner, seed=0).run(episodes=10)
    assert {len(wave) for wave in learner.waves} == {1}
    assert summary.note.startswith("one episode at a time: ")


def test_the_same_seed_gives_the_same_run():
    def run(seed):
        made = []
        Campaign(tree, learner=Dice(), seed=seed, observers=[lambda e: made.append(e.choices)]).run(
            episodes=60
        )
        return made

    assert run(1) == run(1) != run(2)
