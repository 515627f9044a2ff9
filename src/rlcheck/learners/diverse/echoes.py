"""Echoes: a run of choices becomes as another one of the same episode is.

Parts of an input often repeat others: the lines that a patch removes are lines of the text, a name is used
where it was declared. Options are compared by their number alone, so a run may be an echo of choices made at
another point, if those were among equally many options.
"""

from __future__ import annotations

from collections.abc import Callable

from rlcheck.learners._exploration import below
from rlcheck.learners.diverse.tree import Leaf, Listing, Span

#: How often a run has one more choice.
_LONGER = 0.6

#: Choices among fewer options are no echoes: they are equal too often anyway.
_LEAST = 3


def echo(listing: Listing, random: Callable[[], float]) -> dict[int, Leaf]:
    """Return new choices, by the identity of those they replace; none when nothing can be repeated."""
    by_size: dict[int, list[Leaf]] = {}
    _collect(listing.spans[0], by_size)
    groups = [group for group in by_size.values() if len(group) > 1]
    if not groups:
        return {}
    group = groups[below(random, len(groups))]
    source = below(random, len(group))
    target = below(random, len(group) - 1)
    target += target >= source
    changes: dict[int, Leaf] = {}
    while source < len(group) and target < len(group):
        old, new = group[target], group[source]
        if new.index >= 0 and old.index != new.index:
            leaf = Leaf(old.head, old.n, new.index, old.value)
            leaf.site = old.site
            changes[id(old)] = leaf
        if random() >= _LONGER:
            break
        source += 1
        target += 1
    return changes


def _collect(span: Span, found: dict[int, list[Leaf]]) -> None:
    """Collect the choices of a span by how many options they had."""
    for item in span.items:
        if isinstance(item, Leaf):
            leaf = item
            if leaf.n >= _LEAST:
                found.setdefault(leaf.n, []).append(leaf)
        elif isinstance(item, Span) and not item.open:
            _collect(item, found)
