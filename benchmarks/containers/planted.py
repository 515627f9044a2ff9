"""Five of the containers, each with one bug."""

from __future__ import annotations

from benchmarks.containers.heaps import FibHeap, FibNode
from benchmarks.containers.lists import ChainedHashTable, Link, NodeCachingLinkedList
from benchmarks.containers.maps import Entry, IntRedBlackTree
from benchmarks.containers.trees import AvlTree, Node, measure


class ForgottenParent(IntRedBlackTree):
    """A rotation forgets to tell the subtree that moves who its parent is now."""

    def _rotate(self, node: Entry, *, to_left: bool) -> None:
        super()._rotate(node, to_left=to_left)
        inner = node.right if to_left else node.left
        if inner is not None:
            inner.parent = node.parent


class WrongRotation(AvlTree):
    """A rotation to the right hangs the inner subtree on the wrong side."""

    def _rotated_right(self, node: Node) -> Node:
        top = node.left
        assert top is not None
        node.left, top.right, top.left = top.left, node, top.right
        measure(node)
        measure(top)
        return top


class LostMinimum(FibHeap):
    """Consolidation does not look at the largest tree when it looks for the least key."""

    def _consolidate(self, start: FibNode) -> None:
        super()._consolidate(start)
        assert self.least is not None
        roots = sorted(self.least.ring(), key=lambda root: root.degree)
        self.least = min(roots[:-1] or roots, key=lambda root: root.key)


class OffByOneResize(ChainedHashTable):
    """Growing forgets the last slot."""

    def _grow(self) -> None:
        links = self.slots
        self.slots = [None] * (2 * len(links))
        for place in range(len(links) - 1):
            link = links[place]
            while link is not None:
                self._push(link.value)
                link = link.next


class StaleCache(NodeCachingLinkedList):
    """A link from a cache of three keeps the value that it had."""

    def _made(self, value: object) -> Link:
        old = None if self.cache is None or self.cached < 3 else self.cache.value
        link = super()._made(value)
        if old is not None:
            link.value = old
        return link

    def _unlinked(self, link: Link) -> object:
        value = super()._unlinked(link)
        link.value = value
        return value
