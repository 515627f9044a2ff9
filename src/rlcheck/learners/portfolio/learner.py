"""Portfolio: gives its episodes to several learners, most to the one that yields most now.

It is a bandit with discounted Thompson sampling: Raj and Kalyani, "Taming Non-stationary Bandits: A Bayesian
Approach", 2017. To run several and keep the better is the advice of Groce et al., "Lightweight Automated
Testing with Adaptation-Based Programming", ISSRE 2012, section VIII.

    yields[g, m] <- discount * yields[g, m] + found[g, m];    costs[g, m] <- discount * costs[g, m] + cost

after a turn of 10 episodes by member m; the others' are discounted too. A turn costs 1, or its time. The
goals g are those of `goals.py`. The next turn goes to the highest

    sum over g of weight[g] * Gamma(1 + yields[g, m], 1 / (1 / best[g] + costs[g, m])) / best[g]

where best[g] is the highest of yields[g, m] / costs[g, m], and weight[g] = all / (3 + all), where all is the
sum of yields[g, m] over m; or, with probability max(20 / (20 + turns so far), explore), to
anybody, so that each member has the same cost of such turns.

Departures from the paper:

1. Yields are counts, so the posterior is a Gamma and not a Beta distribution.
2. The prior is one yield at the rate of the best member, so that members without recent turns are tried.
3. Goals are added relative to the best; one that nobody reaches any more fades.
4. Arms are not independent: a member that is behind begins its turn with the last input another one found,
   and one that observes learns from the first 20,000 choices of others, so that a slow learner is not
   forgotten.
5. Arms learn: one that yields nothing at first may be the best later, hence the turns that are anybody's.
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

#: In this share of the turns of members that do not watch, branches are noted and those that do watch are
#: shown what is made, to know who covers most. Doing so in all of them costs more than it brings.
_LOOK = 0.125
#: What a turn costs that a clock is too coarse for.
_TICK = 1e-9
#: Members observe this many choices of others: it costs as much as choosing.
_LESSONS = 20_000


@dataclass(frozen=True, slots=True)
class Turns:
    """How a portfolio shares out its episodes."""

    #: Episodes in a turn: drawing whose turn is next costs as much as some choices.
    episodes: int = 10
    #: What the yields of a turn are still worth after the next one.
    discount: float = 0.995
    #: The least share of the turns that are anybody's; at first there are more. 0 for none at all.
    explore: float = 0.08

    def __post_init__(self) -> None:
        check_integer("episodes", self.episodes)
        check_above_zero(1, discount=self.discount)
        check_between(1, explore=self.explore)


_TURNS = Turns()


class Portfolio(LearnerBase):
    """Several learners, of which each episode has one.

    Args:
        members: Names or objects.
        turns: How long a turn is, and how soon its yields are forgotten.
        gains: What an episode yields, a number for each goal; None for the goals of `Goals`.
        clock: A turn costs the time that it took by this clock, such as `time.process_time`; None for one
            each, so that the same seed gives the same run.
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
        #: A name when all members want the same one; otherwise each gets states of its own.
        self.abstraction: Any = abstraction_of(self.members)
        #: What members read of branches.
        self.coverage = most_demanding(*(member.coverage for member in self.members))
        #: How many episodes each member has had.
        self.episodes = [0] * len(self.members)
        #: Whether members that watch are shown what is made in this turn, with its branches if there are any.
        self.looking = True
        self._bandit = Bandit(len(self.members), discount=turns.discount, explore=turns.explore, rng=self.rng)
        self._goals = Goals(gains)
        self._lesson = Lesson()
        self._clock = clock
        # When the turn began; nobody knows for the first one, and so it does not count.
        self._started: float | None = None
        self._watching = [member for member in self.members if member.watches]
        # Those that learn from the choices of others as they are made, for so many choices more.
        self._observing = [member for member in self.members if member.observes]
        self._to_observe = _LESSONS
        # Whose turn it is, who observes it, and how many of its episodes are left.
        self._turn = 0
        self._member = self.members[0]
        self._beside: list[LearnerBase] = []
        self._left = 0
        self._begin(0)

    @property
    def blind(self) -> bool:  # type: ignore[override]
        """Whether nobody looks at the states of the next episode."""
        return not self._beside and not self._lesson.running and self._member.blind

    @property
    def exhausted(self) -> bool:  # type: ignore[override]
        """Whether a member has made every input there is."""
        return any(member.exhausted for member in self.members)

    @property
    def price(self) -> float:  # type: ignore[override]
        """What a choice costs of the member that has the turn."""
        return self._member.price

    @property
    def states(self) -> int:  # type: ignore[override]
        """How many states all members keep."""
        return sum(member.states for member in self.members)

    @property
    def climbs(self) -> bool:  # type: ignore[override]
        """Whether one of the members edits rejected inputs by their signs."""
        return any(member.climbs for member in self.members)

    @property
    def imitates(self) -> bool:  # type: ignore[override]
        """Whether a member does."""
        return any(member.imitates for member in self.members)

    def select(self, point: ChoicePoint, state: State, n: int) -> int:
        """Pick what the member picks that has the turn, or the next choice of its lesson."""
        if self._lesson.running:
            index = self._lesson.next(n)
            if index >= 0:
                self.observe(point, state, n, index)
                return index
        index = self._member.select(point, state, n)
        if self._beside:
            self._show(point, state, n, index)
        return index

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """Do the same where options differ in how likely they are."""
        index = self._member.select_weighted(point, state, n, weights)
        if self._beside:
            self._show(point, state, n, index)
        return index

    def observe(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        """Tell the member that has the turn, and those that observe it."""
        self._member.observe(point, state, n, index)
        self._show(point, state, n, index)

    def reward(self, value: float) -> None:
        """Tell the member that has the turn, and those that observe it."""
        self._member.reward(value)
        for other in self._beside:
            other.reward(value)

    def update(self, episode: Episode) -> None:
        """Let members learn, count what the episode yields, and after its turn give the next one."""
        # After each episode: every line here is paid for by the quickest of members.
        self._goals.add(episode)
        shown = self.looking or episode.counts is not None
        taught = self._lesson.running
        if taught:
            worth, episode.reward = episode.reward, self._lesson.end(episode)
        self._member.update(episode)
        if taught:
            episode.reward = worth
        if self._beside:
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
        """Tell the member that has the turn, and those that observe it."""
        self._member.drop()
        for other in self._beside:
            other.drop()

    def discard(self, since: int) -> None:
        """Tell the member that has the turn, and those that observe it."""
        self._member.discard(since)
        for other in self._beside:
            other.discard(since)

    def avoid(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Tell all members."""
        for member in self.members:
            member.avoid(choices, sizes)

    def counts(self) -> Counts:
        """Return what all members have counted; names of points carry the member's place."""
        return {
            ((place, name), state, n, index): counted
            for place, member in enumerate(self.members)
            for (name, state, n, index), counted in member.counts().items()
        }

    def merge(self, counts: Counts, named: Callable[[Hashable], ChoicePoint]) -> None:
        """Hand each member what its like in other workers have counted."""
        each: list[Counts] = [{} for _ in self.members]
        for ((place, name), state, n, index), counted in counts.items():  # type: ignore[misc]
            each[place][name, state, n, index] = counted  # type: ignore[has-type]
        for member, own in zip(self.members, each, strict=True):
            if own:
                member.merge(own, named)

    def _show(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        for other in self._beside:
            other.observe(point, state, n, index)

    def _end_observed(self, episode: Episode) -> None:
        for other in self._beside:
            other.update(episode)
        self._to_observe -= len(episode.choices)
        if self._to_observe <= 0:
            self._observing = []  # From the next turn on.

    def _begin(self, place: int) -> None:
        """Give a member the turn."""
        self._turn = place
        self._member = member = self.members[place]
        self._left = self._turns.episodes
        self._beside = [other for other in self._observing if other is not member]
        self._goals.begin()
        watched = not self._bandit.turns or not self._watching or member.watches
        self.looking = watched or self.rng.random() < _LOOK
        if isinstance(self.abstraction, MemberStates):
            self.abstraction.turn(place)

    def _teach(self) -> None:
        """Have a member that is behind begin its turn with what another one found."""
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
