"""What the containers are compared with: the same methods on a plain set, dict or list."""

from __future__ import annotations

from bisect import insort


class Keys:
    """A set of integers, by all the names that containers have for its methods."""

    def __init__(self) -> None:
        self.keys: set[int] = set()

    def insert(self, key: int) -> bool:
        """Add a key; whether it was not there."""
        new = key not in self.keys
        self.keys.add(key)
        return new

    add = put = insert

    def remove(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        there = key in self.keys
        self.keys.discard(key)
        return there

    def find(self, key: int) -> bool:
        """Whether a key is there."""
        return key in self.keys

    contains = find

    def first(self) -> int | None:
        """The least key."""
        return min(self.keys, default=None)

    def poll_first(self) -> int | None:
        """Take the least key out."""
        key = self.first()
        self.keys.discard(key)  # type: ignore[arg-type]
        return key

    def ceiling(self, key: int) -> int | None:
        """The least key that is not below one."""
        return min((other for other in self.keys if other >= key), default=None)


class Values:
    """A map of integers to integers."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {}

    def put(self, key: int, value: int) -> int | None:
        """Set a value, and give back the one before."""
        before = self.values.get(key)
        self.values[key] = value
        return before

    def get(self, key: int) -> int | None:
        """The value of a key."""
        return self.values.get(key)

    def remove(self, key: int) -> int | None:
        """Take a key out, and give back its value."""
        return self.values.pop(key, None)

    def first_key(self) -> int | None:
        """The least key."""
        return min(self.values, default=None)

    def last_key(self) -> int | None:
        """The greatest key."""
        return max(self.values, default=None)

    def higher_key(self, key: int) -> int | None:
        """The least key above one."""
        return min((other for other in self.values if other > key), default=None)


class Sequence:
    """A list, by the names that linked lists have for its methods."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, value: int) -> None:
        """Add a value at the end."""
        self.items.append(value)

    def add_first(self, value: int) -> None:
        """Add a value at the front."""
        self.items.insert(0, value)

    def insert(self, index: int, value: int) -> None:
        """Add a value at a place."""
        if index > len(self.items):
            raise IndexError(index)
        self.items.insert(index, value)

    def get(self, index: int) -> int:
        """The value at a place."""
        return self.items[index]

    def remove_at(self, index: int) -> int:
        """Take the value at a place out."""
        return self.items.pop(index)

    def remove(self, value: int) -> bool:
        """Take the first of equal values out; whether there was one."""
        there = value in self.items
        if there:
            self.items.remove(value)
        return there

    def index_of(self, value: int) -> int:
        """The place of the first of equal values, or -1."""
        return self.items.index(value) if value in self.items else -1


class Queue:
    """A sorted list as a priority queue; the empty one gives None."""

    def __init__(self) -> None:
        self.keys: list[int] = []

    def insert(self, key: int) -> None:
        """Add a key."""
        insort(self.keys, key)

    def find_min(self) -> int | None:
        """The least key."""
        return self.keys[0] if self.keys else None

    def extract_min(self) -> int | None:
        """Take the least key out."""
        return self.keys.pop(0) if self.keys else None

    def decrease_key(self, old: int, new: int) -> bool:
        """Lower a key; whether it was there and not below."""
        if old not in self.keys or new > old:
            return False
        self.keys.remove(old)
        insort(self.keys, new)
        return True

    def delete(self, key: int) -> bool:
        """Take a key out; whether it was there."""
        if key not in self.keys:
            return False
        self.keys.remove(key)
        return True


class StrictQueue(Queue):
    """The same; the empty one raises IndexError."""

    def find_min(self) -> int:
        """The least key."""
        return self.keys[0]

    def extract_min(self) -> int:
        """Take the least key out."""
        return self.keys.pop(0)
