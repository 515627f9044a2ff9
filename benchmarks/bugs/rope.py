"""Ropes: texts as trees of short pieces; index, split, insert, delete and find."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A piece of text, or the length of the left rope, the left rope and the right one.
Node = str | tuple[int, Any, Any]
#: A rope, two places in it, and a text to put there.
Input = tuple[Node, int, int, str]

LETTERS, LONGEST, LEVELS, PLACES = "abn", 4, 4, range(25)


def text(rope: Node) -> str:
    """Return the whole text."""
    return rope if isinstance(rope, str) else text(rope[1]) + text(rope[2])


def is_rope(rope: Node) -> bool:
    """Whether no piece is empty or too long, and lengths are right."""
    if isinstance(rope, str):
        return 0 < len(rope) <= LONGEST
    return rope[0] == len(text(rope[1])) and is_rope(rope[1]) and is_rope(rope[2])


class Rope:
    """The operations. "" is the empty rope."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def length(self, rope: Node) -> int:
        """Return the length of the text."""
        if isinstance(rope, str):
            return len(rope)
        if self.bug == "length-counts-two-levels" and not isinstance(rope[2], str):
            return rope[0] + rope[2][0] + (len(rope[2][2]) if isinstance(rope[2][2], str) else rope[2][2][0])
        return rope[0] + self.length(rope[2])

    def join(self, one: Node, other: Node) -> Node:
        """Return a rope of two, of which one may be empty. Short pieces become one."""
        if one == "" or other == "":
            return other if one == "" else one
        if isinstance(one, str) and isinstance(other, str):
            limit = LONGEST if self.bug != "join-makes-long-pieces" else LONGEST + 1
            if len(one) + len(other) <= limit:
                return one + other
        elif not isinstance(one, str) and isinstance(one[2], str) and isinstance(other, str):
            if len(one[2]) + len(other) <= LONGEST:
                weight = one[0] if self.bug != "join-adds-to-left-length" else one[0] + len(other)
                return (weight, one[1], one[2] + other)
        elif self.bug == "join-takes-weight-of-left" and not isinstance(one, str):
            return (one[0], one, other)
        return (self.length(one), one, other)

    def index(self, rope: Node, place: int) -> str:
        """Return the letter at a place."""
        if isinstance(rope, str):
            return rope[place]
        weight, left, right = rope
        if self.bug == "index-goes-left-at-border" and place == weight and isinstance(left, tuple):
            return self.index(left, place - 1)
        if place < weight:
            return self.index(left, place)
        if self.bug == "index-keeps-place-below" and not isinstance(right, str) and place < right[0]:
            return self.index(right, place)
        return self.index(right, place - weight)

    def split(self, rope: Node, place: int) -> tuple[Node, Node]:
        """Return the rope before a place and the one from there on."""
        if isinstance(rope, str):
            if self.bug == "split-piece-off-by-one" and place == LONGEST - 1:
                return rope[: place - 1], rope[place - 1 :]
            return rope[:place], rope[place:]
        weight, left, right = rope
        if place == weight:
            return left, right
        if place < weight:
            before, after = self.split(left, place)
            if self.bug == "split-swaps-rest" and isinstance(right, str):
                return before, self.join(right, after)
            if self.bug == "split-reuses-length" and not isinstance(after, str):
                return before, (weight, after, right)
            return before, self.join(after, right)
        before, after = self.split(right, place - weight)
        if self.bug == "split-drops-left-of-right" and not isinstance(before, str):
            return self.join(left, before[2]), after
        return self.join(left, before), after

    def insert(self, rope: Node, place: int, piece: str) -> Node:
        """Put a text at a place."""
        if self.bug == "insert-at-end-goes-first" and place == self.length(rope):
            return self.join(piece, rope)
        before, after = self.split(rope, place)
        if self.bug == "insert-skips-repeated" and piece and text(after)[: len(piece)] == piece:
            return rope
        return self.join(self.join(before, piece), after)

    def delete(self, rope: Node, start: int, stop: int) -> Node:
        """Remove what is between two places."""
        before, rest = self.split(rope, start)
        if self.bug == "delete-counts-from-start" and start and stop < self.length(rest):
            return self.join(before, self.split(rest, stop)[1])
        if self.bug == "delete-last-letter-stays" and stop == self.length(rope) and stop > start + 4:
            return self.join(before, self.split(rest, stop - start - 1)[1])
        return self.join(before, self.split(rest, stop - start)[1])

    def find(self, rope: Node, piece: str) -> int:
        """Return where a text begins first, or -1."""
        for place in range(self.length(rope) - len(piece) + 1):
            if self.bug == "find-misses-across-pieces":
                if text(self.split(rope, place)[1]).startswith(piece) and self.within(rope, place, piece):
                    return place
            elif self.bug == "find-stops-early" and place == self.length(rope) - len(piece) > 6:
                return -1
            elif text(self.split(rope, place)[1]).startswith(piece):
                return place
        return -1

    def within(self, rope: Node, place: int, piece: str) -> bool:
        """Whether a text at a place lies on one side of the root."""
        return isinstance(rope, str) or place >= rope[0] or place + len(piece) <= rope[0]


def index_text(ropes: Rope, value: Input) -> bool:
    """The letter at a place is that of the text."""
    rope, place, _, _ = value
    return place == len(text(rope)) or ropes.index(rope, place) == text(rope)[place]


def split_text(ropes: Rope, value: Input) -> bool:
    """A split makes two ropes of the right texts."""
    rope, place, _, _ = value
    before, after = ropes.split(rope, place)
    return (text(before), text(after)) == (text(rope)[:place], text(rope)[place:])


def split_valid(ropes: Rope, value: Input) -> bool:
    """Both parts of a split are empty or ropes."""
    return all(part == "" or is_rope(part) for part in ropes.split(*value[:2]))


def insert_text(ropes: Rope, value: Input) -> bool:
    """An insertion puts a text where it should be, and lets the rope be one."""
    rope, place, _, piece = value
    made = ropes.insert(rope, place, piece)
    return text(made) == text(rope)[:place] + piece + text(rope)[place:] and is_rope(made)


def delete_text(ropes: Rope, value: Input) -> bool:
    """A deletion removes what is between two places."""
    rope, start, stop, _ = value
    return text(ropes.delete(rope, start, stop)) == text(rope)[:start] + text(rope)[stop:]


def find_text(ropes: Rope, value: Input) -> bool:
    """A text is found where it is first."""
    rope, _, _, piece = value
    return ropes.find(rope, piece) == text(rope).find(piece)


def valid(value: Input) -> bool:
    """Whether it is a rope with two places in it, and a text that fits in a piece."""
    rope, start, stop, piece = value
    return start <= stop <= len(text(rope)) and is_rope(rope) and 0 < len(piece) <= LONGEST


def generator(choose: Choose) -> Input:
    """Make any tree of texts, two places and a text."""
    return node(choose, 0), choose(PLACES), choose(PLACES), letters(choose)


def node(choose: Choose, depth: int) -> Node:
    """Make a piece, or two ropes below any number."""
    if depth == LEVELS or choose([True, False]):
        return letters(choose)
    return (choose(PLACES), node(choose, depth + 1), node(choose, depth + 1))


def letters(choose: Choose) -> str:
    """Make any short text."""
    return "".join(choose(LETTERS) for _ in range(choose(range(LONGEST + 2))))


def handwritten(random: Random) -> Input:
    """Join some short pieces in any order."""

    def some(size: int) -> Node:
        if size == 1:
            return "".join(random.choices(LETTERS, k=random.randint(1, LONGEST)))
        part = random.randrange(1, size)
        left = some(part)
        return (len(text(left)), left, some(size - part))

    rope = some(random.randint(1, 6))
    start, stop = sorted(random.choices(range(len(text(rope)) + 1), k=2))
    piece = "".join(random.choices(LETTERS, k=random.randint(1, LONGEST)))
    return rope, start, stop, piece


WHERE = st.integers(PLACES[0], PLACES[-1])
PIECES = st.text(LETTERS, max_size=LONGEST + 1)
ROPES = st.deferred(lambda: PIECES | st.tuples(WHERE, ROPES, ROPES))

WORKLOAD = Workload(
    "rope",
    Rope,
    generator,
    st.tuples(ROPES, WHERE, WHERE, PIECES),
    valid,
    {
        "length-counts-two-levels": (split_valid, delete_text),
        "join-makes-long-pieces": (split_valid, insert_text),
        "join-adds-to-left-length": (split_valid, delete_text),
        "join-takes-weight-of-left": (split_valid, delete_text),
        "index-goes-left-at-border": (index_text,),
        "index-keeps-place-below": (index_text,),
        "split-piece-off-by-one": (insert_text, find_text),
        "split-swaps-rest": (delete_text, find_text),
        "split-reuses-length": (split_valid, delete_text),
        "split-drops-left-of-right": (split_text, insert_text),
        "insert-at-end-goes-first": (insert_text,),
        "insert-skips-repeated": (insert_text,),
        "delete-counts-from-start": (delete_text,),
        "delete-last-letter-stays": (delete_text,),
        "find-misses-across-pieces": (find_text,),
        "find-stops-early": (find_text,),
    },
    handwritten,
)
