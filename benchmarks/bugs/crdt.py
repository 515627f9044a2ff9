"""A replicated set: replicas add and remove by themselves, and agree once they have merged."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A replica and the number of its addition.
Dot = tuple[int, int]
#: How many additions of each replica are known, and the elements with the additions that still count.
State = tuple[tuple[int, ...], tuple[tuple[str, tuple[Dot, ...]], ...]]
#: Two states, an element and a replica.
Input = tuple[State, State, str, int]

ELEMENTS, REPLICAS, COUNTS = "abcd", range(3), range(6)


def elements(state: State) -> set[str]:
    """Return what is in the set."""
    return {element for element, _ in state[1]}


def dots(state: State) -> dict[Dot, str]:
    """Return the element of every addition that counts."""
    return {dot: element for element, held in state[1] for dot in held}


def state_of(clock: tuple[int, ...], held: dict[Dot, str]) -> State:
    """Return a state of what is known and what counts."""
    names = sorted(set(held.values()))
    return clock, tuple((name, tuple(sorted(dot for dot in held if held[dot] == name))) for name in names)


def is_state(state: State) -> bool:
    """Whether all is in order, nothing is there twice, and every addition is known."""
    clock, entries = state
    known = all(0 < count <= clock[replica] for _, held in entries for replica, count in held)
    alone = sum(len(held) for _, held in entries) == len(dots(state))
    return known and alone and all(held for _, held in entries) and state == state_of(clock, dots(state))


def united(one: State, other: State) -> State:
    """Return what two replicas agree on: an addition counts unless a replica knows it and has removed it."""
    here, there = dots(one), dots(other)
    kept = {
        dot: element
        for dot, element in (here | there).items()
        if (dot in here or dot[1] > one[0][dot[0]]) and (dot in there or dot[1] > other[0][dot[0]])
    }
    return state_of(tuple(map(max, one[0], other[0])), kept)


class Replica:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def add(self, state: State, element: str, replica: int) -> State:
        """Add an element; the addition replaces those before it."""
        clock, held = list(state[0]), dots(state)
        if self.bug == "add-ignores-known" and element in elements(state):
            return state
        clock[replica] += 1
        count = clock[replica]
        if self.bug == "add-counts-all":
            count = clock[replica] = sum(clock)
        if self.bug == "add-counts-element":
            count = 1 + max((dot[1] for dot in held if dot[0] == replica), default=0)
        if self.bug == "add-forgets-clock" and element in elements(state):
            clock[replica] -= 1
        if self.bug == "add-replaces-own-only":
            held = {dot: each for dot, each in held.items() if each != element or dot[0] != replica}
        elif self.bug != "add-keeps-old":
            held = {dot: each for dot, each in held.items() if each != element}
        return state_of(tuple(clock), held | {(replica, count): element})

    def remove(self, state: State, element: str) -> State:
        """Remove an element."""
        gone = [dot for dot, each in dots(state).items() if each == element]
        if self.bug == "remove-one-addition":
            gone = gone[:1]
        if self.bug == "remove-keeps-first-replica" and len(gone) > 1:
            gone = [dot for dot in gone if dot[0]]
        clock = state[0]
        if self.bug == "remove-resets-clock" and len(gone) > 1:
            clock = tuple(count - 1 if number == gone[-1][0] else count for number, count in enumerate(clock))
        return state_of(clock, {dot: each for dot, each in dots(state).items() if dot not in gone})

    def merge(self, one: State, other: State) -> State:
        """Return what both replicas know."""
        kept: dict[Dot, str] = {}
        for this, that in ((one, other), (other, one)):
            kept |= {
                dot: element
                for dot, element in dots(this).items()
                if self.survives(dot, element, that, first=this is one)
            }
        clock = tuple(map(max, one[0], other[0]))
        if self.bug == "merge-sums-clocks":
            both = zip(one[0], other[0], strict=True)
            clock = tuple(a + b if a and b and a != b else max(a, b) for a, b in both)
        if self.bug == "merge-keeps-first-clock" and one[0] > other[0]:
            clock = one[0]
        if self.bug == "merge-last-addition-wins":
            last = {kept[dot]: dot for dot in sorted(kept, key=lambda each: each[1])}
            kept = {dot: element for element, dot in last.items()}
        return state_of(clock, kept)

    def survives(self, dot: Dot, element: str, that: State, *, first: bool) -> bool:
        """Whether an addition still counts for another replica."""
        replica, count = dot
        if dot in dots(that):
            return True
        known = that[0][replica]
        if self.bug == "merge-removes-next":
            return count > known + 1
        if self.bug == "merge-revives-last":
            return count >= known
        if self.bug == "merge-compares-own-replica" and first:
            return count > that[0][0]
        if self.bug == "merge-keeps-if-element-there" and element in elements(that):
            return True
        if self.bug == "merge-drops-unknown-of-second" and not first and element not in elements(that):
            return known >= count
        return count > known

    def covers(self, one: State, other: State) -> bool:
        """Whether a replica knows all that another one knows."""
        if self.bug == "covers-any-replica":
            return any(a > b for a, b in zip(one[0], other[0], strict=True)) or one[0] == other[0]
        if self.bug == "covers-by-order":
            return one[0] >= other[0]
        if self.bug == "covers-by-sum":
            return sum(one[0]) >= sum(other[0])
        return all(a >= b for a, b in zip(one[0], other[0], strict=True))


def merge_unites(replica: Replica, value: Input) -> bool:
    """Merging gives what both agree on."""
    return replica.merge(*value[:2]) == united(*value[:2])


def merge_commutes(replica: Replica, value: Input) -> bool:
    """Merging gives the same both ways."""
    one, other, _, _ = value
    return replica.merge(one, other) == replica.merge(other, one)


def merge_repeats(replica: Replica, value: Input) -> bool:
    """Merging the result again changes nothing."""
    one, other, _, _ = value
    merged = replica.merge(one, other)
    return replica.merge(merged, other) == merged == replica.merge(merged, one)


def add_shows(replica: Replica, value: Input) -> bool:
    """An element that was added is there, and leaves a state in which one addition of it counts."""
    state, _, element, name = value
    made = replica.add(state, element, name)
    newest = [dot for dot, each in dots(made).items() if each == element]
    return is_state(made) and newest == [(name, state[0][name] + 1)]


def add_survives(replica: Replica, value: Input) -> bool:
    """An element that was added survives a merge with a replica that knows less or more."""
    one, other, element, name = value
    if one[0][name] < other[0][name]:
        return True
    return element in elements(united(replica.add(one, element, name), other))


def remove_hides(replica: Replica, value: Input) -> bool:
    """An element that was removed is gone, also after a merge with what was before."""
    state, _, element, _ = value
    made = replica.remove(state, element)
    return element not in elements(made) and elements(united(made, state)) == elements(state) - {element}


def covers_clock(replica: Replica, value: Input) -> bool:
    """A replica covers another one if a merge teaches it nothing."""
    one, other, _, _ = value
    return replica.covers(one, other) == (united(one, other)[0] == one[0])


def valid(value: Input) -> bool:
    """Whether both states are right, and additions that both know are of the same element."""
    one, other, _, _ = value
    here, there = dots(one), dots(other)
    return is_state(one) and is_state(other) and all(there.get(dot, here[dot]) == here[dot] for dot in here)


def generator(choose: Choose) -> Input:
    """Make two states with any clocks and any additions, an element and a replica."""
    return state(choose), state(choose), choose(ELEMENTS), choose(REPLICAS)


def state(choose: Choose) -> State:
    """Make any state."""
    clock = tuple(choose(COUNTS) for _ in REPLICAS)
    entries = tuple((choose(ELEMENTS), some_dots(choose)) for _ in range(choose(range(4))))
    return clock, entries


def some_dots(choose: Choose) -> tuple[Dot, ...]:
    """Make any additions."""
    return tuple((choose(REPLICAS), choose(COUNTS)) for _ in range(choose(range(4))))


def handwritten(random: Random) -> Input:
    """Let three replicas add, remove and merge for a while, and take two of them."""
    replica = Replica()
    states: list[State] = [((0, 0, 0), ())] * len(REPLICAS)
    for _ in range(random.randrange(16)):
        name, element = random.choice(REPLICAS), random.choice(ELEMENTS)
        roll = random.random()
        if roll < 0.5:
            states[name] = replica.add(states[name], element, name)
        elif roll < 0.7:
            states[name] = replica.remove(states[name], element)
        else:
            states[name] = replica.merge(states[name], random.choice(states))
    return *random.sample(states, 2), random.choice(ELEMENTS), random.choice(REPLICAS)


DOTS = st.lists(
    st.tuples(st.integers(0, len(REPLICAS) - 1), st.integers(COUNTS[0], COUNTS[-1])), max_size=3
).map(tuple)
STATES = st.tuples(
    st.tuples(*[st.integers(COUNTS[0], COUNTS[-1])] * len(REPLICAS)),
    st.lists(st.tuples(st.sampled_from(ELEMENTS), DOTS), max_size=3).map(tuple),
)

WORKLOAD = Workload(
    "crdt",
    Replica,
    generator,
    st.tuples(STATES, STATES, st.sampled_from(ELEMENTS), st.integers(0, len(REPLICAS) - 1)),
    valid,
    {
        "add-ignores-known": (add_shows, add_survives),
        "add-counts-all": (add_shows,),
        "add-counts-element": (add_shows, add_survives),
        "add-forgets-clock": (add_shows,),
        "add-replaces-own-only": (add_shows,),
        "add-keeps-old": (add_shows,),
        "remove-one-addition": (remove_hides,),
        "remove-keeps-first-replica": (remove_hides,),
        "remove-resets-clock": (remove_hides,),
        "merge-sums-clocks": (merge_unites, merge_repeats),
        "merge-keeps-first-clock": (merge_unites, merge_commutes),
        "merge-last-addition-wins": (merge_unites, merge_commutes),
        "merge-removes-next": (merge_unites,),
        "merge-revives-last": (merge_unites,),
        "merge-compares-own-replica": (merge_unites, merge_repeats),
        "merge-keeps-if-element-there": (merge_unites, merge_repeats),
        "merge-drops-unknown-of-second": (merge_unites, merge_repeats),
        "covers-any-replica": (covers_clock,),
        "covers-by-order": (covers_clock,),
        "covers-by-sum": (covers_clock,),
    },
    handwritten,
    held_out=True,
)
