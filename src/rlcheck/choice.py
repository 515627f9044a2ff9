"""Choice points: the places in a generator that ask."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import EnumMeta
from itertools import islice
from math import inf
from types import CodeType, FrameType
from typing import Any
from zlib import crc32

from rlcheck.errors import ChoiceError

#: The highest number of a choice point.
_NUMBERS = 0xFFFF

_NUMERIC = (int, float)


class ChoicePoint:
    """A place that asks; compared by identity. Its number has 16 bits, and is the same in every process.

    `index << 16 | number` is the token of a choice: one small integer that abstractions put into states.
    """

    __slots__ = ("met", "name", "number", "ordered")

    def __init__(self, name: Hashable, number: int) -> None:
        self.name = name
        self.number = number
        #: Whether its options are numbers, so that their order means something; words and classes are not.
        self.ordered = True
        #: Whether that was looked at.
        self.met = False

    def meet(self, options: Any) -> None:
        """Look at the options that it is asked for first."""
        self.met = True
        if not isinstance(options, range):
            options = as_sequence(options)
            self.ordered = type(options[0]) in _NUMERIC and type(options[-1]) in _NUMERIC

    def __repr__(self) -> str:
        return f"ChoicePoint({self.name!r})"


class ChoicePoints:
    """Interns choice points by name and by call site."""

    __slots__ = ("_by_code", "_by_name", "_code", "_instruction", "_numbers", "_point", "_sites")

    def __init__(self) -> None:
        self._by_name: dict[Hashable, ChoicePoint] = {}
        self._numbers: set[int] = set()
        # Keyed by id(), which costs half as much as hashing a code object. The value keeps the code, so that
        # its id is never reused.
        self._by_code: dict[int, tuple[CodeType, dict[int, ChoicePoint]]] = {}
        # Where the last one was: a loop or a recursion often asks again.
        self._code: CodeType | None = None
        self._sites: dict[int, ChoicePoint] = {}
        self._instruction = -1
        self._point: ChoicePoint | None = None

    def named(self, name: Hashable) -> ChoicePoint:
        """Return the choice point called `name`."""
        point = self._by_name.get(name)
        if point is None:
            point = self._by_name[name] = ChoicePoint(name, self._number(name))
        return point

    def at(self, frame: FrameType) -> ChoicePoint:
        """Return the choice point at the instruction that `frame` is executing."""
        code = frame.f_code
        instruction = frame.f_lasti
        if code is not self._code:
            entry = self._by_code.get(id(code))
            if entry is None:
                entry = self._by_code[id(code)] = (code, {})
            self._code, self._sites = entry
        elif instruction == self._instruction and self._point is not None:
            return self._point
        point = self._sites.get(instruction)
        if point is None:
            point = self._sites[instruction] = self.named(site_name(frame))
        self._instruction, self._point = instruction, point
        return point

    def _number(self, name: Hashable) -> int:
        """A number by the name, and not by the order of visits: workers merge what they learn by states."""
        number = crc32(repr(name).encode(errors="backslashreplace")) & _NUMBERS
        while number in self._numbers and len(self._numbers) <= _NUMBERS:
            number = number + 1 & _NUMBERS
        self._numbers.add(number)
        return number


def site_name(frame: FrameType) -> str:
    """`module.function:line:column` of the running instruction: the same in every process."""
    code = frame.f_code
    _, _, column, end = next(islice(code.co_positions(), frame.f_lasti // 2, None))
    module = frame.f_globals.get("__name__", "?")
    return f"{module}.{code.co_qualname}:{frame.f_lineno}:{column}-{end}"


_members: dict[EnumMeta, tuple[Any, ...]] = {}


def as_sequence(options: Any) -> Sequence[Any]:
    """Options as something with a length and an order, or a clear error."""
    if isinstance(options, EnumMeta):
        if options not in _members:
            _members[options] = tuple(options)
        return _members[options]
    indexable = hasattr(options, "__len__") and hasattr(options, "__getitem__")
    if not indexable or hasattr(options, "keys"):
        raise ChoiceError(
            f"options={options!r} is a {type(options).__name__}, but choose() needs an ordered"
            " collection: a list, a tuple, a range or an Enum class. Wrap it in list(...) or sorted(...)."
        )
    return options  # type: ignore[no-any-return]


def count(options: Any) -> int:
    """Return how many options there are, even where `len` fails."""
    try:
        return len(options)
    except TypeError:
        return len(as_sequence(options))
    except OverflowError:  # len() stops at 2**63, ranges do not.
        return (options[-1] - options[0]) // options.step + 1  # type: ignore[no-any-return]


def no_options(options: Any, at: Hashable | None) -> ChoiceError:
    """Return the error for an empty collection of options."""
    where = "" if at is None else f" at {at!r}"
    return ChoiceError(
        f"options={options!r}{where} is empty, but choose() needs at least one option."
        " Check the bounds, or call rlcheck.assume(False) to reject the input."
    )


def check_index(take: int, n: int) -> int:
    """Return an index that was decided elsewhere, if it is one of `n` options."""
    if not 0 <= take < n:
        raise ChoiceError(f"take={take!r} must be an index below {n}, the number of options.")
    return take


def check_weights(weights: Sequence[float], n: int) -> None:
    """Raise unless there is a weight for each of `n` options."""
    if len(weights) != n or not min(weights) >= 0.0 or not 0.0 < sum(weights) < inf:
        raise ChoiceError(
            f"weights={weights!r} must be {n} numbers, one per option, none below 0 and one above it."
        )


def unhashable(name: str, value: Any, error: TypeError) -> Exception:
    """Return the error for a value that cannot be hashed; the given error when it can."""
    try:
        hash(value)
    except TypeError:
        return ChoiceError(
            f"{name}={value!r} is of type {type(value).__name__} and cannot be hashed, but it is a key of a"
            f" table. Give a tuple, a string or a number, for example {name}=tuple(...)."
        )
    return error
