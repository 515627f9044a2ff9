"""Portfolio: who gets the episodes, and that members see and say what they would alone."""

from random import Random

import pytest

from rlcheck import Campaign, Guide, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.demo import is_bst, tree
from rlcheck.learners import MonteCarlo, Mutate, Portfolio, Uniform


class Spy(Uniform):
    """Notes what it is told, and takes always the same option."""

    def __init__(self, option, **attributes):
        super().__init__()
        self.option = option
        self.told = []
        vars(self).update(attributes)

    def select(self, point, state, n):
        self.told.append("select")
        return self.option

    select_weighted = None

    def reward(self, value):
        self.told.append(value)

    def update(self, outcome):
        self.told.append(outcome)


class Watcher(Spy):
    def see(self, episode):
        self.told.append(list(episode.choices))

    def discard(self, since):
        self.told.append(("discard", since))

    def select_weighted(self, point, state, n, weights):
        self.told.append(weights)
        return self.option

    def imitate(self, choices):
        self.told.append(list(choices))

    def drop(self):
        self.told.append("drop")


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
    assert episodes[1] > 1_700


def test_rare_yields_tell_members_apart_too():
    worth = (0.0005, 0.02, 0.0005)
    assert run(Portfolio([Spy(0), Spy(1), Spy(2)]), lambda option, _: worth[option], 10_000)[1] > 6_000


def test_who_yields_more_than_before_is_found_out():
    def worth(option, episode):
        return 0.5 if option == 0 else 0.0 if episode < 3_000 else 1.0

    portfolio = Portfolio([Spy(0), Spy(1)])
    early = run(portfolio, worth, 3_000)[1]
    assert early < 300
    assert run(Portfolio([Spy(0), Spy(1)]), worth, 6_000)[1] > 2_000


def test_no_yield_at_all_means_turns():
    assert run(Portfolio([Spy(0), Spy(1)]), lambda option, _: 0, 1_000) == pytest.approx([500, 500], abs=150)


def test_an_episode_belongs_to_one_member():
    first, second = Watcher(0), Spy(0)
    guide = Guide(Portfolio([first, second]), seed=0)
    for _ in range(20):
        guide.start()
        guide.choose("ab", weights=[1.0, 2.0])
        guide.reward(0.5)
        guide.discard(0)
        guide.finish(Outcome.INVALID)
    own = [[1.0, 2.0], 0.5, ("discard", 0), [0], -1.0, Outcome.INVALID]
    assert first.told == own * 10 + [[0]] * 10, "it is shown the others' episodes"
    assert second.told == ["select", 0.5, -1.0, Outcome.INVALID] * 10


def test_an_abandoned_episode_is_dropped_by_the_member_it_belongs_to():
    first = Watcher(0)
    guide = Guide(Portfolio([first, Spy(0)]), seed=0)
    guide.start()
    guide.abandon()
    assert first.told == ["drop"]
    plain = Spy(0)
    guide = Guide(Portfolio([plain]), seed=0)
    guide.start()
    guide.abandon()
    assert plain.told == [Outcome.INVALID]


def test_a_member_that_learns_only_by_making_imitates():
    watcher, plain = Watcher(0), MonteCarlo()
    portfolio = Portfolio(["uniform", watcher, plain])
    guide = Guide(portfolio, seed=0)
    portfolio.imitate([1, 0, 1])
    episode = guide.start()
    for _ in range(3):
        guide.choose("ab")
    guide.finish(Outcome.VALID)
    assert episode.choices == [1, 0, 1]
    assert portfolio.episodes == [0, 0, 1]
    assert watcher.told == [[1, 0, 1]], "it has seen it"
    Portfolio(["uniform"]).imitate([1])  # Nobody can: nothing happens.


def test_mutate_takes_up_what_others_find():
    portfolio = Portfolio(["uniform", "mutate"])
    Campaign(tree, valid=is_bst, learner=portfolio, seed=0).run(episodes=5)
    assert portfolio.episodes == [5, 0]
    assert portfolio.members[1].saved > 0


def test_it_is_what_its_members_are():
    default = Portfolio()
    assert [type(member).__name__ for member in default.members] == ["Uniform", "Diverse", "Zest"]
    assert (default.abstraction, default.coverage, default.blind) == ("frames", "counts", True)
    plain = Portfolio([MonteCarlo(), Mutate()])
    assert (plain.abstraction, plain.coverage, plain.blind) == (None, None, False)


def test_it_is_exhausted_when_a_member_is():
    campaign = Campaign(lambda choose: choose("abc"), learner=Portfolio(["diverse", "mutate"]), seed=0)
    assert campaign.run(episodes=5_000).stopped == "exhausted"


def test_new_branches_are_a_yield():
    def worth(option, episode):
        return 0

    class Branches:
        """Says that option 1 took a new branch."""

        ordered = False
        counts = None

        def start(self):
            pass

        def is_new(self):
            return False

        def stop(self, *, valid):
            return int(portfolio.members[1].told[-1:] == ["select"])

    portfolio = Portfolio([Spy(0), Spy(1)])
    assert run(portfolio, worth, 2_000, coverage=Branches())[1] > 1_700


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"members": ()}, "members=.* must be at least one"),
        ({"members": [3]}, "learner=3 has no method select"),
        ({"members": ["diverze"]}, "Did you mean 'diverse'"),
        ({"discount": 0}, "discount=0 must be above 0"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        Portfolio(**arguments)


def test_a_seed_of_its_own_reaches_the_members():
    def drawn(seed):
        return [member.rng.random() for member in Portfolio(["uniform", "mutate"], seed=seed).members]

    assert drawn(1) == drawn(1) != drawn(2)
    assert len(set(drawn(1))) == 2


def test_gains_of_ones_own_decide_whose_turn_it_is():
    portfolio = Portfolio([Spy(0), Spy(1)], turn=1, gains=lambda episode: (episode.choices[0] * 5.0, 1.0))
    run(portfolio, lambda option, episode: 0, 300)
    assert portfolio.episodes[1] > 5 * portfolio.episodes[0] > 0


def test_a_turn_is_a_number_of_episodes():
    with pytest.raises(ConfigurationError, match="turn=0"):
        Portfolio(["uniform"], turn=0)
