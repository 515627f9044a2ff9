"""Subjects of which random inputs are hardly ever valid, by name."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.campaigns import Subject
from benchmarks.cold import validators
from benchmarks.strict.subjects import SUBJECTS as STRICT
from benchmarks.structure import subjects as trees
from benchmarks.subjects.subjects import SUBJECTS as PROGRAMS
from benchmarks.subjects.virtual_machine import JavaFault, Program
from rlcheck.generators import Choose


def is_red_black_of_height_3(tree: Any) -> bool:
    """Whether it is a red-black tree with three black nodes on each way down."""
    return trees.is_red_black(tree) and trees.black_height(tree) == 3


def numbers(choose: Choose) -> list[int]:
    """Make up to 19 numbers below 1,000."""
    return [choose(range(1_000)) for _ in range(choose(range(20)))]


def is_sorted(made: list[int]) -> bool:
    """Whether there are at least ten, in order."""
    return len(made) >= 10 and all(low <= high for low, high in pairwise(made))


@dataclass(frozen=True, slots=True)
class _Accepted:
    """Whether a program accepts an input, or why not; a fault is no acceptance."""

    name: str

    def __call__(self, made: Any) -> bool | str:
        accepts = PROGRAMS[self.name].accepts
        try:
            return accepts.judge(made) if isinstance(accepts, Program) else accepts(made)
        except (AttributeError, JavaFault, KeyError, TypeError):
            return False


def _program(name: str) -> Subject:
    program = PROGRAMS[name]
    needs = tuple(need for need in program.needs if isinstance(need, str))
    return Subject(name, program.generator, _Accepted(name), needs=needs)  # type: ignore[arg-type]


SUBJECTS = {
    subject.name: subject
    for subject in (
        *map(_program, ("ant", "maven", "nbformat")),
        STRICT["graphql"],
        STRICT["openapi"],
        Subject("red-black-3", trees.red_black, is_red_black_of_height_3),
        Subject("sorted-10", numbers, is_sorted),
        *validators.SUBJECTS,
    )
}

#: Nobody looked at these while the learner was written: they ran once, at the end.
HELD_OUT = ("protobuf", "pydantic", "json-schema")
