"""Heaps from the textbooks: an array, binomial trees, and Fibonacci heaps without and with handles."""

from __future__ import annotations

from collections.abc import Iterator


class HeapArray:
    """A binary heap in an array (Cormen et al., chapter 6)."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def insert(self, key: int) -> None:
        """Add a key."""
        items = self.items
        items.append(key)
        place = len(items) - 1
        while place and items[(place - 1) // 2] > key:
            items[place] = items[(place - 1) // 2]
            place = (place - 1) // 2
        items[place] = key

    def find_min(self) -> int:
        """The least key."""
        if not self.items:
            raise IndexError("the heap is empty")
        return self.items[0]

    def extract_min(self) -> int:
        """Take the least key out."""
        items = self.items
        if not items:
            raise IndexError("the heap is empty")
        least, last = items[0], items.pop()
        if items:
            self._sift_down(last)
        return least

    def _sift_down(self, key: int) -> None:
        items, place = self.items, 0
        while (child := 2 * place + 1) < len(items):
            if child + 1 < len(items) and items[child + 1] < items[child]:
                child += 1
            if items[child] >= key:
                break
            items[place] = items[child]
            place = child
        items[place] = key


class BinomialNode:
    """The root of a binomial tree."""

    __slots__ = ("child", "degree", "key", "parent", "sibling")

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.parent: BinomialNode | None = None
        self.child: BinomialNode | None = None
        self.sibling: BinomialNode | None = None


class BinomialHeap:
    """A list of binomial trees (Cormen et al., second edition, chapter 19)."""

    def __init__(self) -> None:
        self.head: BinomialNode | None = None
        self.size = 0

    def insert(self, key: int) -> None:
        """Add a key."""
        self.head = self._union(self.head, BinomialNode(key))
        self.size += 1

    def find_min(self) -> int | None:
        """The least key."""
        node, least = self.head, None
        while node is not None:
            if least is None or node.key < least:
                least = node.key
            node = node.sibling
        return least

    def extract_min(self) -> int | None:
        """Take the least key out."""
        if self.head is None:
            return None
        before: BinomialNode | None = None
        least, last, node = self.head, self.head, self.head.sibling
        while node is not None:
            if node.key < least.key:
                before, least = last, node
            last, node = node, node.sibling
        self._take_root(before, least)
        return least.key

    def decrease_key(self, old: int, new: int) -> bool:
        """Lower a key; whether it was there and not below."""
        node = self._find(old)
        if node is None or new > old:
            return False
        node.key = new
        self._bubble_up(node)
        return True

    def delete(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        node = self._find(key)
        if node is None:
            return False
        node.key = -1
        self._bubble_up(node)
        self.extract_min()
        return True

    def _take_root(self, before: BinomialNode | None, root: BinomialNode) -> None:
        if before is None:
            self.head = root.sibling
        else:
            before.sibling = root.sibling
        children, child = None, root.child
        while child is not None:
            child.parent = None
            children, child.sibling, child = child, children, child.sibling
        self.head = self._union(self.head, children)
        self.size -= 1

    def _find(self, key: int) -> BinomialNode | None:
        for node in self._nodes(self.head):
            if node.key == key:
                return node
        return None

    def _nodes(self, node: BinomialNode | None) -> Iterator[BinomialNode]:
        while node is not None:
            yield node
            yield from self._nodes(node.child)
            node = node.sibling

    def _bubble_up(self, node: BinomialNode) -> None:
        while node.parent is not None and node.key < node.parent.key:
            node.key, node.parent.key = node.parent.key, node.key
            node = node.parent

    def _union(self, one: BinomialNode | None, other: BinomialNode | None) -> BinomialNode | None:
        head = self._merged(one, other)
        if head is None:
            return None
        before, node = None, head
        while (after := node.sibling) is not None:
            three_alike = after.sibling is not None and after.sibling.degree == node.degree
            if node.degree != after.degree or three_alike:
                before, node = node, after
            elif node.key <= after.key:
                node.sibling = after.sibling
                self._link(after, node)
            else:
                if before is None:
                    head = after
                else:
                    before.sibling = after
                self._link(node, after)
                node = after
        return head

    def _link(self, child: BinomialNode, root: BinomialNode) -> None:
        child.parent, child.sibling = root, root.child
        root.child = child
        root.degree += 1

    def _merged(self, one: BinomialNode | None, other: BinomialNode | None) -> BinomialNode | None:
        """Two lists as one, by degree."""
        start = last = BinomialNode(0)
        while one is not None and other is not None:
            if one.degree <= other.degree:
                last.sibling, one = one, one.sibling
            else:
                last.sibling, other = other, other.sibling
            assert last.sibling is not None
            last = last.sibling
        last.sibling = one if one is not None else other
        return start.sibling


class FibNode:
    """A node of a Fibonacci heap, in a ring of siblings."""

    __slots__ = ("child", "degree", "key", "left", "marked", "parent", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.marked = False
        self.parent: FibNode | None = None
        self.child: FibNode | None = None
        self.left = self.right = self

    def ring(self) -> list[FibNode]:
        """This node and its siblings."""
        found, node = [self], self.right
        while node is not self:
            found.append(node)
            node = node.right
        return found

    def leave(self) -> None:
        """Take the node out of its ring."""
        self.left.right, self.right.left = self.right, self.left
        self.left = self.right = self

    def join(self, other: FibNode) -> None:
        """Put a node that is alone into this one's ring, to the right of it."""
        other.left, other.right = self, self.right
        self.right.left = other
        self.right = other


class FibHeap:
    """A Fibonacci heap of integers: insertion and extraction (Cormen et al., chapter 19)."""

    def __init__(self) -> None:
        self.least: FibNode | None = None
        self.size = 0

    def insert(self, key: int) -> None:
        """Add a key."""
        self._insert(FibNode(key))

    def find_min(self) -> int | None:
        """The least key."""
        return None if self.least is None else self.least.key

    def extract_min(self) -> int | None:
        """Take the least key out."""
        node = self._extract()
        return None if node is None else node.key

    def _insert(self, node: FibNode) -> None:
        if self.least is None:
            self.least = node
        else:
            self.least.join(node)
            if node.key < self.least.key:
                self.least = node
        self.size += 1

    def _extract(self) -> FibNode | None:
        least = self.least
        if least is None:
            return None
        for child in least.child.ring() if least.child is not None else ():
            child.leave()
            child.parent = None
            least.join(child)
        least.child = None
        self.least = None if least.right is least else least.right
        least.leave()
        self.size -= 1
        if self.least is not None:
            self._consolidate(self.least)
        return least

    def _consolidate(self, start: FibNode) -> None:
        by_degree: dict[int, FibNode] = {}
        for root in start.ring():
            node = root
            while (other := by_degree.pop(node.degree, None)) is not None:
                if other.key < node.key:
                    node, other = other, node
                self._link(other, node)
            by_degree[node.degree] = node
        roots = list(by_degree.values())
        self.least = roots[0]
        for root in roots[1:]:
            if root.key < self.least.key:
                self.least = root

    def _link(self, child: FibNode, root: FibNode) -> None:
        child.leave()
        child.parent, child.marked = root, False
        if root.child is None:
            root.child = child
        else:
            root.child.join(child)
        root.degree += 1


class FibonacciHeap(FibHeap):
    """The same with handles: insertion gives back a node, by which a key is lowered or taken out."""

    def add(self, key: int) -> FibNode:
        """Add a key, and give its node back."""
        node = FibNode(key)
        self._insert(node)
        return node

    def take_min(self) -> FibNode | None:
        """Take the node with the least key out."""
        return self._extract()

    def decrease_key(self, node: FibNode, key: int) -> bool:
        """Lower the key of a node; whether it was not below."""
        if key > node.key:
            return False
        node.key = key
        parent = node.parent
        if parent is not None and key < parent.key:
            self._cut(node, parent)
            self._cut_marked(parent)
        assert self.least is not None
        if key < self.least.key:
            self.least = node
        return True

    def delete(self, node: FibNode) -> None:
        """Take a node out."""
        self.decrease_key(node, -1)
        self.least = node
        self._extract()

    def _cut(self, node: FibNode, parent: FibNode) -> None:
        parent.child = None if node.right is node else node.right
        parent.degree -= 1
        node.leave()
        node.parent, node.marked = None, False
        assert self.least is not None
        self.least.join(node)

    def _cut_marked(self, node: FibNode) -> None:
        while (parent := node.parent) is not None:
            if not node.marked:
                node.marked = True
                return
            self._cut(node, parent)
            node = parent
