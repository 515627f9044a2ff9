"""Runs: parts of a body that repeats itself, as a loop does."""

from __future__ import annotations

from rlcheck.learners.diverse.tree import Item, Leaf, Span


def ends_of(items: list[Item], start: int) -> list[int]:
    """Return where a run that starts there may end: where the same is asked again, or, of spans, after the last."""
    head = items[start].head
    found = [place for place in range(start + 1, len(items)) if items[place].head == head]
    if isinstance(items[start], Span):
        found.append((found[-1] if found else start) + 1)
    return found


def recount(old: list[Item], new: list[Item], start: int, head: int) -> None:
    """Correct the choice that says how many spans follow, where there is one before them."""
    first = start
    while first > 0 and old[first - 1].head == head:
        first -= 1
    if first == 0:
        return
    before, after = _length(old, first, head), _length(new, first, head)
    leaf = old[first - 1]
    if isinstance(leaf, Leaf) and 0 <= before - leaf.index <= 1:
        index = leaf.index + after - before
        if 0 <= index < leaf.n:
            new[first - 1] = Leaf(leaf.head, leaf.n, index, leaf.value)


def _length(items: list[Item], first: int, head: int) -> int:
    """Count the items from the first on that have a head."""
    end = first
    while end < len(items) and items[end].head == head:
        end += 1
    return end - first


def cube(x: float) -> float:
    """Return a third power: of a random number, one that is rather small."""
    return x * x * x
