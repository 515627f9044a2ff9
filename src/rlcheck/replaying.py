"""Replaying: a recorded choice sequence makes the same input again, without any learner."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

from rlcheck.choice import as_sequence, count, no_options
from rlcheck.errors import Rejected, ReplayError
from rlcheck.generators import Generator
from rlcheck.marks import marks_of

T = TypeVar("T")


class Replay:
    """A `choose` that answers from a recorded sequence, and remembers how many options there were."""

    def __init__(self, choices: Sequence[int]) -> None:
        self.choices = list(choices)
        self.sizes: list[int] = []

    def __call__(self, options: Any, *, at: Hashable | None = None, state: Hashable | None = None) -> Any:
        """The recorded option."""
        n = count(options)
        if n == 0:
            raise no_options(options, at)
        place = len(self.sizes)
        if place >= len(self.choices):
            raise ReplayError(
                f"choices={self.choices} ends after {place} choices, but the generator asks for another one"
                f" (of {n} options). It was recorded with a different generator or version of it."
            )
        index = self.choices[place]
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < n:
            raise ReplayError(
                f"choices[{place}]={index!r} must be an index below {n}, the number of options there."
                " It was recorded with a different generator or version of it."
            )
        self.sizes.append(n)
        return as_sequence(options)[index]

    def check_finished(self) -> None:
        """Raise if the generator asked for fewer choices than were recorded."""
        used = len(self.sizes)
        if used < len(self.choices):
            raise ReplayError(
                f"choices={self.choices} has {len(self.choices)} choices, but the generator made only"
                f" {used}. It was recorded with a different generator or version of it."
            )


def replay(generator: Generator[T], choices: Sequence[int]) -> T:
    """Return what a generator makes of a recorded choice sequence.

    A property made by `rlcheck.given` is run on its input instead, and raises what it raises.
    """
    marked = marks_of(generator).property
    if marked is not None:
        return marked.replay(choices)  # type: ignore[no-any-return]
    answers = Replay(choices)
    try:
        value = generator(answers)
    except Rejected as rejected:
        raise ReplayError(f"choices={list(choices)} make an input that the generator rejects.") from rejected
    answers.check_finished()
    return value
