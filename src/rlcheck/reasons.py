"""Reasons: why inputs were rejected, without values, and how many inputs each reason rejected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from rlcheck.errors import ConfigurationError

#: The most characters of a reason, the most errors of one input that are distinguished, and the most reasons
#: that are counted separately.
_LONGEST, _ERRORS, _MOST = 200, 20, 1_000

_OTHERS = "other reasons"
_UNKNOWN = "valid() was false"

#: Values in a message: quoted text, text in brackets, and numbers. Inner brackets are removed first.
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_BRACKETS = re.compile(r"\([^()\[\]{}<>]*\)|\[[^()\[\]{}<>]*\]|\{[^()\[\]{}<>]*\}|<[^()\[\]{}<>]*>")
_NUMBER = re.compile(r"[-+]?\b\d[\d._]*(?:e[-+]?\d+)?\b|0x[0-9a-f]+", re.IGNORECASE)


class Rejection:
    """Why one input was rejected: one error or several.

    Args:
        errors: What is wrong, without values.
    """

    __slots__ = ("errors", "reason")

    def __init__(self, errors: Sequence[str]) -> None:
        self.errors = errors
        #: The first error, and how many more there are.
        self.reason = errors[0]
        if len(errors) > 1:
            self.reason += f" (and {len(errors) - 1:,} more)"

    def signs(self) -> list[int]:
        """Return two numbers: one for the first error, and one for all errors together."""
        return [crc32(self.reason.encode()), crc32("\n".join(sorted(set(self.errors))).encode())]


class Reasons:
    """How many inputs each reason rejected, and the choices of one such input."""

    __slots__ = ("_counts", "_examples")

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def add(self, reason: str, choices: list[int]) -> None:
        """Count a rejected input."""
        reason = reason or _UNKNOWN
        if reason not in self._counts:
            if len(self._counts) > _MOST:
                reason = _OTHERS
            self._examples.setdefault(reason, choices)
        self._counts[reason] = self._counts.get(reason, 0) + 1

    def most_common(self, most: int = 10) -> list[tuple[str, int, list[int]]]:
        """Return the reasons that stopped most inputs: each with their number, and the choices of one."""
        found = sorted(self._counts.items(), key=lambda reason: -reason[1])[:most]
        return [(reason, count, self._examples[reason]) for reason, count in found]


def without_values(message: str) -> str:
    """Return a message without its values, so that all inputs rejected for one reason share a message."""
    text = _QUOTED.sub("_", " ".join(message[: 4 * _LONGEST].split()))
    while (shorter := _BRACKETS.sub("_", text)) != text:
        text = shorter
    return _NUMBER.sub("_", text)[:_LONGEST]


def rejection_of(result: Any) -> Rejection | None:
    """Return why an input was rejected, if `valid` returned a reason; None if it returned a truth value.

    A string, an exception, or a list or tuple of these says what is wrong. Empty ones are false.
    """
    if isinstance(result, BaseException):
        return Rejection([without_values(text_of(result))])
    if isinstance(result, str) and result:
        return Rejection([without_values(result)])
    if isinstance(result, list | tuple) and result and all(map(_is_error, result)):
        texts = [error if isinstance(error, str) else text_of(error) for error in result[:_ERRORS]]
        return Rejection([*map(without_values, texts), *[""] * (len(result) - len(texts))])
    return None


class Senses:
    """Detects a `valid` that returns a list of errors, and an empty list when there are none.

    Empty results are false, as everywhere in Python: `return xs and in_order(xs)` rejects an empty list. A
    function that also returns errors hardly means that.
    """

    __slots__ = ("_empty", "_errors")

    def __init__(self) -> None:
        self._empty = self._errors = False

    def note(self, result: object, rejection: Rejection | None) -> None:
        """Record what `valid` returned; raise once it has returned both."""
        if not isinstance(result, str | list | tuple):
            return
        self._errors = self._errors or rejection is not None
        self._empty = self._empty or not result
        if self._errors and self._empty:
            raise ConfigurationError(
                "valid() returned errors for one input, and an empty result for another. An empty result is"
                " false, so no input would be valid. Write `return errors or True`."
            )


def text_of(error: BaseException) -> str:
    """Return the type and the message of an exception; calls its `__str__` only if necessary."""
    first = error.args[0] if error.args else None
    try:
        text = first if type(first) is str else str(error)
    except Exception:
        text = "str() raised"
    return f"{type(error).__name__}: {text}"


def _is_error(thing: object) -> bool:
    return isinstance(thing, str | BaseException)
