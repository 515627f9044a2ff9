"""Portfolio: shares its episodes among several learners; most go to the one that currently yields most.

It is a bandit with discounted Thompson sampling: Raj and Kalyani, "Taming Non-stationary Bandits: A Bayesian
Approach", 2017. Groce et al., "Lightweight Automated Testing with Adaptation-Based Programming", ISSRE 2012,
section VIII, advise to run several learners and keep the better one.

    yields[g, m] <- discount * yields[g, m] + found[g, m];    costs[g, m] <- discount * costs[g, m] + cost

after a turn of 10 episodes by member m; other members are discounted too. A turn costs 1, or its time. The
goals g are those of `goals.py`. The next turn goes to the highest

    sum over g of weight[g] * Gamma(1 + yields[g, m], 1 / (1 / best[g] + costs[g, m])) / best[g]

where best[g] is the highest of yields[g, m] / costs[g, m], and weight[g] = all / (3 + all), where all is the
sum of yields[g, m] over m; or, with probability max(20 / (20 + turns so far), explore), to a random member,
such that the random turns of each member cost the same.

Departures from the paper:

1. Yields are counts, so the posterior is a Gamma and not a Beta distribution.
2. The prior is one yield at the rate of the best member, so that members without recent turns are tried.
3. Goals are added relative to the best; a goal that no member reaches any more fades.
4. Arms are not independent: a member that is behind begins its turn with the last input that another one
   found, and a member that observes learns from the first 20,000 choices of others, so that a slow learner
   catches up.
5. Arms learn: a member that yields nothing at first may be the best later, hence the random turns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rlcheck import registry
from rlcheck.abilities import LearnerBase, as_learner, most_demanding
from rlcheck.checks import check_above_zero, check_between, check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode
from rlcheck.errors import ConfigurationError
from rlcheck.learners.portfolio.bandit import Bandit
from rlcheck.learners.portfolio.goals import Goals
from rlcheck.learners.portfolio.lesson import Lesson
from rlcheck.learners.portfolio.states import MemberStates, abstraction_of
from rlcheck.protocols import Counts, Learner, State

#: In this share of the turns of members that do not watch, branches are recorded and members that watch
#: receive the episodes, to find out which member covers most. Doing so always costs more than it gains.
_LOOK = 0.125
#: The cost of a turn that is too short for the clock.
_TICK = 1e-9
#: Members observe this many choices of others; observing costs as much as choosing.
_LESSONS = 20_000


@dataclass(frozen=True, slots=True)
class Turns:
    """How a portfolio shares out its episodes."""

    #: Episodes in a turn: deciding about the next turn costs as much as a few choices.
    episodes: int = 10
    #: How much of a turn's yields remains after the next turn.
    discount: float = 0.995
    #: The least share of random turns; at first there are more. 0 for none at all.
    explore: float = 0.08

    def __post_init__(self) -> None:
        check_integer("episodes", self.episodes)
        check_above_zero(1, discount=self.discount)
        check_between(1, explore=self.explore)


_TURNS = Turns()


class Portfolio(LearnerBase):
    """Several learners that take turns.

    Args:
        members: Names or objects.
        turns: How long a turn is, and how soon its yields are forgotten.
        gains: Returns what an episode yields, one number for each goal; None for the goals of `Goals`.
        clock: Measures the cost of a turn, for example `time.process_time`; with None every turn costs the
            same, so that the same seed gives the same run.
    """

    def __init__(
        self,
        members: Iterable[str | Learner[Any]] = ("uniform", "monte-carlo", "diverse", "zest"),
        *,
        turns: Turns = _TURNS,
        gains: Callable[[Episode], Sequence[float]] | None = None,
        clock: Callable[[], float] | None = None,
        seed: int | None = None,
    ) -> None:
        self.rng = Random(seed)
        self._turns = turns
        #: The learners; a guide with a seed reseeds them too.
        self.members = [as_learner(registry.make("learner", member)) for member in members]
        if not self.members:
            raise ConfigurationError("members=() must be at least one name or learner.")
        if seed is not None:
            for member in self.members:
                member.rng.seed(self.rng.getrandbits(32))
        #: A name if all members want the same abstraction; otherwise each member gets its own states.
        self.abstraction: Any = abstraction_of(self.members)
        #: What members read of branches.
        self.coverage = most_demanding(*(member.coverage for member in self.members))
        #: How many episodes each member has had.
        self.episodes = [0] * len(self.members)
        #: Whether members that watch receive the episodes of this turn, with their branches if there are any.
        self.looking = True
        self._bandit = Bandit(len(self.members), discount=turns.discount, explore=turns.explore, rng=self.rng)
        self._goals = Goals(gains)
        self._lesson = Lesson()
        self._clock = clock
        # When the turn began; unknown for the first turn, which therefore does not count.
        self._started: float | None = None
        self._watching = [member for member in self.members if member.watches]
        # Members that learn from the choices of others as they are made, and for how many more choices.
        self._observing = [member for member in self.members if member.observes]
        self._to_observe = _LESSONS
        # The member that has the turn, those that observe it, and how many episodes of the turn are left.
        self._turn = 0
        self._member = self.members[0]
        self._observers: list[LearnerBase] = []
        self._left = 0
        self._begin(0)

    @property
    def blind(self) -> bool:  # type: ignore[override]
        """Whether no member looks at the states of the next episode."""
        return not self._observers and not self._lesson.running and self._member.blind

    @property
    def exhausted(self) -> bool:  # type: ignore[override]
        """Whether a member has made every possible input."""
        return any(member.exhausted for member in self.members)

    @property
    def price(self) -> float:  # type: ignore[override]
        """The price of the member that has the turn."""
        return self._member.price

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many states all members know."""
        return sum(member.states for member in self.members)

    @property
    def climbs(self) -> bool:  # type: ignore[override]
        """Whether one of the members edits rejected inputs by their signs."""
        return any(member.climbs for member in self.members)

    @property
    def imitates(self) -> bool:  # type: ignore[override]
        """Whether a member imitates examples."""
        return any(member.imitates for member in self.members)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Let the member that has the turn pick, or take the next choice of its lesson."""
        if self._lesson.running:
            index = self._lesson.next(n)
            if index >= 0:
                self.observe(point, state, n, index)
                return index
        index = self._member.select(point, state, n)
        if self._observers:
            self._show(point, state, n, index)
        return index

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Let the member that has the turn pick by weight."""
        index = self._member.select_weighted(point, state, n, weights)
        if self._observers:
            self._show(point, state, n, index)
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Pass it on to the member that has the turn, and to those that observe it."""
        self._member.observe(point, state, n, index)
        self._show(point, state, n, index)

    def reward(self, value: float) -> None:
        """Pass it on to the member that has the turn, and to those that observe it."""
        self._member.reward(value)
        for other in self._observers:
            other.reward(value)

    def update(self, episode: Episode) -> None:
        """Let members learn, count the yields, and start the next turn when this one is over."""
        # Every episode pays for every line here, even those of the quickest member.
        self._goals.add(episode)
        shown = self.looking or episode.counts is not None
        taught = self._lesson.running
        if taught:
            worth, episode.reward = episode.reward, self._lesson.end(episode)
        self._member.update(episode)
        if taught:
            episode.reward = worth
        if self._observers:
            self._end_observed(episode)
        if self._watching and shown:
            for member in self._watching:
                if member is not self._member:
                    member.update(episode)
        if episode.unique:
            self._lesson.keep(episode, self._turn, shown=shown)
        self.episodes[self._turn] += 1
        self._left -= 1
        if self._left <= 0 and len(self.members) > 1:
            self._settle()
            self._begin(self._bandit.next())
            self._teach()

    def drop(self) -> None:
        """Pass it on to the member that has the turn, and to those that observe it."""
        self._member.drop()
        for other in self._observers:
            other.drop()

    def discard(self, since: int) -> None:
        """Pass it on to the member that has the turn, and to those that observe it."""
        self._member.discard(since)
        for other in self._observers:
            other.discard(since)

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Pass it on to all members."""
        for member in self.members:
            member.avoid(choices, sizes)

    def counts(self) -> Counts:
        """Return the counts of all members; names of points include the member's place."""
        return {
            ((place, name), state, n, index): counted
            for place, member in enumerate(self.members)
            for (name, state, n, index), counted in member.counts().items()
        }

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Give each member the counts of the same member in other workers."""
        each: list[Counts] = [{} for _ in self.members]
        for ((place, name), state, n, index), counted in counts.items():  # type: ignore[misc]
            each[place][name, state, n, index] = counted  # type: ignore[has-type]
        for member, own in zip(self.members, each, strict=True):
            if own:
                member.merge(own, named)

    def _show(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        for other in self._observers:
            other.observe(point, state, n, index)

    def _end_observed(self, episode: Episode) -> None:
        for other in self._observers:
            other.update(episode)
        self._to_observe -= len(episode.choices)
        if self._to_observe <= 0:
            self._observing = []  # From the next turn on.

    def _begin(self, place: int) -> None:
        """Give a member the turn."""
        self._turn = place
        self._member = member = self.members[place]
        self._left = self._turns.episodes
        self._observers = [other for other in self._observing if other is not member]
        self._goals.begin()
        watched = not self._bandit.turns or not self._watching or member.watches
        self.looking = watched or self.rng.random() < _LOOK
        if isinstance(self.abstraction, MemberStates):
            self.abstraction.turn(place)

    def _teach(self) -> None:
        """Let a member that is behind begin its turn with an input that another one found."""
        member = self._member
        if (
            member.imitates
            and self._lesson.suits(self._turn, watches=member.watches)
            and self._bandit.is_behind(self._turn)
        ):
            self._lesson.begin()

    def _settle(self) -> None:
        """Count a turn that ended."""
        cost = 1.0
        if self._clock is not None:
            began, self._started = self._started, self._clock()
            if began is None:
                return
            cost = (self._started - began) or _TICK
        self._bandit.settle(self._turn, self._goals.gained(), cost)
