"""A trie of the choice sequences taken so far: what is exhausted is never taken again.

A branch that was taken once is kept as the rest of its sequence, and unfolds when it is entered again;
so a sequence costs one entry, however long it is.
"""

from __future__ import annotations


class _Node:
    """A choice that was met at least twice."""

    __slots__ = ("dead", "kids", "n", "tails")

    def __init__(self, n: int) -> None:
        self.n = n
        #: Options below which every sequence was taken.
        self.dead: set[int] = set()
        self.kids: dict[int, _Node] = {}
        #: The rest of the only sequence taken through an option.
        self.tails: dict[int, list[int]] = {}


_NOTHING: set[int] = set()


class Trie:
    """Follows one episode at a time: `dead` before each choice, `step` after it, `close` at the end.

    Args:
        most: How many sequences are kept; when there are more, all are forgotten.
    """

    __slots__ = ("_at", "_depth", "_most", "_path", "_root", "_tail", "_tail_at", "entries")

    def __init__(self, most: int) -> None:
        self.entries = 0
        self._most = most
        self._root: _Node | None = None
        self._at: _Node | None = None
        self._tail: list[int] | None = None
        self._tail_at = 0
        self._path: list[_Node] = []
        self._depth = 0

    @property
    def exhausted(self) -> bool:
        """Whether every sequence there is was taken."""
        root = self._root
        return root is not None and len(root.dead) >= root.n

    def dead(self, n: int) -> set[int]:
        """The exhausted options of the choice that comes next, which has n options."""
        node = self._at
        if node is None:
            if self._depth == 0:
                if self._root is None:
                    self._root = _Node(n)
                node = self._root
            elif self._tail is not None:
                node = self._unfold(self._tail, self._tail_at, n)
            else:
                return _NOTHING
            self._at = node
        return node.dead

    def step(self, index: int) -> None:
        """Take an option."""
        self._depth += 1
        node = self._at
        if node is None:
            return
        self._path.append(node)
        self._at = node.kids.get(index)
        if self._at is None:
            self._tail = node.tails.get(index)
            self._tail_at = 0

    def close(self, taken: list[int]) -> None:
        """End the episode, whose choices were `taken`."""
        path = self._path
        known = len(path)
        if known:
            last = path[-1]
            index = taken[known - 1]
            if known == len(taken):
                self._bury(taken)
            elif index not in last.tails and index not in last.kids:
                last.tails[index] = taken[known:]
                self.entries += 1
        self._path = []
        self._at = self._tail = None
        self._depth = 0
        if self.entries > self._most:
            self._root = None
            self.entries = 0

    def _unfold(self, tail: list[int], at: int, n: int) -> _Node:
        """Make a node of the next choice of a sequence that is entered again."""
        parent = self._path[-1]
        node = _Node(n)
        for option, rest in parent.tails.items():
            if rest is tail:
                parent.kids[option] = node
                break
        del parent.tails[option]
        if at + 1 < len(tail):
            node.tails[tail[at]] = tail[at + 1 :]
        else:
            node.dead.add(tail[at])
            self.entries -= 1
        return node

    def _bury(self, taken: list[int]) -> None:
        """Mark the last choice as exhausted, and those above it that have nothing else left."""
        for depth in range(len(self._path) - 1, -1, -1):
            node = self._path[depth]
            index = taken[depth]
            node.dead.add(index)
            node.kids.pop(index, None)
            if node.tails.pop(index, None) is not None:
                self.entries -= 1
            if len(node.dead) < node.n:
                break
