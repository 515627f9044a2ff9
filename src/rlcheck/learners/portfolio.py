"""Portfolio: gives its episodes to several learners, most to the one that yields most now.

It is a bandit with discounted Thompson sampling: Raj and Kalyani, "Taming Non-stationary Bandits: A Bayesian
Approach", 2017. To run several and keep the better is the advice of Groce et al., "Lightweight Automated
Testing with Adaptation-Based Programming", ISSRE 2012, section VIII.

    yields[g, m] <- discount * yields[g, m] + found[g, m];    costs[g, m] <- discount * costs[g, m] + cost

after a turn of 10 episodes by member m; the others' are discounted too. A turn costs 1, or its time. There
are three goals g: unique valid inputs, and, in turns in which branches are noted, inputs with one that no
input took before, or no valid one, and valid inputs with a new trace. The next turn goes to the highest

    sum over g of weight[g] * Gamma(1 + yields[g, m], 1 / (1 / best[g] + costs[g, m])) / best[g]

where best[g] is the highest of yields[g, m] / costs[g, m], and weight[g] = all / (3 + all), where all is the
sum of yields[g, m] over m; or, with probability max(20 / (20 + turns so far), explore), to
anybody, so that each member has the same cost of such turns.

Departures from the paper:

1. Yields are counts, so the posterior is a Gamma and not a Beta distribution.
2. The prior is one yield at the rate of the best member: who has not been heard of for long is tried again.
3. Goals are added relative to the best; one that nobody reaches any more fades.
4. Arms are not independent: a member that is behind begins its turn with the last input another one found,
   and one that can observe learns from the first 20,000 choices of others: who learns slowly is not
   forgotten.
5. Arms learn: who yields nothing at first may be the best later, hence the turns that are anybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from rlcheck import registry
from rlcheck.choice import ChoicePoint
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.learners._bandit import Bandit
from rlcheck.protocols import Learner, State

#: In this share of the turns of members that do not watch, those that do are shown what is made, and branches
#: are noted, to know who covers most. To do so in all of them costs more than it brings.
_LOOK = 0.125
#: What a turn costs that a clock is too coarse for.
_TICK = 1e-9
#: So many choices of others members observe: that costs as much as to choose.
_LESSONS = 20_000

_Weighted = Callable[[ChoicePoint, State, int, Sequence[float]], int]


class Portfolio:
    """Several learners, of which each episode has one.

    Args:
        members: Names or objects.
        discount: What the yields of a turn are still worth after the next one.
        turn: Episodes in a turn: drawing who is next costs as much as some choices.
        explore: The least share of the turns that are anybody's; at first there are more. 0 for none at all.
        gains: What an episode yields, a number for each goal; None for the three goals above.
        clock: A turn costs the time that it took by this clock, such as `time.process_time`; None for one
            each, so that the same seed gives the same run.
    """

    #: Whether the member that has the turn is.
    blind: bool
    #: Whether members that watch are shown what is made in this turn, with its branches if there are any.
    looking: bool
    #: What a choice of that member costs beyond one at random.
    price: float
    #: The member's own where nobody observes, so that a choice costs what it costs with the member alone.
    select: Callable[[ChoicePoint, State, int], int]

    # Of the running turn: whose it is, episodes left, those that observe it, and what it yields, by goal
    # where goals were given.
    _turn: int
    _member: Any
    _weighted: _Weighted | None
    _fickle: bool
    _left: int
    _beside: list[Any]
    _found: list[float]
    _uniques: float
    _covering: float
    _tracing: float
    _noted: bool

    def __init__(
        self,
        members: Iterable[str | Learner[Any]] = ("uniform", "monte-carlo", "diverse", "zest"),
        *,
        discount: float = 0.995,
        turn: int = 10,
        explore: float = 0.08,
        gains: Callable[[Episode], Sequence[float]] | None = None,
        clock: Callable[[], float] | None = None,
        seed: int | None = None,
    ) -> None:
        if isinstance(turn, bool) or not isinstance(turn, int) or turn < 1:
            raise ConfigurationError(f"turn={turn!r} must be an integer of at least 1.")
        self.discount = discount
        self.turn = turn
        self.explore = explore
        self.rng = Random(seed)
        #: The learners; a guide with a seed reseeds them too.
        self.members = _made(members, None if seed is None else self.rng)
        #: A name when all members want the same one, else each gets states of its own.
        self.abstraction: Any = _abstraction_of(self.members)
        #: What of the branches members look at.
        self.coverage = _first(self.members, "coverage")
        #: How many episodes each member has had.
        self.episodes = [0] * len(self.members)
        #: Whether a member has made every input there is.
        self.exhausted = False
        self._bandit = Bandit(len(self.members), discount=discount, explore=explore, rng=self.rng)
        self._gains = gains
        self._clock = clock
        # When the turn began; of the first one it is not known, and so it does not count.
        self._started: float | None = None
        # Those that learn from the choices of others as they are made, and from what others have made.
        self._observing: list[Any] = [member for member in self.members if hasattr(member, "observe")]
        self._watching: list[Any] = [member for member in self.members if hasattr(member, "see")]
        self._lessons = _LESSONS
        # The last unique valid input, for members that learn by imitating alone: who made it, whether members
        # that watch have been shown it, and what it was worth, which is the same to who imitates it.
        self._lesson: Sequence[int] = ()
        self._teacher = 0
        self._shown = False
        self._worth = 0.0
        # Whether the episode imitates it. Of one that was seen: whether it is the next lesson, or the last.
        self._imitating = self._new = self._repeated = False
        # The branches that valid inputs took, and the traces of those that were noted.
        self._covered: set[int] = set()
        self._traces: set[int] = set()
        self._trace = registry.make("characteristic", "trace")
        self._begin(0)

    def select_weighted(self, point: ChoicePoint, state: State, n: int, weights: Sequence[float]) -> int:
        """What the member selects that has the turn."""
        if self._weighted is None:
            return self.select(point, state, n)
        index = self._weighted(point, state, n, weights)
        self._show(point, state, n, index)
        return index

    def _select_observed(self, point: ChoicePoint, state: State, n: int) -> int:
        index: int = self._member.select(point, state, n)
        self._show(point, state, n, index)
        return index

    def _show(self, point: ChoicePoint, state: State, n: int, index: int) -> None:
        for other in self._beside:
            other.observe(point, state, n, index)

    def discard(self, since: int) -> None:
        """Tell the member that has the turn."""
        if hasattr(self._member, "discard"):
            self._member.discard(since)

    def reward(self, value: float) -> None:
        """Tell the member that has the turn."""
        if self._new:
            self._worth = value
        elif self._repeated:
            value = self._worth
        self._member.reward(value)
        for other in self._beside:
            other.reward(value)

    def see(self, episode: Episode) -> None:
        """Note what the episode yields; those that learn from what others make are shown it."""
        # After each episode: every line here is paid for by the quickest of members.
        unique, counts = episode.unique, episode.counts
        if self._gains is not None:
            self._add(self._gains(episode))
        else:
            if unique:
                self._uniques += 1.0
            if counts is not None:
                self._cover(episode)
        self._new = unique
        if self._imitating:
            self._repeated = episode.outcome is not Outcome.INVALID
        if unique:
            self._lesson = episode.choices
            self._teacher = self._turn
            self._shown = self.looking or counts is not None
        if self._beside:
            self._lessons -= len(episode.choices)
            if self._lessons <= 0:
                self._observing = []  # From the next turn on.
        if self._watching and (self.looking or counts is not None):
            for member in self._watching:
                member.see(episode)

    def _add(self, gains: Sequence[float]) -> None:
        """Count what an episode yields for goals that were given."""
        for goal, gain in enumerate(gains):
            if goal == len(self._found):
                self._found.append(0.0)
            self._found[goal] += gain

    def _cover(self, episode: Episode) -> None:
        """Count an input with a branch that is new, to all inputs or to the valid ones, or a new trace."""
        assert episode.counts is not None
        known = len(self._covered)
        if episode.outcome is not Outcome.INVALID:
            self._covered.update(episode.counts)
            traces = len(self._traces)
            self._traces.add(self._trace(episode))
            self._tracing += len(self._traces) > traces
        self._noted = True
        self._covering += episode.new_branches > 0 or len(self._covered) > known

    def _gained(self) -> list[float]:
        """What the running turn yields for each goal; nothing of branches when none were noted."""
        if self._gains is not None:
            return self._found
        return [self._uniques, self._covering, self._tracing] if self._noted else [self._uniques]

    def update(self, outcome: Outcome) -> None:
        """Let the member learn, and after its turn give the next one."""
        self._member.update(outcome)
        if self._beside:
            for other in self._beside:
                other.update(outcome)
        self._new = self._repeated = self._imitating = False
        self.episodes[self._turn] += 1
        self._left -= 1
        if self._left <= 0 and len(self.members) > 1:
            self._settle()
            self._begin(self._bandit.next())
            self._teach()
        elif self._fickle:
            self._follow()

    def imitate(self, choices: Iterable[int]) -> None:
        """Give the next episode to a member that imitates: one that does not learn by seeing, if possible."""
        able = [place for place, member in enumerate(self.members) if hasattr(member, "imitate")]
        if able:
            place = next((place for place in able if self.members[place] not in self._watching), able[0])
            if place != self._turn:
                self._begin(place)
            self._member.imitate(choices)
            self._follow()

    def drop(self) -> None:
        """Tell the member that has the turn."""
        if hasattr(self._member, "drop"):
            self._member.drop()
        else:
            self._member.update(Outcome.INVALID)
        for other in self._beside:
            other.drop()
        self._follow()

    def _begin(self, place: int) -> None:
        """Give a member the turn."""
        self._turn = place
        self._member = member = self.members[place]
        self._left = self.turn
        self._found = []
        self._beside = [other for other in self._observing if other is not member]
        self._uniques = self._covering = self._tracing = 0.0
        self._noted = False
        self._weighted = getattr(member, "select_weighted", None)
        watched = not self._bandit.turns or not self._watching or member in self._watching
        self.looking = watched or self.rng.random() < _LOOK
        if isinstance(self.abstraction, _Abstractions):
            self.abstraction.turn(place)
        # To look at it after each episode costs as much as some choices.
        self._fickle = _is_fickle(member)
        self._follow()

    def _teach(self) -> None:
        """Have a member that is behind begin its turn with what another one found."""
        member = self._member
        if not self._lesson or self._teacher == self._turn or not self._bandit.is_behind(self._turn):
            return
        if hasattr(member, "imitate") and (not self._shown or member not in self._watching):
            member.imitate(self._lesson)
            self._lesson = ()
            self._imitating = True
            self._follow()

    def _follow(self) -> None:
        """Be what the member that has the turn is now."""
        self.select = self._select_observed if self._beside else self._member.select
        self.price = getattr(self._member, "price", 0.0)
        self.blind = not self._beside and getattr(self._member, "blind", False)
        self.exhausted = self.exhausted or getattr(self._member, "exhausted", False)

    def _settle(self) -> None:
        """Count a turn that ended."""
        cost = 1.0
        if self._clock is not None:
            began, self._started = self._started, self._clock()
            if began is None:
                return
            cost = (self._started - began) or _TICK
        self._bandit.settle(self._turn, self._gained(), cost)


def _made(members: Iterable[str | Learner[Any]], rng: Random | None) -> list[Any]:
    """The members, seeded when there is something to seed them with."""
    made: list[Any] = [registry.make("learner", member) for member in members]
    if not made:
        raise ConfigurationError("members=() must be at least one name or learner.")
    for member in made:
        registry.check_methods("learner", member, ("select", "reward", "update"))
        if rng is not None and hasattr(member, "rng"):
            member.rng.seed(rng.getrandbits(32))
    return made


def _is_fickle(member: Any) -> bool:
    """Whether it may be blind, exhausted or another one after an episode that it was not before."""
    blind = hasattr(member, "blind") and not isinstance(getattr(type(member), "blind", None), bool)
    return blind or hasattr(member, "exhausted") or hasattr(member, "members")


def _first(members: list[Any], name: str) -> str | None:
    """The first value of an attribute that a member has."""
    found = (getattr(member, name, None) for member in members)
    return next((value for value in found if value is not None), None)


def _abstraction_of(members: list[Any]) -> Any:
    """The abstraction that all members want which look at states, or one that has several."""
    wanted = [getattr(member, "abstraction", None) for member in members if not _is_always_blind(member)]
    return wanted[0] if wanted and len(set(wanted)) == 1 else _Abstractions(members) if wanted else None


def _is_always_blind(member: Any) -> bool:
    return getattr(type(member), "blind", None) is True


class _Abstractions:
    """Those of several members: the states are those of whose turn it is."""

    def __init__(self, members: list[Any]) -> None:
        made: dict[Any, Any] = {}
        self._each: list[Any] = []
        for member in members:
            wanted = getattr(member, "abstraction", None)
            if wanted not in made:
                made[wanted] = registry.make("abstraction", wanted)
            self._each.append(made[wanted])
        self.turn(0)

    def turn(self, place: int) -> None:
        """Be the one of a member, between episodes."""
        self._now = now = self._each[place]
        # Theirs, so that a choice costs what it costs with the member alone.
        self.start, self.state, self.record, self.finish = now.start, now.state, now.record, now.finish

    def reward(self, value: float) -> None:
        """Tell it, if it listens."""
        if hasattr(self._now, "reward"):
            self._now.reward(value)
