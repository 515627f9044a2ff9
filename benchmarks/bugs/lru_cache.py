"""A cache that forgets what was used least recently: a linked list in slots; get, put, drop and resize."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A key, its value, and the slot that was used before it; -1 after the last.
Slot = tuple[int, int, int]
#: How many slots there may be, the slot that was used last, and the slots.
Cache = tuple[int, int, tuple[Slot, ...]]
#: A cache, a key, a value, and a capacity.
Input = tuple[Cache, int, int, int]

KEYS, VALUES, MOST = range(12), range(3), 7


def entries(cache: Cache) -> list[tuple[int, int]] | None:
    """Return keys and values, the last used first; None if the list is broken."""
    _, place, slots = cache
    found, seen = [], set()
    while place != -1:
        if place in seen or not 0 <= place < len(slots):
            return None
        seen.add(place)
        found.append(slots[place][:2])
        place = slots[place][2]
    return found


def is_cache(cache: Cache) -> bool:
    """Whether the list has every slot, no key is there twice, and nothing is beyond the capacity."""
    listed = entries(cache)
    if listed is None or not len(listed) == len(cache[2]) <= cache[0]:
        return False
    return len({key for key, _ in listed}) == len(listed)


class LruCache:
    """The operations; each returns a new cache."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def where(self, cache: Cache, key: int) -> int:
        """Return the slot of a key, or -1."""
        slots = cache[2] if self.bug != "lookup-skips-last-slot" or len(cache[2]) < 4 else cache[2][:-1]
        return next((place for place, slot in enumerate(slots) if slot[0] == key), -1)

    def unlink(self, cache: Cache, place: int) -> Cache:
        """Take a slot out of the list, and leave it where it is."""
        capacity, head, slots = cache
        after = slots[place][2]
        if head == place:
            return (capacity, after, slots)
        made = []
        for number, (key, value, rest) in enumerate(slots):
            if rest == place and self.bug == "unlink-cuts-the-rest":
                rest = -1
            elif rest == place and self.bug == "unlink-forgets-last" and after == -1:
                rest = place
            elif rest == place:
                rest = after
            made.append((key, value, rest))
            if self.bug == "unlink-stops-at-own-slot" and number == place:
                made += slots[place + 1 :]
                break
        return (capacity, head, tuple(made))

    def touch(self, cache: Cache, place: int) -> Cache:
        """Move a slot to the front."""
        if self.bug == "touch-skips-second" and cache[1] != -1 and cache[2][cache[1]][2] == place:
            return cache
        if cache[1] == place and self.bug != "touch-relinks-head":
            return cache
        old = cache[1]
        capacity, head, slots = self.unlink(cache, place)
        key, value, _ = slots[place]
        head = old if self.bug == "touch-relinks-head" else head
        return (capacity, place, (*slots[:place], (key, value, head), *slots[place + 1 :]))

    def get(self, cache: Cache, key: int) -> tuple[int | None, Cache]:
        """Return the value of a key, which is used last then."""
        place = self.where(cache, key)
        if place == -1:
            return None, cache
        value = cache[2][place][1]
        if self.bug == "get-does-not-touch-last" and cache[2][place][2] == -1:
            return value, cache
        return value or None if self.bug == "get-denies-zero" else value, self.touch(cache, place)

    def put(self, cache: Cache, key: int, value: int) -> Cache:
        """Set the value of a key, which is used last then."""
        capacity, head, slots = cache
        place = self.where(cache, key)
        if place != -1:
            if self.bug != "put-keeps-old-value":
                slots = (*slots[:place], (key, value, slots[place][2]), *slots[place + 1 :])
            made = (capacity, head, slots)
            if self.bug == "put-evicts-for-known" and len(slots) == capacity > 3:
                return self.evict(self.touch(made, place))
            return made if self.bug == "put-does-not-touch" else self.touch(made, place)
        full = len(slots) >= capacity if self.bug != "put-evicts-too-late" else len(slots) > capacity
        if self.bug == "put-evicts-too-early":
            full = len(slots) >= max(capacity - 1, 4)
        if full:
            capacity, head, slots = self.evict(cache)
        return (capacity, len(slots), (*slots, (key, value, head)))

    def evict(self, cache: Cache) -> Cache:
        """Remove the slot that was used least recently."""
        last = next(place for place, slot in enumerate(cache[2]) if slot[2] == -1)
        if self.bug == "evict-removes-oldest-slot":
            last = 0
        if self.bug == "evict-removes-second-last" and len(cache[2]) > 4:
            last = next(place for place, slot in enumerate(cache[2]) if slot[2] == last)
        return self.remove(cache, last)

    def remove(self, cache: Cache, place: int) -> Cache:
        """Remove a slot; the last one takes its place."""
        capacity, head, slots = self.unlink(cache, place)
        last = len(slots) - 1
        if head == last and self.bug != "remove-forgets-moved-head":
            head = place
        made = list(slots)
        if self.bug == "remove-forgets-moved-slot":
            moved = made
        else:
            moved = [(key, value, place if rest == last else rest) for key, value, rest in made]
        moved[place] = moved[last]
        if self.bug == "remove-moves-value-only" and place != last:
            moved[place] = (*slots[last][:2], slots[place][2])
        return (capacity, head, tuple(moved[:last]))

    def drop(self, cache: Cache, key: int) -> Cache:
        """Remove a key, if it is there."""
        place = self.where(cache, key)
        if self.bug == "drop-spares-head" and place == cache[1]:
            return cache
        return cache if place == -1 else self.remove(cache, place)

    def resize(self, cache: Cache, capacity: int) -> Cache:
        """Change the capacity; what was used least recently goes."""
        over = len(cache[2]) - capacity
        made: Cache = (capacity, *cache[1:])
        if self.bug == "resize-evicts-one":
            over = min(over, 1)
        for _ in range(over):
            made = self.evict(made)
        return made


def get_entries(lru: LruCache, value: Input) -> bool:
    """A get finds the value, and moves the key to the front."""
    cache, key, _, _ = value
    listed = entries(cache) or []
    found, made = lru.get(cache, key)
    front = [entry for entry in listed if entry[0] == key]
    expected = front + [entry for entry in listed if entry[0] != key]
    return found == dict(listed).get(key) and entries(made) == expected


def put_entries(lru: LruCache, value: Input) -> bool:
    """A put sets the value, moves the key to the front, and removes the last one if it must."""
    cache, key, number, _ = value
    kept = [entry for entry in entries(cache) or [] if entry[0] != key]
    return entries(lru.put(cache, key, number)) == [(key, number), *kept][: cache[0]]


def put_valid(lru: LruCache, value: Input) -> bool:
    """A put leaves a cache."""
    return is_cache(lru.put(*value[:3]))


def drop_entries(lru: LruCache, value: Input) -> bool:
    """A drop removes one key."""
    cache, key, _, _ = value
    made = lru.drop(cache, key)
    return is_cache(made) and entries(made) == [each for each in entries(cache) or [] if each[0] != key]


def resize_entries(lru: LruCache, value: Input) -> bool:
    """A resize keeps what was used last."""
    cache, _, _, capacity = value
    made = lru.resize(cache, capacity)
    return is_cache(made) and entries(made) == (entries(cache) or [])[:capacity]


def valid(value: Input) -> bool:
    """Whether it is a cache."""
    return is_cache(value[0])


def generator(choose: Choose) -> Input:
    """Make any slots with any links, a key, a value and a capacity."""
    size = choose(range(MOST + 1))
    slots = tuple((choose(KEYS), choose(VALUES), choose(range(-1, size))) for _ in range(size))
    cache = (choose(range(1, MOST + 1)), choose(range(-1, size)), slots)
    return cache, choose(KEYS), choose(VALUES), choose(range(1, MOST + 1))


def handwritten(random: Random) -> Input:
    """Put some slots in any order."""
    capacity = random.randint(1, MOST)
    order = random.sample(range(size := random.randint(0, capacity)), size)
    after = dict(zip(order, [*order[1:], -1], strict=False))
    keys = random.sample(KEYS, size)
    slots = tuple((key, random.choice(VALUES), after[place]) for place, key in enumerate(keys))
    cache = (capacity, order[0] if order else -1, slots)
    return cache, random.choice(KEYS), random.choice(VALUES), random.randint(1, MOST)


def inputs(size: int) -> st.SearchStrategy[Input]:
    """Any `size` slots with any links, a key, a value and a capacity."""
    keys, values = st.integers(KEYS[0], KEYS[-1]), st.integers(VALUES[0], VALUES[-1])
    links, capacities = st.integers(-1, size - 1), st.integers(1, MOST)
    slots = st.tuples(*[st.tuples(keys, values, links)] * size)
    return st.tuples(st.tuples(capacities, links, slots), keys, values, capacities)


WORKLOAD = Workload(
    "lru-cache",
    LruCache,
    generator,
    st.integers(0, MOST).flatmap(inputs),
    valid,
    {
        "lookup-skips-last-slot": (put_entries, put_valid),
        "unlink-cuts-the-rest": (get_entries, put_entries),
        "unlink-forgets-last": (get_entries, drop_entries),
        "unlink-stops-at-own-slot": (get_entries, drop_entries),
        "touch-skips-second": (get_entries, put_entries),
        "touch-relinks-head": (get_entries, put_entries),
        "get-does-not-touch-last": (get_entries,),
        "get-denies-zero": (get_entries,),
        "put-keeps-old-value": (put_entries,),
        "put-evicts-for-known": (put_entries,),
        "put-does-not-touch": (put_entries,),
        "put-evicts-too-late": (put_entries, put_valid),
        "put-evicts-too-early": (put_entries, put_valid),
        "evict-removes-oldest-slot": (put_entries, resize_entries),
        "evict-removes-second-last": (put_entries, resize_entries),
        "remove-forgets-moved-head": (put_entries, put_valid),
        "remove-forgets-moved-slot": (put_entries, put_valid),
        "remove-moves-value-only": (put_entries, put_valid),
        "drop-spares-head": (drop_entries,),
        "resize-evicts-one": (resize_entries,),
    },
    handwritten,
)
