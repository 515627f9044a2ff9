"""Failures: what an exception from a property means, where it was raised, and how a failure is printed.

Every front end reports the same `Failure`, and `describe` prints it for all of them.
"""

from __future__ import annotations

import opcode
import os
from collections.abc import Callable, Sequence
from copy import copy
from types import TracebackType
from typing import Any, TypeVar

from rlcheck.episode import Outcome
from rlcheck.errors import Signal

Self = TypeVar("Self", bound="Failure")

#: The most characters of a message and of an input that are kept.
_MESSAGE, _INPUT = 300, 2_000


class Failure:
    """An input on which the property failed: the first one at its place.

    The annotated attributes are plain data: they can be stored and sent to other processes.
    """

    #: The exception's type, file and line. Failures at one place are one failure.
    place: str
    #: The exception on one line.
    message: str
    #: What replays it: choices; for a Hypothesis test, the arguments of `reproduce_failure`.
    choices: list[Any]
    #: The input as text.
    input: str
    #: Python code that reproduces it.
    snippet: str
    #: How many inputs failed at this place.
    count: int
    #: Whether it ended the process or made it hang: it is replayed in a process of its own.
    isolated: bool

    def __init__(
        self,
        place: str,
        message: str,
        choices: Sequence[Any],
        *,
        input: str = "",
        snippet: str = "",
        count: int = 1,
        isolated: bool = False,
    ) -> None:
        self.place = place
        self.message = message
        self.choices = list(choices)
        self.input = input
        self.snippet = snippet
        self.count = count
        self.isolated = isolated
        #: The exception; None when the failure comes from another process or from the store.
        self.error: BaseException | None = None
        #: The input as the generator made it, whatever the test did to it.
        self.value: Any = None

    @classmethod
    def of(cls, error: BaseException, choices: Sequence[Any], value: Any, *, snippet: str = "") -> Failure:
        """The failure of an exception in this process."""
        made = Failure(place_of(error), message_of(error), choices, input=shown(value), snippet=snippet)
        made.error, made.value = error, value
        return made

    def replace(self: Self, **changes: Any) -> Self:
        """A copy with some attributes changed."""
        made = copy(self)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def portable(self: Self) -> Self:
        """A copy that can be sent to another process: without the exception and the input itself."""
        return self.replace(error=None, value=None)

    def __str__(self) -> str:
        return describe(self)

    def __repr__(self) -> str:
        return f"<Failure {self.place}, {_inputs(self.count)}, choices {self.choices}>"


class TimedOut(Exception):
    """An input took longer than it may.

    Args:
        place: The function that was running. Its line would differ each time.
    """

    def __init__(self, place: str) -> None:
        super().__init__("the input took longer than --timeout-per-input")
        self.place = f"TimedOut in {place}"


def describe(failure: Failure, heading: str = "") -> str:
    """A failure for people: what failed, where, on which input, and how to reproduce it."""
    lines = [heading or f"FAILED: {failure.message}", f"  {failure.place}, {_inputs(failure.count)}"]
    lines += _part("input:", failure.input)
    lines += _part("Reproduce with:", failure.snippet)
    return "\n".join(lines)


def replay_call(generator: str, choices: Sequence[Any]) -> str:
    """The call that replays choices with a generator of this name."""
    return f"rlcheck.replay({generator}, {list(choices)})"


def outcome_of(error: BaseException) -> Outcome:
    """Say what an exception from a property means; raise it again when it is not about the input."""
    if isinstance(error, Signal):
        return Outcome.INVALID
    name = type(error).__name__
    # Known by name, so that neither is imported: pytest.fail and pytest.raises raise a BaseException.
    if name == "SkipTest" or not (isinstance(error, Exception) or name == "Failed"):
        raise error
    return Outcome.FAILED


def outcome_of_property(error: BaseException) -> Outcome:
    """Return how a property ended; a KeyboardInterrupt that it raises itself is a failure."""
    is_own = isinstance(error, KeyboardInterrupt) and _is_raised_by_code(error)
    return Outcome.FAILED if is_own else outcome_of(error)


def _is_raised_by_code(error: BaseException) -> bool:
    """Whether a `raise` statement raised it. Ctrl-C interrupts code at any other instruction."""
    last = _last_step(error)
    if last is None:
        return False
    return last.tb_frame.f_code.co_code[last.tb_lasti] == opcode.opmap["RAISE_VARARGS"]


def _last_step(error: BaseException) -> TracebackType | None:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last


def place_of(error: BaseException) -> str:
    """Return the type of an exception, and the file and line that raised it.

    Files in the working directory have a relative path, so that the place is the same on every machine.
    """
    if isinstance(error, TimedOut):
        return error.place
    last = _last_step(error)
    if last is None:
        return type(error).__name__
    file = last.tb_frame.f_code.co_filename
    try:
        file = file.removeprefix(os.getcwd() + os.sep)
    except OSError:
        pass  # The working directory is gone.
    return printable(f"{type(error).__name__} at {file}:{last.tb_lineno}")


def message_of(error: BaseException) -> str:
    """Return an exception on one line."""
    text = " ".join(_text_of(error, str).split())
    name = type(error).__name__
    return printable(f"{name}: {text[:_MESSAGE]}" if text else name)


def shown(value: Any) -> str:
    """Return an input as text, shortened if it is long."""
    text = printable(_text_of(value, repr))
    return text if len(text) <= _INPUT else f"{text[:_INPUT]}... ({len(text):,} characters)"


def printable(text: str) -> str:
    """Return text that can be written anywhere: what UTF-8 has no bytes for is escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text_of(value: Any, convert: Callable[[Any], str]) -> str:
    """Convert a value to text; if that raises, return text that says so."""
    try:
        return str.__str__(convert(value))  # A subclass of str may override its conversion.
    except Exception as error:
        return f"<{convert.__name__} of a {type(value).__name__} raised {type(error).__name__}>"


def _inputs(count: int) -> str:
    return "1 input" if count == 1 else f"{count:,} inputs"


def _part(label: str, text: str) -> list[str]:
    """A labelled part of the description: on one line if it fits there."""
    rest = text.rstrip("\n").split("\n")
    if not text:
        return []
    if len(rest) == 1:
        return [f"  {label} {rest[0]}"]
    return [f"  {label}", *(f"    {line}" if line else "" for line in rest)]
