"""Failures: what an exception from a property means, where it was raised, and the input that caused it."""

from __future__ import annotations

from typing import Any

from rlcheck.episode import Outcome
from rlcheck.errors import Signal


class Failure:
    """An input on which the property failed: the first one of its kind."""

    __slots__ = ("choices", "count", "error", "value", "where")

    def __init__(self, error: BaseException, choices: tuple[int, ...], value: Any, where: str) -> None:
        self.error = error
        self.choices = choices
        self.value = value
        #: The exception's type, file and line. Failures at one place are one failure.
        self.where = where
        #: How many inputs failed there.
        self.count = 1

    def __repr__(self) -> str:
        return f"<Failure {self.where}, {self.count:,} times, first by choices {list(self.choices)}>"


def outcome_of(error: BaseException) -> Outcome:
    """Say what an exception from a property means; raise it again when it is not about the input."""
    if isinstance(error, Signal):
        return Outcome.INVALID
    name = type(error).__name__
    # Known by name, so that neither is imported: pytest.fail and pytest.raises raise a BaseException.
    if name == "SkipTest" or not (isinstance(error, Exception) or name == "Failed"):
        raise error
    return Outcome.FAILED


def place_of(error: BaseException) -> str:
    """Return the type of an exception, and the file and line that raised it."""
    last = error.__traceback__
    if last is None:
        return type(error).__name__
    while last.tb_next is not None:
        last = last.tb_next
    return f"{type(error).__name__} at {last.tb_frame.f_code.co_filename}:{last.tb_lineno}"
