"""Ordered maps and sets from the textbooks: an AVL map, and red-black trees with links to parents."""

from __future__ import annotations


class Entry:
    """A key with its value, in a tree."""

    __slots__ = ("height", "key", "left", "parent", "red", "right", "value")

    def __init__(self, key: int, value: object = None, parent: Entry | None = None) -> None:
        self.key = key
        self.value = value
        self.left: Entry | None = None
        self.right: Entry | None = None
        self.parent = parent
        self.red = True
        self.height = 1


class IntAvlTreeMap:
    """A map of integers to integers, kept in an AVL tree; written recursively (Weiss, section 4.4)."""

    def __init__(self) -> None:
        self.root: Entry | None = None
        self.size = 0

    def put(self, key: int, value: int) -> object:
        """Set a value, and give back the one before."""
        before = self.get(key)
        self.root = self._put(self.root, key, value)
        return before

    def get(self, key: int) -> object:
        """The value of a key; None when there is none."""
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return None if node is None else node.value

    def remove(self, key: int) -> object:
        """Take a key out, and give back its value."""
        before = self.get(key)
        self.root = self._remove(self.root, key)
        return before

    def _put(self, node: Entry | None, key: int, value: object) -> Entry:
        if node is None:
            self.size += 1
            return Entry(key, value)
        if key == node.key:
            node.value = value
        elif key < node.key:
            node.left = self._put(node.left, key, value)
        else:
            node.right = self._put(node.right, key, value)
        return self._fixed(node)

    def _remove(self, node: Entry | None, key: int) -> Entry | None:
        if node is None:
            return None
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        elif node.left is None or node.right is None:
            self.size -= 1
            return node.left or node.right
        else:
            least = node.right
            while least.left is not None:
                least = least.left
            node.key, node.value = least.key, least.value
            node.right = self._remove(node.right, least.key)
        return self._fixed(node)

    def _fixed(self, node: Entry) -> Entry:
        tilt = _height(node.left) - _height(node.right)
        if tilt > 1:
            assert node.left is not None
            if _height(node.left.left) < _height(node.left.right):
                node.left = self._rotated(node.left, to_left=True)
            return self._rotated(node, to_left=False)
        if tilt < -1:
            assert node.right is not None
            if _height(node.right.right) < _height(node.right.left):
                node.right = self._rotated(node.right, to_left=False)
            return self._rotated(node, to_left=True)
        node.height = 1 + max(_height(node.left), _height(node.right))
        return node

    def _rotated(self, node: Entry, *, to_left: bool) -> Entry:
        if to_left:
            top = node.right
            assert top is not None
            node.right, top.left = top.left, node
        else:
            top = node.left
            assert top is not None
            node.left, top.right = top.right, node
        for each in (node, top):
            each.height = 1 + max(_height(each.left), _height(each.right))
        return top


def _height(node: Entry | None) -> int:
    return 0 if node is None else node.height


class RedBlackTree:
    """A red-black tree with links to parents (Cormen et al., chapter 13), without a sentinel."""

    def __init__(self) -> None:
        self.root: Entry | None = None

    def _entry(self, key: int) -> Entry | None:
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node

    def _add(self, key: int, value: object) -> Entry:
        parent, node = None, self.root
        while node is not None:
            parent, node = node, (node.left if key < node.key else node.right)
        entry = Entry(key, value, parent)
        if parent is None:
            self.root = entry
        elif key < parent.key:
            parent.left = entry
        else:
            parent.right = entry
        self._after_insertion(entry)
        return entry

    def _after_insertion(self, node: Entry) -> None:
        while (parent := node.parent) is not None and parent.red:
            above = parent.parent
            assert above is not None
            is_left = parent is above.left
            uncle = above.right if is_left else above.left
            if uncle is not None and uncle.red:
                parent.red = uncle.red = False
                above.red = True
                node = above
                continue
            if node is (parent.right if is_left else parent.left):
                node = parent
                self._rotate(node, to_left=is_left)
                parent = node.parent
                assert parent is not None
            parent.red = False
            above.red = True
            self._rotate(above, to_left=not is_left)
        assert self.root is not None
        self.root.red = False

    def _delete(self, entry: Entry) -> None:
        if entry.left is not None and entry.right is not None:
            follower = entry.right
            while follower.left is not None:
                follower = follower.left
            entry.key, entry.value = follower.key, follower.value
            entry = follower
        child = entry.left if entry.left is not None else entry.right
        if child is not None:
            self._replace(entry, child)
            if not entry.red:
                self._after_deletion(child)
        elif entry.parent is None:
            self.root = None
        else:
            if not entry.red:
                self._after_deletion(entry)
            self._replace(entry, None)

    def _replace(self, entry: Entry, by: Entry | None) -> None:
        parent = entry.parent
        if parent is None:
            self.root = by
        elif parent.left is entry:
            parent.left = by
        else:
            parent.right = by
        if by is not None:
            by.parent = parent

    def _after_deletion(self, node: Entry) -> None:
        while node is not self.root and not node.red:
            parent = node.parent
            assert parent is not None
            is_left = node is parent.left
            sibling = parent.right if is_left else parent.left
            assert sibling is not None
            if sibling.red:
                sibling.red = False
                parent.red = True
                self._rotate(parent, to_left=is_left)
                sibling = parent.right if is_left else parent.left
                assert sibling is not None
            near, far = (sibling.left, sibling.right) if is_left else (sibling.right, sibling.left)
            if not _is_red(near) and not _is_red(far):
                sibling.red = True
                node = parent
                continue
            if not _is_red(far):
                assert near is not None
                near.red = False
                sibling.red = True
                self._rotate(sibling, to_left=not is_left)
                far, sibling = sibling, near
            sibling.red = parent.red
            parent.red = False
            assert far is not None
            far.red = False
            self._rotate(parent, to_left=is_left)
            assert self.root is not None
            node = self.root
        node.red = False

    def _rotate(self, node: Entry, *, to_left: bool) -> None:
        top = node.right if to_left else node.left
        assert top is not None
        inner = top.left if to_left else top.right
        if to_left:
            node.right, top.left = inner, node
        else:
            node.left, top.right = inner, node
        if inner is not None:
            inner.parent = node
        self._replace(node, top)
        node.parent = top


def _is_red(node: Entry | None) -> bool:
    return node is not None and node.red


class IntRedBlackTree(RedBlackTree):
    """A set of integers: insertion, search, deletion."""

    def insert(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        if self._entry(key) is not None:
            return False
        self._add(key, None)
        return True

    def find(self, key: int) -> bool:
        """Whether a key is there."""
        return self._entry(key) is not None

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        entry = self._entry(key)
        if entry is None:
            return False
        self._delete(entry)
        return True


class TreeMap(RedBlackTree):
    """An ordered map with its neighbours, as java.util has it."""

    def __init__(self) -> None:
        super().__init__()
        self.size = 0

    def put(self, key: int, value: object) -> object:
        """Set a value, and give back the one before."""
        entry = self._entry(key)
        if entry is None:
            self._add(key, value)
            self.size += 1
            return None
        before, entry.value = entry.value, value
        return before

    def get(self, key: int) -> object:
        """The value of a key; None when there is none."""
        entry = self._entry(key)
        return None if entry is None else entry.value

    def remove(self, key: int) -> object:
        """Take a key out, and give back its value."""
        entry = self._entry(key)
        if entry is None:
            return None
        value = entry.value
        self._delete(entry)
        self.size -= 1
        return value

    def first_key(self) -> int | None:
        """The least key."""
        node = self.root
        while node is not None and node.left is not None:
            node = node.left
        return None if node is None else node.key

    def last_key(self) -> int | None:
        """The greatest key."""
        node = self.root
        while node is not None and node.right is not None:
            node = node.right
        return None if node is None else node.key

    def higher_key(self, key: int) -> int | None:
        """The least key above one."""
        node, found = self.root, None
        while node is not None:
            if key < node.key:
                found, node = node.key, node.left
            else:
                node = node.right
        return found


class TreeSet:
    """An ordered set, kept in a map."""

    def __init__(self) -> None:
        self.map = TreeMap()

    def add(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        return self.map.put(key, "here") is None

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        return self.map.remove(key) is not None

    def contains(self, key: int) -> bool:
        """Whether a key is there."""
        return self.map.get(key) is not None

    def first(self) -> int | None:
        """The least key."""
        return self.map.first_key()

    def poll_first(self) -> int | None:
        """Take the least key out."""
        key = self.map.first_key()
        if key is not None:
            self.map.remove(key)
        return key

    def ceiling(self, key: int) -> int | None:
        """The least key that is not below one."""
        return key if self.contains(key) else self.map.higher_key(key)
