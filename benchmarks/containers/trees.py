"""Search trees from the textbooks: binary, AVL and splay trees of integers."""

from __future__ import annotations


class Node:
    """A node of a search tree."""

    __slots__ = ("height", "key", "left", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Node | None = None
        self.right: Node | None = None
        self.height = 1


class BinTree:
    """A binary search tree without balance (Cormen et al., chapter 12)."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def insert(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        if self.root is None:
            self.root = Node(key)
            return True
        node = self.root
        while key != node.key:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    return True
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    return True
                node = node.right
        return False

    def find(self, key: int) -> bool:
        """Whether a key is there."""
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        parent, node = None, self.root
        while node is not None and node.key != key:
            parent, node = node, (node.left if key < node.key else node.right)
        if node is None:
            return False
        if node.left is not None and node.right is not None:
            parent, follower = node, node.right
            while follower.left is not None:
                parent, follower = follower, follower.left
            node.key = follower.key
            node = follower
        child = node.left if node.left is not None else node.right
        if parent is None:
            self.root = child
        elif parent.left is node:
            parent.left = child
        else:
            parent.right = child
        return True


class AvlTree:
    """A tree whose two sides differ in height by at most one (Weiss, section 4.4)."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def insert(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        if self.find(key):
            return False
        self.root = self._insert(self.root, key)
        return True

    def find(self, key: int) -> bool:
        """Whether a key is there."""
        node = self.root
        while node is not None:
            if key == node.key:
                return True
            node = node.left if key < node.key else node.right
        return False

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        if not self.find(key):
            return False
        self.root = self._remove(self.root, key)
        return True

    def _insert(self, node: Node | None, key: int) -> Node:
        if node is None:
            return Node(key)
        if key < node.key:
            node.left = self._insert(node.left, key)
        else:
            node.right = self._insert(node.right, key)
        return self._balanced(node)

    def _remove(self, node: Node | None, key: int) -> Node | None:
        assert node is not None
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        elif node.left is not None and node.right is not None:
            follower = node.right
            while follower.left is not None:
                follower = follower.left
            node.key = follower.key
            node.right = self._remove(node.right, follower.key)
        else:
            return node.left if node.left is not None else node.right
        return self._balanced(node)

    def _balanced(self, node: Node) -> Node:
        if height(node.left) - height(node.right) > 1:
            assert node.left is not None
            if height(node.left.left) < height(node.left.right):
                node.left = self._rotated_left(node.left)
            return self._rotated_right(node)
        if height(node.right) - height(node.left) > 1:
            assert node.right is not None
            if height(node.right.right) < height(node.right.left):
                node.right = self._rotated_right(node.right)
            return self._rotated_left(node)
        measure(node)
        return node

    def _rotated_right(self, node: Node) -> Node:
        top = node.left
        assert top is not None
        node.left, top.right = top.right, node
        measure(node)
        measure(top)
        return top

    def _rotated_left(self, node: Node) -> Node:
        top = node.right
        assert top is not None
        node.right, top.left = top.left, node
        measure(node)
        measure(top)
        return top


def height(node: Node | None) -> int:
    """The height of what may be no tree at all."""
    return 0 if node is None else node.height


def measure(node: Node) -> None:
    """Set a node's height by those of its children."""
    node.height = 1 + max(height(node.left), height(node.right))


class SplayTree:
    """A tree that brings what was looked for to its root (Weiss, section 12.1: top-down splaying)."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def insert(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        if self.root is None:
            self.root = Node(key)
            return True
        root = self.root = self._splay(self.root, key)
        if root.key == key:
            return False
        node = Node(key)
        if key < root.key:
            node.left, node.right, root.left = root.left, root, None
        else:
            node.right, node.left, root.right = root.right, root, None
        self.root = node
        return True

    def find(self, key: int) -> bool:
        """Whether a key is there."""
        if self.root is None:
            return False
        self.root = self._splay(self.root, key)
        return self.root.key == key

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        if not self.find(key):
            return False
        assert self.root is not None
        left, right = self.root.left, self.root.right
        if left is None:
            self.root = right
        else:
            self.root = self._splay(left, key)
            self.root.right = right
        return True

    def _splay(self, node: Node, key: int) -> Node:
        header = Node(0)
        left = right = header
        while True:
            if key < node.key:
                if node.left is not None and key < node.left.key:
                    child = node.left
                    node.left, child.right = child.right, node
                    node = child
                if node.left is None:
                    break
                right.left = node
                right, node = node, node.left
            elif key > node.key:
                if node.right is not None and key > node.right.key:
                    child = node.right
                    node.right, child.left = child.left, node
                    node = child
                if node.right is None:
                    break
                left.right = node
                left, node = node, node.right
            else:
                break
        left.right, right.left = node.left, node.right
        node.left, node.right = header.right, header.left
        return node
