"""Flat inputs: sorted lists, brackets, a schedule, and lists that are all valid."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations, pairwise

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

Schedule = list[tuple[int, int]]

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_KIND_ERASED = str.maketrans("[{]}", "(())")

DURATIONS = (3, 2, 4, 3, 2)
#: The first of each pair has to end before the second starts.
PRECEDENCES = ((0, 2), (1, 3), (2, 4))


def numbers(choose: Choose) -> list[int]:
    """Any list of up to 20 numbers."""
    made: list[int] = []
    while len(made) < 20 and choose([True, False]):
        made.append(choose(range(101)))
    return made


def is_sorted(values: list[int]) -> bool:
    """Whether at least five numbers are in ascending order; equal neighbours are."""
    return len(values) >= 5 and all(a <= b for a, b in pairwise(values))


def brackets(choose: Choose) -> str:
    """Any string of up to 20 brackets."""
    text = ""
    while len(text) < 20:
        character = choose(["(", ")", "[", "]", "{", "}", "stop"])
        if character == "stop":
            break
        text += character
    return text


def is_balanced(text: str) -> bool:
    """Whether at least six brackets close in the order in which they opened, each by its own kind."""
    expected: list[str] = []
    for character in text:
        if character in _PAIRS:
            expected.append(_PAIRS[character])
        elif not expected or expected.pop() != character:
            return False
    return len(text) >= 6 and not expected


def brackets_shape(text: str) -> Hashable:
    """How the brackets nest, whatever their kind."""
    return text.translate(_KIND_ERASED)


def schedule(choose: Choose) -> Schedule:
    """A start and a machine for each of the five jobs."""
    return [(choose(range(12)), choose(range(3))) for _ in DURATIONS]


def is_feasible(jobs: Schedule) -> bool:
    """Whether jobs on one machine do not overlap, and no job starts before what it waits for has ended."""
    ends = [start + duration for (start, _), duration in zip(jobs, DURATIONS, strict=True)]
    if any(jobs[later][0] < ends[earlier] for earlier, later in PRECEDENCES):
        return False
    return all(
        jobs[a][1] != jobs[b][1] or ends[a] <= jobs[b][0] or ends[b] <= jobs[a][0]
        for a, b in combinations(range(len(jobs)), 2)
    )


def schedule_shape(jobs: Schedule) -> Hashable:
    """Which jobs share a machine and in which order they run there, without starts and machine numbers."""
    machines: dict[int, list[int]] = {}
    for job in sorted(range(len(jobs)), key=lambda job: (jobs[job][0], job)):
        machines.setdefault(jobs[job][1], []).append(job)
    return frozenset(tuple(order) for order in machines.values())


def makespan(jobs: Schedule) -> int:
    """When the last job ends."""
    return max(start + duration for (start, _), duration in zip(jobs, DURATIONS, strict=True))


def short_numbers(choose: Choose) -> list[int]:
    """Any list of up to ten numbers."""
    made: list[int] = []
    while len(made) < 10 and choose([True, False]):
        made.append(choose(range(100)))
    return made


def anything(_: object) -> bool:
    """Every input is valid."""
    return True


SUBJECTS = (
    Subject("sorted-list", numbers, is_sorted, len, len),
    Subject("brackets", brackets, is_balanced, brackets_shape, len),
    Subject("schedule", schedule, is_feasible, schedule_shape, makespan),
    Subject("all-valid", short_numbers, anything, len, len),
)
