"""A script: an edited episode that the next one follows, and how leaves of it are replaced."""

from __future__ import annotations

from rlcheck.learners.diverse.tree import Item, Leaf, Span, digest


class Script:
    """An edited episode, and the indices of its values."""

    __slots__ = ("chance", "changes", "moves", "root")

    def __init__(self, root: Span) -> None:
        self.root = root
        #: Whether all that it says nothing about is drawn at random, and not left to the model.
        self.chance = False
        #: Leaves that take the place of others, by the identity of those.
        self.changes: dict[int, Leaf] = {}
        #: The index of each position, by domain; positions without one are left to the model.
        self.moves: dict[int, dict[float, int]] = {}

    def index_of(self, leaf: Leaf) -> int:
        """Return the index that a leaf of the episode has in the script, or -1."""
        if self.changes:
            leaf = self.changes.get(id(leaf), leaf)
        if leaf.value and self.moves:
            moves = self.moves.get(leaf.n)
            if moves is not None:
                return moves.get(leaf.at, -1)
        return leaf.index


def changed(span: Span, changes: dict[int, Leaf]) -> Span:
    """Return a span with other leaves, by the identity of those that are replaced."""
    made: list[Item] = []
    for item in span.items:
        if isinstance(item, Span):
            inner = item
            made.append(inner if inner.open else changed(inner, changes))
        elif isinstance(item, Leaf):
            made.append(changes.get(id(item), item))
    new = Span(span.head, made)
    new.mark = span.mark
    digest(new)
    return new


def moved(items: list[Item], moves: dict[int, dict[float, float]]) -> list[Item]:
    """Return items with their values at other positions, by domain."""
    made: list[Item] = []
    for item in items:
        if isinstance(item, Leaf):
            made.append(_moved_leaf(item, moves))
        elif isinstance(item, Span):
            old = inner = item
            if not old.open:
                inner = Span(old.head, moved(old.items, moves))
                inner.like(old)
            made.append(inner)
    return made


def _moved_leaf(leaf: Leaf, moves: dict[int, dict[float, float]]) -> Leaf:
    if not leaf.value or leaf.n not in moves:
        return leaf
    new = like(leaf, -1)
    new.at = moves[leaf.n].get(leaf.at, leaf.at)
    return new


def like(leaf: Leaf, index: int) -> Leaf:
    """Return another value for the place of one."""
    new = Leaf(leaf.head, leaf.n, index, value=True)
    new.site = leaf.site
    return new
