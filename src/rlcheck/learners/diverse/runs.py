"""Runs: parts of a body that repeats itself, as a loop does."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import LARGE, Item, Leaf, Listing, Span, digest, first_head, mix, span_at

#: How often a span becomes a smaller one of its episode.
_SHRINK = 0.3


def ends_of(items: list[Item], start: int) -> list[int]:
    """Return where a run may end that starts there: where the same is asked again, or after the last one."""
    first = items[start]
    head = first.head
    found: list[int] = []
    for place in range(start + 1, len(items)):
        item = items[place]
        if item.head == head:
            found.append(place)
    if isinstance(first, Span):
        found.append((found[-1] if found else start) + 1)
    elif _is_round(items, start, found):
        found.append(len(items))
    return found


def _is_round(items: list[Item], start: int, ends: list[int]) -> bool:
    """Whether the last round of a loop that ends there is as long as the one before, or the only one."""
    if not ends:
        return start == 0
    last = ends[-1]
    before = ends[-2] if len(ends) > 1 else start
    return len(items) - last == last - before


def end_of_run(items: list[Item], start: int, random: Callable[[], float]) -> int:
    """Return where the run to be replaced ends; at its start when something is to be inserted."""
    ends = ends_of(items, start)
    if not ends or random() >= 0.4:
        return start
    return ends[int(cube(random()) * len(ends))]


def neighbours(items: list[Item], place: int) -> int:
    """Return a hash of what was asked and answered before a place, and at it."""
    return mix(_answer(items[place - 1]) if place else 1, _answer(items[place]) >> 1)


def _answer(item: Item) -> int:
    if isinstance(item, Leaf) and item.n <= LARGE:
        return mix(item.head, item.index)
    return mix(item.head, -1)


def any_run(items: list[Item], head: int, random: Callable[[], float]) -> list[Item] | None:
    """Return any run of a body that begins with what this head asks; short ones more often."""
    starts = [place for place in range(len(items)) if items[place].head == head]
    if not starts:
        return None
    first = starts[below(random, len(starts))]
    ends = ends_of(items, first)
    if not ends:
        return None
    return items[first : ends[int(cube(random()) * len(ends))]]


def spans_like(items: list[Item], random: Callable[[], float]) -> list[int]:
    """Return the places of the spans that ask the same first as one of them, which is picked at random."""
    places = [place for place in range(len(items)) if _has_structure(items[place])]
    first = first_head(span_at(items, places[below(random, len(places))]))
    return [place for place in places if first_head(span_at(items, place)) == first]


def _has_structure(item: Item) -> bool:
    """Whether an item is a span with more than values."""
    if isinstance(item, Span):
        span = item
        return span.small > 0
    return False


def recount(old: list[Item], new: list[Item], start: int, head: int) -> None:
    """Correct the choice that says how many spans follow, where there is one before them."""
    first = start
    while first > 0:
        item = old[first - 1]
        if item.head != head:
            break
        first -= 1
    if first == 0 or not isinstance(item, Leaf):
        return
    leaf = item
    before, after = _length(old, first, head), _length(new, first, head)
    if leaf.n <= LARGE and 0 <= before - leaf.index <= 1:
        index = leaf.index + after - before
        if 0 <= index < leaf.n:
            new[first - 1] = Leaf(leaf.head, leaf.n, index, leaf.value)


def is_loop(span: Span) -> bool:
    """Whether all that a span does is to ask the same again and again."""
    items = span.items
    if len(items) < 2:
        return False
    head = first_head(span)
    for place in range(len(items)):
        item = items[place]
        if item.head != head or not isinstance(item, Leaf):
            return False
    return True


def like_in(listing: Listing, old: Span, random: Callable[[], float]) -> Span:
    """Return another span of the same episode that asks the same first; rather one that is not smaller."""
    first = first_head(old)
    found = old
    for _ in range(8):
        body = listing.spans[below(random, len(listing.spans))]
        if first_head(body) == first and (body.leaves >= old.leaves or random() < _SHRINK):
            found = body
            if body.fine != old.fine:
                break
    return found


def counted(listing: Listing, number: int, new: Span, head: int) -> tuple[int, Span]:
    """Return a span with other runs and its number; the one around it, where that says how many there are."""
    outer, place = listing.outer[number], listing.place[number]
    if place:
        around = listing.spans[outer]
        old = listing.spans[number]
        count = recounted(around.items[place - 1], old.items, new.items, head)
        if count is not None:
            digest(new)
            items = around.items[:]
            items[place - 1 : place + 1] = [count, new]
            return outer, Span(around.head, items)
    return number, new


def recounted(before: Item, old: list[Item], new: list[Item], head: int) -> Leaf | None:
    """Return the choice before a span that says how many rounds it has, with the new number; or None."""
    if not isinstance(before, Leaf):
        return None
    leaf = before
    rounds = _count(old, head)
    if leaf.n > LARGE or not 0 <= rounds - leaf.index <= 1:
        return None
    index = leaf.index + _count(new, head) - rounds
    if index == leaf.index or not 0 <= index < leaf.n:
        return None
    return Leaf(leaf.head, leaf.n, index, leaf.value)


def replace_alike(items: list[Item], old: Leaf, index: int) -> None:
    """Give the choices that were like an old one the same new index."""
    for place in range(len(items)):
        item = items[place]
        if isinstance(item, Leaf):
            leaf = item
            if leaf.n == old.n and leaf.index == old.index:
                items[place] = Leaf(leaf.head, leaf.n, index, leaf.value)


def _count(items: list[Item], head: int) -> int:
    """Count the items that have a head."""
    found = 0
    for place in range(len(items)):
        item = items[place]
        if item.head == head:
            found += 1
    return found


def _length(items: list[Item], first: int, head: int) -> int:
    """Count the items from the first on that have a head."""
    end = first
    while end < len(items):
        item = items[end]
        if item.head != head:
            break
        end += 1
    return end - first


def cube(x: float) -> float:
    """Return a third power: of a random number, one that is rather small."""
    return x * x * x
