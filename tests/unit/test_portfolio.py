"""Portfolio: who gets the episodes, and that members see and say what they would alone."""

from random import Random
from typing import ClassVar

import pytest
from tests.episodes import ended

from rlcheck import Campaign, Coverage, Guide, Outcome
from rlcheck.abilities import LearnerBase
from rlcheck.choice import ChoicePoint
from rlcheck.cli.demo import is_bst, tree
from rlcheck.errors import ConfigurationError
from rlcheck.learners import MonteCarlo, Portfolio, RecentSarsa, SarsaLambda, Turns
from rlcheck.learners.portfolio.bandit import Bandit
from rlcheck.learners.portfolio.goals import Goals

POINT = ChoicePoint("p", 0)


class Spy(LearnerBase):
    """Notes what it is told, and always takes the same option."""

    blind = True

    def __init__(self, option):
        self.option = option
        self.told = []

    def select(self, point, state, n):
        self.told.append("select")
        return self.option

    def reward(self, value):
        self.told.append(value)

    def update(self, episode):
        self.told.append(episode.outcome)


class Watcher(Spy):
    """Also notes what is optional, and the finished episodes of others."""

    watches = True

    def update(self, episode):
        self.told.append((list(episode.choices), episode.reward))

    def discard(self, since):
        self.told.append(("discard", since))

    def select_weighted(self, point, state, n, weights):
        self.told.append(weights)
        return self.option

    def drop(self):
        self.told.append("drop")

    def avoid(self, choices, sizes):
        self.told.append(("avoid", choices, sizes))


def run(portfolio, worth, episodes, **arguments):
    """Episodes of one choice, unique with a probability that depends on the option."""
    guide = Guide(portfolio, seed=0, characteristic=lambda value: value, **arguments)
    number = 0
    for episode in range(episodes):
        guide.start()
        option = guide.choose(range(len(portfolio.members)))
        number += worth(option, episode)
        guide.made(int(number))
        guide.finish(Outcome.VALID)
    return portfolio.episodes


def made(learner, seed):
    choices = []
    campaign = Campaign(
        tree,
        valid=is_bst,
        learner=learner,
        seed=seed,
        observers=[lambda episode: choices.append(episode.choices)],
    )
    campaign.run(episodes=300)
    return choices


def test_one_member_makes_what_it_makes_alone():
    # The member's seed is drawn from that of the portfolio.
    assert made(Portfolio(["diverse"]), 0) == made("diverse", Random(0).getrandbits(32))


def test_most_episodes_go_to_the_member_that_yields_most():
    episodes = run(Portfolio([Spy(0), Spy(1), Spy(2)]), lambda option, _: (0.1, 0.8, 0.2)[option], 2_000)
    assert sum(episodes) == 2_000
    assert episodes[1] > 1_500


def test_rare_yields_tell_members_apart_too():
    worth = (0.0005, 0.02, 0.0005)
    assert run(Portfolio([Spy(0), Spy(1), Spy(2)]), lambda option, _: worth[option], 10_000)[1] > 6_000


def test_a_member_that_improves_gets_more_turns():
    def worth(option, episode):
        return 0.5 if option == 0 else 0.0 if episode < 3_000 else 1.0

    portfolio = Portfolio([Spy(0), Spy(1)])
    early = run(portfolio, worth, 3_000)[1]
    assert early < 300
    assert run(Portfolio([Spy(0), Spy(1)]), worth, 6_000)[1] > 1_500


def test_no_yield_at_all_means_turns():
    assert run(Portfolio([Spy(0), Spy(1)]), lambda option, _: 0, 1_000) == pytest.approx([500, 500], abs=150)


def test_an_episode_belongs_to_one_member():
    first, second = Watcher(0), Spy(0)
    portfolio = Portfolio([first, second])
    guide = Guide(portfolio, seed=0)
    for _ in range(1_000):
        guide.start()
        guide.choose("ab", weights=[1.0, 2.0])
        guide.reward(0.5)
        guide.discard(0)
        guide.finish(Outcome.INVALID)
    of_first, of_second = portfolio.episodes
    assert second.told == ["select", 0.5, Outcome.INVALID] * of_second
    own = [[1.0, 2.0], 0.5, ("discard", 0), ([0], -1.0)]
    assert first.told[:4] == own
    assert first.told.count(("discard", 0)) == of_first
    shown = first.told.count(([0], -1.0)) - of_first
    assert len(first.told) == 4 * of_first + shown
    assert 0 < shown < 0.3 * of_second, "it is shown some of the others' turns"
    assert shown % 10 == 0


def test_an_abandoned_episode_is_dropped_by_the_member_it_belongs_to():
    first = Watcher(0)
    guide = Guide(Portfolio([first, Spy(0)]), seed=0)
    guide.start()
    guide.abandon()
    assert first.told == ["drop"]


def test_all_members_avoid_what_other_workers_made():
    members = [Watcher(0), Watcher(1)]
    Portfolio(members).avoid([1, 0], [2, 3])
    assert all(member.told == [("avoid", [1, 0], [2, 3])] for member in members)


def test_counts_of_members_reach_the_same_members_of_another_portfolio():
    def taught(option):
        portfolio = Portfolio([MonteCarlo(epsilon=0.0), SarsaLambda(epsilon=0.0)])
        for member in portfolio.members:
            member.observe(POINT, "s", 3, option)
            member.update(ended(reward=5.0))
        return portfolio

    teller, told = taught(2), Portfolio([MonteCarlo(epsilon=0.0), SarsaLambda(epsilon=0.0)])
    told.merge(teller.counts(), lambda name: POINT)
    assert [member.select(POINT, "s", 3) for member in told.members] == [2, 2]


def test_the_member_that_has_the_turn_imitates_examples():
    table = MonteCarlo(epsilon=0.0)
    guide = Guide(Portfolio([table]), seed=0)
    guide.imitate([1, 0, 1])
    episode = guide.start()
    for _ in range(3):
        guide.choose("ab", at="x", state=0)
    guide.finish(Outcome.VALID)
    assert episode.choices == [1, 0, 1]
    guide.start()
    assert guide.choose("ab", at="x", state=0) in "ab"
    assert table.states == 1, "it has learned from them"


class Pupil(Spy):
    """Learns from examples."""

    imitates = True

    def observe(self, point, state, n, index):
        self.told.append(("imitate", index))

    def update(self, episode):
        self.told.append(episode.reward)


def lessons(pupil):
    return [told for told in pupil.told if isinstance(told, tuple)]


def test_a_member_that_is_behind_begins_its_turn_with_what_another_one_found():
    pupil = Pupil(1)
    portfolio = Portfolio([Spy(0), pupil])
    run(portfolio, lambda option, episode: option == 0 and episode % 4 == 0, 2_000)
    assert portfolio.episodes[1] >= 20, "it has turns"
    assert lessons(pupil)
    assert set(map(str, lessons(pupil))) == {"('imitate', 0)"}
    assert len(lessons(pupil)) <= portfolio.episodes[1] // 10, "one for a turn"


def test_a_lesson_is_worth_as_much_as_to_the_member_that_found_it():
    pupil = Pupil(0)
    found = []
    portfolio = Portfolio([Spy(0), pupil])
    guide = Guide(portfolio, seed=0, characteristic=lambda value: value)
    for episode in range(2_000):
        guide.start()
        guide.choose("ab")
        if portfolio.members[portfolio._turn] is not pupil and episode % 4 == 0:
            found.append(episode)
        guide.made(len(found))
        guide.finish(Outcome.VALID)
    places = [place for place, told in enumerate(pupil.told) if isinstance(told, tuple)]
    assert places
    assert all(pupil.told[place + 1] == 20.0 for place in places), "not 0, as for any input that is known"


def test_a_member_that_is_ahead_is_taught_nothing():
    pupil = Pupil(0)
    portfolio = Portfolio([pupil, Spy(1)])
    run(portfolio, lambda option, episode: option == 0 or episode % 4 == 0, 2_000)
    assert portfolio.episodes[1] >= 20, "there would be something to imitate"
    assert lessons(pupil) == []


def test_branches_that_are_new_to_valid_inputs_are_a_yield():
    goals = Goals(None)
    for outcome, new in ((Outcome.INVALID, 1), (Outcome.VALID, 0), (Outcome.VALID, 0)):
        episode = ended(outcome, unique=False)
        episode.counts, episode.new_branches = {1: 1}, new
        goals.add(episode)
    assert goals.gained() == [0, 2, 1], "the first, and the first valid one, which has a trace"


def test_a_new_trace_of_a_valid_input_is_a_yield():
    goals = Goals(None)
    for counts in ({1: 1, 2: 4}, {1: 1, 2: 7}, {1: 1, 2: 8}):
        episode = ended(unique=False)
        episode.counts = counts
        goals.add(episode)
    assert goals.gained() == [0, 1, 2], "7 is of the magnitude of 4, and 8 is not"


def test_what_an_episode_is_worth_is_a_yield():
    goals = Goals(None)
    for reward in (0.0, 10.0):
        goals.add(ended(reward=reward))
    goals.begin()
    for reward in (5.0, 10.0, 0.0):
        goals.add(ended(reward=reward))
    assert goals.gained() == [1.5]


def test_a_constant_reward_leaves_unique_inputs_as_the_goal():
    goals = Goals(None)
    for unique in (True, False, True):
        goals.add(ended(reward=0.0, unique=unique))
    assert goals.gained() == [2.0]


def test_zest_takes_up_what_others_find():
    portfolio = Portfolio(["uniform", "zest"])
    Campaign(tree, valid=is_bst, learner=portfolio, seed=0).run(episodes=5)
    assert portfolio.episodes == [5, 0]
    assert portfolio.members[1].saved > 0


def test_it_is_what_its_members_are():
    default = Portfolio()
    assert [type(member).__name__ for member in default.members] == [
        "Uniform",
        "MonteCarlo",
        "Diverse",
        "Zest",
    ]
    assert (default.coverage, default.blind) == ("counts", True)
    assert Portfolio(["uniform", "diverse", "zest"]).abstraction == "frames", "the others are blind"
    plain = Portfolio([MonteCarlo(), "uniform"])
    assert (plain.abstraction, plain.coverage, plain.blind) == (None, None, False)


def test_it_is_exhausted_when_a_member_is():
    campaign = Campaign(lambda choose: choose("abc"), learner=Portfolio(["diverse", "zest"]), seed=0)
    assert campaign.run(episodes=5_000).stopped == "exhausted"


def test_new_branches_are_a_yield():
    def worth(option, episode):
        return 0

    class Branches:
        """Says that option 1 took a new branch."""

        ordered = False
        whole = True
        counts: ClassVar = {}

        def start(self):
            pass

        def resume(self):
            pass

        def is_new(self):
            return False

        def stop(self, *, valid):
            return int(portfolio.members[1].told[-1:] == ["select"])

    portfolio = Portfolio([Spy(0), Spy(1)])
    assert run(portfolio, worth, 2_000, coverage=Branches())[1] > 1_500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"members": ()}, "members=.* must be at least one"),
        ({"members": [3]}, "learner=3 has no method select"),
        ({"members": ["diverze"]}, "Did you mean 'diverse'"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        Portfolio(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"episodes": 0}, "episodes=0 must be an integer of at least 1"),
        ({"discount": 0}, "discount=0 must be above 0"),
        ({"explore": 2}, "explore=2 must lie between 0 and 1"),
    ],
)
def test_bad_turns(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        Turns(**arguments)


def test_a_seed_of_its_own_reaches_the_members():
    def drawn(seed):
        return [member.rng.random() for member in Portfolio(["uniform", "zest"], seed=seed).members]

    assert drawn(1) == drawn(1) != drawn(2)
    assert len(set(drawn(1))) == 2


def test_gains_of_ones_own_decide_whose_turn_it_is():
    portfolio = Portfolio(
        [Spy(0), Spy(1)], turns=Turns(1), gains=lambda episode: (episode.choices[0] * 5.0, 1.0)
    )
    run(portfolio, lambda option, episode: 0, 300)
    assert portfolio.episodes[1] > 5 * portfolio.episodes[0] > 0


def test_a_member_that_observes_learns_from_every_choice():
    learner = SarsaLambda(discount=0.0)
    guide = Guide(Portfolio(["uniform", learner], turns=Turns(1_000)), seed=0, reward=lambda episode: 0.0)
    for _ in range(200):
        guide.start()
        for _ in range(5):
            if guide.choose("abc", at="token", state=0) == "b":
                guide.reward(1.0)
        guide.choose("abc", at="token", state=0, weights=(1.0, 1.0, 1.0))
        guide.finish(Outcome.VALID)
    assert guide.learner.episodes == [200, 0]
    table = next(iter(learner._tables.values()))
    assert all(row.find(Random(0).random) == 1 for row in table.values())


@pytest.mark.parametrize(("choices", "episodes"), [(100, 200), (1_000, 20)])
def test_lessons_end_after_so_many_choices(choices, episodes):
    """Of 20,000, in short episodes and in long ones."""
    guide = Guide(Portfolio(["uniform", RecentSarsa(1)], turns=Turns(10_000)), reward=lambda episode: 0.0)

    def observed(number):
        for _ in range(number):
            guide.start()
            for _ in range(choices):
                guide.choose("ab", at="token", state=0)
            guide.finish(Outcome.INVALID)
        return guide.learner._observing

    assert observed(episodes - 1)
    assert not observed(1)


def test_a_portfolio_has_the_price_of_the_member_that_has_the_turn():
    portfolio = Portfolio(["uniform", SarsaLambda()], turns=Turns(1))
    guide = Guide(portfolio, seed=0)
    prices = set()
    for _ in range(50):
        guide.start()
        prices.add((portfolio._turn, portfolio.price))
        guide.finish(Outcome.VALID)
    assert prices == {(0, 0.0), (1, SarsaLambda.price)}


def test_with_a_clock_a_turn_costs_its_time():
    """The slow member yields a little more by the episode, and half as much by the second."""
    portfolio = Portfolio([Spy(0), Spy(1)], clock=lambda: portfolio.episodes[0] + 3.0 * portfolio.episodes[1])
    episodes = run(portfolio, lambda option, _: (0.5, 0.75)[option], 3_000)
    assert episodes[0] > 2_000
    portfolio = Portfolio([Spy(0), Spy(1)])
    assert run(portfolio, lambda option, _: (0.5, 0.75)[option], 3_000)[1] > 2_000


def test_random_turns_give_a_late_bloomer_a_chance():
    def worth(option, _):
        return 0.5 if option == 0 else len(late.told) > 2 * 150  # It has to learn for 150 episodes.

    late = Spy(1)
    run(Portfolio([Spy(0), late]), worth, 10_000)
    found = len(late.told)
    late = Spy(1)
    run(Portfolio([Spy(0), late], turns=Turns(explore=0.0)), worth, 10_000)
    assert found > 2 * len(late.told)


def test_a_clock_that_stands_still_is_no_error():
    portfolio = Portfolio([Spy(0), Spy(1)], clock=lambda: 0.0)
    assert sum(run(portfolio, lambda option, _: 1, 100)) == 100


def test_each_member_gets_the_states_that_it_gets_alone():
    class Noting(MonteCarlo):
        def select(self, point, state, n):
            states.append(state)
            return super().select(point, state, n)

    class Framed(Noting):
        abstraction = "frames"

    states = []
    portfolio = Portfolio([Noting(), Framed()])
    Campaign(tree, valid=is_bst, learner=portfolio, seed=0).run(episodes=200)
    assert min(portfolio.episodes) > 0
    kinds = {type(state).__name__ for state in states}
    assert kinds == {"KnownState", "Place"}


class Looker(Watcher):
    coverage = "counts"


def covered(portfolio, whole=False):
    """How many of the episodes of each member had their branches noted, of all it had."""
    noted = [[] for _ in portfolio.members]
    coverage = Coverage("rlcheck.cli.demo")
    coverage.whole = whole
    campaign = Campaign(
        tree,
        valid=is_bst,
        learner=portfolio,
        seed=0,
        coverage=coverage,
        observers=[lambda episode: noted[episode.choices[0]].append(episode.counts is not None)],
    )
    plain = is_bst.__code__
    campaign.run(episodes=2_000)
    assert is_bst.__code__ is plain
    return noted


def test_branches_are_recorded_in_the_turns_of_members_that_read_them_and_in_a_few_others():
    # The first choice is who made it.
    portfolio = Portfolio([Spy(0), Looker(1)])
    others, own = covered(portfolio)
    assert all(own)
    assert 0.05 < sum(others) / len(others) < 0.4
    shown = [told for told in portfolio.members[1].told if isinstance(told, tuple) and told[0][:1] == [0]]
    assert len(shown) <= sum(others) + len(own) // 10 + 1, "what was not noted is not shown to who looks"


def test_all_branches_are_recorded_if_the_user_asked_for_them():
    assert all(map(all, covered(Portfolio([Spy(0), Looker(1)]), whole=True)))


def test_random_turns_are_shared_by_cost():
    bandit = Bandit(3, discount=0.99, explore=1.0, rng=Random(0))
    had = [0, 0, 0]
    for _ in range(3_000):
        arm = bandit.next()
        had[arm] += 1
        bandit.settle(arm, [1.0], 10.0 if arm == 2 else 1.0)
    assert had[0] == pytest.approx(1_430, abs=150)
    assert had[2] == pytest.approx(143, abs=50)
