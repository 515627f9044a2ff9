"""A trie of the choice sequences taken so far: what is exhausted is never taken again.

A branch that was taken once is kept as the rest of its sequence, and unfolds when it is entered again;
so a sequence costs one entry, however long it is. Choices with a single option are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlcheck import _gc

_NOTHING: set[int] = set()


class _Node:
    """A choice that was met at least twice.

    Nodes are a tree, and there are more of them than of anything else: looking for cycles among them took the
    garbage collector 15 % of a campaign.
    """

    __slots__ = ("below", "dead", "n")

    def __init__(self, n: int) -> None:
        self.n = n
        #: Options below which every sequence was taken. Most nodes have none, so sets come late.
        self.dead: set[int] = _NOTHING
        #: What follows an option: a node, or the rest of the only sequence taken through it.
        self.below: dict[int, _Node | tuple[int, ...]] = {}
        _gc.untrack(self)

    def bury(self, index: int) -> None:
        """Mark an option as exhausted."""
        if self.dead is _NOTHING:
            self.dead = {index}
            _gc.untrack(self.dead)
        else:
            self.dead.add(index)

    def grow(self, index: int, below: _Node | tuple[int, ...]) -> None:
        """Have something follow an option."""
        self.below[index] = below
        _gc.untrack(self.below)


class Trie:
    """Follows one episode at a time: `dead` before each choice, `step` after it, `close` or `drop` it.

    Args:
        most: How many sequences and exhausted options are kept; when there are more, all are forgotten.
    """

    __slots__ = ("_at", "_forced", "_most", "_path", "_root", "_tail", "_taken", "entries", "exhausted")

    def __init__(self, most: int) -> None:
        #: How many sequences and exhausted options are kept.
        self.entries = 0
        #: Whether every sequence there is was taken.
        self.exhausted = False
        self._most = most
        self._root: _Node | None = None
        self._at: _Node | None = None
        self._tail: tuple[int, ...] | None = None
        self._path: list[_Node] = []
        self._taken: list[int] = []
        # Whether the choice that comes next has a single option.
        self._forced = False

    def dead(self, n: int) -> set[int]:
        """The exhausted options of the choice that comes next, which has n options."""
        self._forced = n == 1
        if self._forced:
            return _NOTHING
        node = self._at
        if node is None:
            if not self._taken:
                if self._root is None:
                    self._root = _Node(n)
                node = self._root
            elif self._tail is not None:
                node = self._unfold(self._tail, n)
            else:
                return _NOTHING
            self._at = node
        return node.dead

    def step(self, index: int) -> None:
        """Take an option."""
        if self._forced:
            return
        self._taken.append(index)
        node = self._at
        if node is None:
            return
        self._path.append(node)
        below = node.below.get(index)
        if isinstance(below, _Node):
            self._at = below
            self._tail = None
        else:
            self._at = None
            self._tail = below

    def close(self) -> None:
        """End the episode, and remember it."""
        path, taken = self._path, self._taken
        if not taken:
            self.exhausted = self.exhausted or self._forced
        elif path:
            known = len(path)
            last = path[-1]
            if known == len(taken):
                self._bury()
            elif self._tail is None and self._at is None and taken[known - 1] not in last.dead:
                last.grow(taken[known - 1], tuple(taken[known:]))
                self.entries += 1
        self.drop()
        if self.entries > self._most:
            self._root = None
            self.entries = 0
            self.exhausted = False

    def enter(self, choices: Sequence[int], sizes: Sequence[int]) -> None:
        """Remember a sequence that was taken elsewhere, each choice of so many options."""
        for place in range(len(choices)):
            self.dead(sizes[place])
            self.step(choices[place])
            if self._path and self._at is None and self._tail is None:  # Nothing is known of the rest.
                for later in range(place + 1, len(choices)):
                    if sizes[later] != 1:
                        self._taken.append(choices[later])
                break
        self.close()

    def drop(self) -> None:
        """End the episode, and forget it."""
        self._path.clear()
        self._taken.clear()
        self._at = None
        self._tail = None
        self._forced = False

    def _unfold(self, tail: tuple[int, ...], n: int) -> _Node:
        """Make a node of the next choice of a sequence that is entered again."""
        parent = self._path[-1]
        node = _Node(n)
        parent.grow(self._taken[-1], node)
        if len(tail) > 1:
            node.grow(tail[0], tail[1:])
        else:
            node.bury(tail[0])
        return node

    def _bury(self) -> None:
        """Mark the last choice as exhausted, and those above it that have nothing else left."""
        for depth in range(len(self._path) - 1, -1, -1):
            node = self._path[depth]
            index = self._taken[depth]
            if index in node.dead:
                break
            node.bury(index)
            self.entries += 1
            below = node.below.pop(index, None)
            if isinstance(below, _Node):
                self.entries -= len(below.dead)
            elif below is not None:
                self.entries -= 1
            if len(node.dead) < node.n:
                break
        else:
            self.exhausted = True
