"""Linked lists and a hash table from the textbooks."""

from __future__ import annotations


class Link:
    """An element of a list with the one after it, and the one before where the list has it."""

    __slots__ = ("next", "previous", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.next: Link | None = None
        self.previous: Link | None = None


class SinglyLinkedList:
    """A list that is walked from its head (Cormen et al., section 10.2)."""

    def __init__(self) -> None:
        self.head: Link | None = None

    def add(self, value: int) -> None:
        """Add a value at the end."""
        link = Link(value)
        if self.head is None:
            self.head = link
            return
        last = self.head
        while last.next is not None:
            last = last.next
        last.next = link

    def add_first(self, value: int) -> None:
        """Add a value at the front."""
        link = Link(value)
        link.next = self.head
        self.head = link

    def remove(self, value: int) -> bool:
        """Take the first of equal values out; whether there was one."""
        before, link = None, self.head
        while link is not None and link.value != value:
            before, link = link, link.next
        if link is None:
            return False
        if before is None:
            self.head = link.next
        else:
            before.next = link.next
        return True

    def index_of(self, value: int) -> int:
        """The place of the first of equal values, or -1."""
        place, link = 0, self.head
        while link is not None:
            if link.value == value:
                return place
            place, link = place + 1, link.next
        return -1


class LinkedList:
    """A doubly linked list with a sentinel, as java.util has it."""

    def __init__(self) -> None:
        self.header = self._ring()
        self.size = 0

    def add(self, value: int) -> None:
        """Add a value at the end."""
        self._insert_before(self.header, value)

    def add_first(self, value: int) -> None:
        """Add a value at the front."""
        assert self.header.next is not None
        self._insert_before(self.header.next, value)

    def insert(self, index: int, value: int) -> None:
        """Add a value at a place."""
        if index > self.size:
            raise IndexError(index)
        self._insert_before(self.header if index == self.size else self._at(index), value)

    def get(self, index: int) -> object:
        """The value at a place."""
        return self._at(index).value

    def remove_at(self, index: int) -> object:
        """Take the value at a place out."""
        return self._unlinked(self._at(index))

    def remove(self, value: int) -> bool:
        """Take the first of equal values out; whether there was one."""
        link = self.header.next
        while link is not self.header:
            assert link is not None
            if link.value == value:
                self._unlinked(link)
                return True
            link = link.next
        return False

    def _ring(self) -> Link:
        header = Link(None)
        header.next = header.previous = header
        return header

    def _at(self, index: int) -> Link:
        if not 0 <= index < self.size:
            raise IndexError(index)
        link: Link | None = self.header
        if index < self.size // 2:
            for _ in range(index + 1):
                assert link is not None
                link = link.next
        else:
            for _ in range(self.size - index):
                assert link is not None
                link = link.previous
        assert link is not None
        return link

    def _insert_before(self, follower: Link, value: object) -> None:
        link = self._made(value)
        before = follower.previous
        assert before is not None
        link.previous, link.next = before, follower
        before.next = follower.previous = link
        self.size += 1

    def _made(self, value: object) -> Link:
        return Link(value)

    def _unlinked(self, link: Link) -> object:
        assert link.previous is not None
        assert link.next is not None
        link.previous.next, link.next.previous = link.next, link.previous
        self.size -= 1
        return link.value


class NodeCachingLinkedList(LinkedList):
    """A list that keeps a few links that it no longer needs, as Commons Collections has it."""

    MOST = 20

    def __init__(self) -> None:
        super().__init__()
        self.cache: Link | None = None
        self.cached = 0

    def _made(self, value: object) -> Link:
        link = self.cache
        if link is None:
            return Link(value)
        self.cache, link.next = link.next, None
        self.cached -= 1
        link.value = value
        return link

    def _unlinked(self, link: Link) -> object:
        value = super()._unlinked(link)
        if self.cached < self.MOST:
            link.value = link.previous = None
            link.next, self.cache = self.cache, link
            self.cached += 1
        return value


class ChainedHashTable:
    """A hash table with chains (Cormen et al., section 11.2); it grows when it is full."""

    def __init__(self) -> None:
        self.slots: list[Link | None] = [None] * 4
        self.size = 0

    def put(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        if self.contains(key):
            return False
        if self.size >= len(self.slots):
            self._grow()
        self._push(key)
        self.size += 1
        return True

    def contains(self, key: int) -> bool:
        """Whether a key is there."""
        link = self.slots[self._slot(key)]
        while link is not None and link.value != key:
            link = link.next
        return link is not None

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        slot = self._slot(key)
        before, link = None, self.slots[slot]
        while link is not None and link.value != key:
            before, link = link, link.next
        if link is None:
            return False
        if before is None:
            self.slots[slot] = link.next
        else:
            before.next = link.next
        self.size -= 1
        return True

    def _slot(self, key: int) -> int:
        return key * 7 % len(self.slots)

    def _push(self, key: object) -> None:
        assert isinstance(key, int)
        link = Link(key)
        slot = self._slot(key)
        link.next = self.slots[slot]
        self.slots[slot] = link

    def _grow(self) -> None:
        links = self.slots
        self.slots = [None] * (2 * len(links))
        for place in range(len(links)):
            link = links[place]
            while link is not None:
                self._push(link.value)
                link = link.next
