"""Runs: parts of a body that repeats itself, as a loop does."""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import LARGE, Item, Leaf, Span, first_head, span_at


def ends_of(items: list[Item], start: int) -> list[int]:
    """Return where a run may end that starts there: where the same is asked again, or after the last span."""
    first = items[start]
    head = first.head
    found: list[int] = []
    for place in range(start + 1, len(items)):
        item = items[place]
        if item.head == head:
            found.append(place)
    if isinstance(first, Span):
        found.append((found[-1] if found else start) + 1)
    return found


def end_of_run(items: list[Item], start: int, random: Callable[[], float]) -> int:
    """Return where the run to be replaced ends; at its start when something is to be inserted."""
    ends = ends_of(items, start)
    if not ends or random() >= 0.4:
        return start
    return ends[int(cube(random()) * len(ends))]


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
