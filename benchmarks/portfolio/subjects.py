"""Three small subjects: `diverse` is best on trees, `uniform` on documents, `zest` in the maze."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rlcheck.cli.demo import is_bst, tree
from rlcheck.generators import Choose


def document(choose: Choose) -> list[Any]:
    """A comment, or a record of six digits."""
    if choose(["comment", "record"]) == "comment":
        return ["#", choose(range(1000)), choose(range(1000))]
    return [choose(range(10)) for _ in range(6)]


def is_well_formed(made: list[Any]) -> bool:
    """A comment always is, and a record when its checksum is right: no digit alone says so."""
    if made[0] == "#":
        return True
    return sum(place * digit for place, digit in enumerate(made, 1)) % 5 == 0


def meaning(made: list[Any]) -> tuple[int, ...]:
    """What makes two documents the same: comments mean nothing."""
    return () if made[0] == "#" else tuple(made)


def maze(choose: Choose) -> list[int]:
    """Four to 19 steps, each in one of eight directions."""
    return [choose(range(8)) for _ in range(choose(range(4, 20)))]


def leads_out(steps: list[int]) -> bool:
    """Whether steps lead out: each room has one way on, and any other leads back to the first."""
    room = 0
    for step in steps:
        if room == 0:
            room = 1 if step == 3 else 0
        elif room == 1:
            room = 2 if step == 5 else 0
        elif room == 2:
            room = 3 if step == 1 else 0
        elif room == 3:
            room = 4 if step == 6 else 0
        elif room == 4:
            room = 5 if step == 2 else 0
        elif room == 5:
            room = 6 if step == 7 else 0
        else:
            return True
    return len(steps) % 2 == 0


class Subject(NamedTuple):
    """What is tested."""

    generator: Callable[[Choose], Any]
    valid: Callable[[Any], bool]
    characteristic: Callable[[Any], Any] | None = None


SUBJECTS = {
    "tree": Subject(tree, is_bst),
    "document": Subject(document, is_well_formed, meaning),
    "maze": Subject(maze, leads_out),
}
