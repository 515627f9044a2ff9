"""Skip lists that know how far each link leads: insert, delete, find, and the key at a place."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A key, and how many keys of the lowest level its link passes, its own included.
Link = tuple[int, int]
Level = tuple[Link, ...]
#: The lowest level first. Each begins with the head, whose key is below all others.
Skips = tuple[Level, ...]
#: A skip list, a key, its number of levels, and a place.
Input = tuple[Skips, int, int, int]

HEAD, KEYS, LEVELS, LONGEST = -1, range(10), 3, 6


def keys(level: Level) -> list[int]:
    """Return the keys of a level without the head."""
    return [key for key, _ in level[1:]]


def measured(levels: list[list[int]]) -> Skips:
    """Return a skip list of the keys of each level."""
    lowest = [HEAD, *levels[0]]
    made = []
    for level in levels:
        places = [lowest.index(key) for key in (HEAD, *level)]
        ends = [*places[1:], len(lowest)]
        made.append(tuple((lowest[at], end - at) for at, end in zip(places, ends, strict=True)))
    return tuple(made)


def is_skip_list(skips: Skips) -> bool:
    """Whether levels are in order, each is part of the one below, and links lead as far as they say."""
    if not skips or any(not level or level[0][0] != HEAD for level in skips):
        return False
    plain = [keys(level) for level in skips]
    ordered = all(low < high for level in plain for low, high in pairwise([HEAD, *level]))
    nested = all(set(upper) <= set(lower) for lower, upper in pairwise(plain))
    return ordered and nested and all(plain[1:]) and skips == measured(plain)


class SkipList:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def path(self, skips: Skips, key: int) -> list[tuple[int, int]]:
        """Return, for each level, the number of the last link before a key, and its place."""
        found = []
        before, place = HEAD, 0
        for level in reversed(skips):
            number = next(at for at, link in enumerate(level) if link[0] == before)
            while number + 1 < len(level) and level[number + 1][0] < key:
                place += level[number][1]
                number += 1
            if self.bug == "path-restarts-at-head" and len(found) == 1:
                before, place = HEAD, 0
            else:
                before = level[number][0]
            found.append((number, place))
        return found[::-1]

    def find(self, skips: Skips, key: int) -> bool:
        """Whether a key is there."""
        number = self.path(skips, key)[0][0]
        if self.bug == "find-stops-at-upper-end" and len(skips) > 1 and key > skips[-1][-1][0] > HEAD:
            return key in keys(skips[1])
        return number + 1 < len(skips[0]) and skips[0][number + 1][0] == key

    def insert(self, skips: Skips, key: int, height: int) -> Skips:
        """Return the list with a key on this many levels."""
        if self.find(skips, key):
            return skips
        if self.bug != "insert-never-adds-levels":
            size = sum(width for _, width in skips[-1])
            skips += (((HEAD, size),),) * (height - len(skips))
        path = self.path(skips, key)
        made = []
        for number, level in enumerate(skips):
            before, place = path[number]
            own, width = level[before]
            if number < height:
                first = path[0][1] - place + 1
                rest = width - first + 1
                if self.bug == "insert-forgets-own-width":
                    rest = 1 if number else rest
                if self.bug == "insert-halves-width" and number == 1:
                    first, rest = (width + 1) // 2, width + 1 - (width + 1) // 2
                links = (*level[:before], (own, first), (key, rest), *level[before + 1 :])
            elif self.bug == "insert-skips-upper-widths":
                links = level
            elif self.bug == "insert-widens-last" and number == 2:
                links = (*level[:-1], (level[-1][0], level[-1][1] + 1))
            else:
                links = (*level[:before], (own, width + 1), *level[before + 1 :])
            made.append(links)
        return tuple(made)

    def delete(self, skips: Skips, key: int) -> Skips:
        """Return the list without a key."""
        if not self.find(skips, key):
            return skips if self.bug != "delete-of-missing-narrows" or len(skips) < 2 else self.narrow(skips)
        path = self.path(skips, key)
        made = []
        for number, level in enumerate(skips):
            before = path[number][0]
            own, width = level[before]
            here = before + 1 < len(level) and level[before + 1][0] == key
            if here and self.bug == "delete-lowest-only" and number == 2:
                links = level
            elif here:
                more = level[before + 1][1]
                width += more - 1 if self.bug != "delete-loses-width" or number == 0 else 0
                links = (*level[:before], (own, width), *level[before + 2 :])
            elif self.bug == "delete-keeps-upper-widths" and number > 1:
                links = level
            else:
                links = (*level[:before], (own, width - 1), *level[before + 1 :])
            if len(links) > 1 or not number or self.bug == "delete-keeps-empty-levels":
                made.append(links)
        return tuple(made) if self.bug != "delete-forgets-top" else tuple(made[: max(1, len(skips) - 1)])

    def narrow(self, skips: Skips) -> Skips:
        """Shorten the first link of the second level."""
        (own, width), *rest = skips[1]
        return (skips[0], ((own, max(1, width - 1)), *rest), *skips[2:])

    def at(self, skips: Skips, place: int) -> int:
        """Return the key at a place of the lowest level, the head's being 0."""
        passed, before = 0, HEAD
        for level in reversed(skips):
            number = next(at for at, link in enumerate(level) if link[0] == before)
            while number + 1 < len(level):
                width = level[number][1]
                if self.bug == "at-passes-too-far" and width == 2 and passed + width == place + 1:
                    width -= 1
                if passed + width > place:
                    break
                passed += width
                number += 1
            before = level[number][0]
            if self.bug == "at-counts-levels-anew" and len(skips) > 2 and level is skips[1]:
                passed = min(passed, 2)
        return before


def find_keys(lists: SkipList, value: Input) -> bool:
    """A key is found if the lowest level has it."""
    return lists.find(*value[:2]) == (value[1] in keys(value[0][0]))


def insert_keys(lists: SkipList, value: Input) -> bool:
    """An insertion adds the key to the lowest levels."""
    skips, key, height, _ = value
    made = lists.insert(skips, key, height)
    if key in keys(skips[0]):
        return made == skips
    plain = [keys(level) for level in skips] + [[]] * (height - len(skips))
    expected = [sorted([*level, key]) if number < height else level for number, level in enumerate(plain)]
    return [keys(level) for level in made] == expected


def insert_valid(lists: SkipList, value: Input) -> bool:
    """An insertion leaves a skip list."""
    return is_skip_list(lists.insert(*value[:3]))


def delete_keys(lists: SkipList, value: Input) -> bool:
    """A deletion removes the key from all levels."""
    skips, key, _, _ = value
    plain = [[each for each in keys(level) if each != key] for level in skips]
    made = [keys(level) for level in lists.delete(skips, key)]
    return made == plain[:1] + [level for level in plain[1:] if level]


def delete_valid(lists: SkipList, value: Input) -> bool:
    """A deletion leaves a skip list."""
    return is_skip_list(lists.delete(*value[:2]))


def at_key(lists: SkipList, value: Input) -> bool:
    """The key at a place is that of the lowest level."""
    skips, _, _, place = value
    return place >= len(skips[0]) or lists.at(skips, place) == skips[0][place][0]


def valid(value: Input) -> bool:
    """Whether it is a skip list."""
    return is_skip_list(value[0])


def generator(choose: Choose) -> Input:
    """Make levels of any links, a key, a number of levels and a place."""
    skips = tuple(level(choose) for _ in range(choose(range(1, LEVELS + 1))))
    return skips, choose(KEYS), choose(range(1, LEVELS + 1)), choose(range(LONGEST + 1))


def level(choose: Choose) -> Level:
    """Make any links after the head."""
    rest = tuple((choose(KEYS), choose(range(1, LONGEST + 1))) for _ in range(choose(range(LONGEST + 1))))
    return ((HEAD, choose(range(1, LONGEST + 2))), *rest)


def handwritten(random: Random) -> Input:
    """Put some keys on levels of which each has about half of the one below."""
    levels = [sorted(random.sample(KEYS, random.randint(0, LONGEST)))]
    while len(levels) < LEVELS:
        upper = [key for key in levels[-1] if random.random() < 0.6]
        if not upper:
            break
        levels.append(upper)
    height = random.randint(1, LEVELS)
    return measured(levels), random.choice(KEYS), height, random.randint(0, LONGEST)


WIDTHS = st.integers(1, LONGEST + 1)
KEY = st.integers(KEYS[0], KEYS[-1])
ROWS = st.tuples(WIDTHS, st.lists(st.tuples(KEY, WIDTHS), max_size=LONGEST)).map(
    lambda made: ((HEAD, made[0]), *made[1])
)

WORKLOAD = Workload(
    "skip-list",
    SkipList,
    generator,
    st.tuples(
        st.lists(ROWS, min_size=1, max_size=LEVELS).map(tuple),
        KEY,
        st.integers(1, LEVELS),
        st.integers(0, LONGEST),
    ),
    valid,
    {
        "path-restarts-at-head": (insert_valid,),
        "find-stops-at-upper-end": (find_keys, insert_keys, insert_valid),
        "insert-never-adds-levels": (insert_keys,),
        "insert-forgets-own-width": (insert_valid,),
        "insert-halves-width": (insert_valid,),
        "insert-skips-upper-widths": (insert_valid,),
        "insert-widens-last": (insert_valid,),
        "delete-of-missing-narrows": (delete_valid,),
        "delete-lowest-only": (delete_keys, delete_valid),
        "delete-loses-width": (delete_valid,),
        "delete-keeps-upper-widths": (delete_valid,),
        "delete-keeps-empty-levels": (delete_keys, delete_valid),
        "delete-forgets-top": (delete_keys,),
        "at-passes-too-far": (at_key,),
        "at-counts-levels-anew": (at_key,),
    },
    handwritten,
    held_out=True,
)
