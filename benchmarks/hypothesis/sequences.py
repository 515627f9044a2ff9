"""Texts and lists: parentheses, sorted numbers, bookings, and two tests that assume nothing."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

from hypothesis import assume
from hypothesis import strategies as st

from benchmarks.hypothesis.property import Property

OPENING, CLOSING = "([{", ")]}"


def is_balanced(text: str) -> bool:
    """Whether every bracket is closed by its own."""
    stack: list[str] = []
    for character in text:
        if character in OPENING:
            stack.append(CLOSING[OPENING.index(character)])
        elif not stack or stack.pop() != character:
            return False
    return not stack


def depth(text: str) -> int:
    """The most brackets that are open at once."""
    now = most = 0
    for character in text:
        now += 1 if character in OPENING else -1
        most = max(most, now)
    return most


def test_balanced(text: str) -> None:
    """A balanced text is not more than half as deep as long."""
    assume(is_balanced(text))
    assert depth(text) <= len(text) // 2


def test_sorted(numbers: list[int]) -> None:
    """The middle of a sorted list lies between its ends."""
    assume(numbers == sorted(numbers))
    assert numbers[0] <= numbers[len(numbers) // 2] <= numbers[-1]


#: The hour it begins and the hour it ends.
Slot = tuple[int, int]
SLOTS = st.tuples(st.integers(0, 23), st.integers(1, 24)).filter(lambda slot: slot[0] < slot[1])


def test_bookings(slots: list[Slot], opens: int, closes: int) -> None:
    """The bookings of a day leave what they do not take."""
    assume(opens < closes)
    assume(slots == sorted(slots))
    assume(all(first[1] <= second[0] for first, second in pairwise(slots)))
    assume(slots[0][0] >= opens and slots[-1][1] <= closes)
    free = [hour for hour in range(opens, closes) if not any(slot[0] <= hour < slot[1] for slot in slots)]
    assert len(free) == closes - opens - sum(slot[1] - slot[0] for slot in slots)


def test_any_numbers(numbers: list[int]) -> None:
    """Sorting loses nothing."""
    assert len(sorted(numbers)) == len(numbers)


def test_any_text(text: str) -> None:
    """A text survives its encoding."""
    assert text.encode("utf-8").decode("utf-8") == text


def _brackets(text: str) -> Hashable:
    return "".join("(" if character in OPENING else ")" for character in text)


def _gaps(slots: list[Slot], opens: int, closes: int) -> Hashable:
    """How many bookings there are, and after which the next begins at once."""
    return tuple(first[1] == second[0] for first, second in pairwise(slots))


PROPERTIES = (
    Property("parentheses", test_balanced, _brackets, {"text": st.text("()[]{}", min_size=2)}),
    Property("sorted-list", test_sorted, len, {"numbers": st.lists(st.integers(0, 100), min_size=5)}),
    Property(
        "bookings",
        test_bookings,
        _gaps,
        {
            "slots": st.lists(SLOTS, min_size=2, max_size=5),
            "opens": st.integers(0, 12),
            "closes": st.integers(8, 24),
        },
    ),
    Property("any-numbers", test_any_numbers, len, {"numbers": st.lists(st.integers())}, sparse=False),
    Property("any-text", test_any_text, len, {"text": st.text()}, sparse=False),
)
