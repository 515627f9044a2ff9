"""Hints: which choices to change in an input, judging by what the program compared it with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias
from zlib import crc32

#: A site with its kind, and two operands.
Comparison: TypeAlias = tuple[int, Any, Any]

#: The kind of a comparison, in the lowest bits of the number of its site.
EQUAL, LESS, WITHIN, LOOKUP, STARTS, TYPE = range(6)
KIND_BITS = 3
KIND = (1 << KIND_BITS) - 1

#: Longer texts are not searched; of more options than this, only the first are.
_LONG, _OPTIONS = 200, 256

#: The fewest characters of a text that is searched for in others, and the most characters of its quotes.
_WORD, _QUOTES = 3, 3

#: The most hints from one input.
_MOST = 200
#: How many of the latest comparisons give hints.
_LATEST = 200

_PLAIN = frozenset((int, float, str, bytes, bool))


def distance(left: Any, right: Any) -> int:
    """Return how far apart two operands are, in steps that grow with the distance; 0 if unknown."""
    if isinstance(left, str) and isinstance(right, str):
        gap: float = abs(len(left) - len(right)) + sum(
            a != b for a, b in zip(left[:_LONG], right[:_LONG], strict=False)
        )
    elif _are_numbers(left, right):
        gap = abs(left - right)
    else:
        return 0
    if not gap < 1e18:
        return 0
    steps = int(gap)
    if steps < 16:
        return 1 + steps
    # Four levels from one power of two to the next.
    bits = steps.bit_length()
    return 4 * bits - 3 + (steps >> bits - 3 & 3)


def _are_numbers(left: Any, right: Any) -> bool:
    return isinstance(left, int | float) and isinstance(right, int | float)


class Compared:
    """What an input was compared with.

    Args:
        comparisons: What was compared, each once.
        options: The options of each choice; None if unknown.
        choices: The indices that were chosen.
    """

    __slots__ = ("_choices", "_options", "_places", "_sources", "_texts", "comparisons")

    def __init__(
        self, comparisons: Sequence[Comparison], options: Sequence[Any], choices: Sequence[int]
    ) -> None:
        self.comparisons = comparisons
        self._options = options
        self._choices = choices
        # The numbers of the choices by the value chosen, and the texts that other texts may be built from.
        self._places: dict[tuple[type, Any], list[int]] = {}
        for number, some in enumerate(options):
            if type(some) not in (list, tuple, range, str):
                continue
            try:
                value = some[choices[number]]
            except IndexError:
                continue  # The generator has changed the list since.
            if type(value) in _PLAIN:
                self._places.setdefault((type(value), value), []).append(number)
        self._sources: dict[tuple[type, Any], list[Any]] = {}
        self._texts = [value for kind, value in self._places if kind is str and value]

    def sites(self) -> set[int]:
        """Return the sites that compared a part of the input."""
        found: set[int] = set()
        for site, left, right in self.comparisons:
            if site not in found and (self._has(left) or self._has(right)):
                found.add(site)
        return found

    def outcomes(self) -> dict[int, tuple[int, bool]]:
        """Return the results of comparisons by a hash of the site and the operands not from the input."""
        found: dict[int, tuple[int, bool]] = {}
        for site, left, right in self.comparisons:
            came_out = _outcome(site & KIND, left, right)
            fixed = [
                None if isinstance(operand, tuple) or self._has(operand) else operand
                for operand in (left, right)
            ]
            found[crc32(repr((site, fixed, came_out)).encode(errors="backslashreplace"))] = site, came_out
        return found

    def hints(self) -> list[tuple[int, int]]:
        """Return changes that would flip a comparison: the number of a choice, and its new index."""
        found: dict[tuple[int, int], None] = {}
        for site, left, right in self.comparisons[: -_LATEST - 1 : -1]:
            kind = site & KIND
            if kind in (WITHIN, LOOKUP) and isinstance(right, tuple):
                for other in sorted(right, key=_order):
                    self._add(found, left, other)
                    self._add(found, other, left)
            elif kind != LESS:
                self._add(found, left, right)
                self._add(found, right, left)
            elif _are_numbers(left, right):
                for step in (0, 1, -1):
                    self._add(found, left, right + step)
                    self._add(found, right, left + step)
            if len(found) >= _MOST:
                break
        return list(found)

    def _add(self, found: dict[tuple[int, int], None], operand: Any, wanted: Any) -> None:
        """Add the changes that would turn an operand into the one that is wanted."""
        for text in self._sources_of(operand):
            value = wanted
            if text != operand:
                value = _part(text, operand, wanted) if isinstance(wanted, str) else None
            for number in self._places[type(operand), text]:
                for index in _indices(self._options[number], value):
                    if index != self._choices[number]:
                        found[number, index] = None

    def _has(self, operand: Any) -> bool:
        """Whether a chosen value is the operand, one of its elements, or a part of it."""
        if isinstance(operand, tuple):
            return any((type(one), one) in self._places for one in operand)
        return bool(self._sources_of(operand))

    def _sources_of(self, operand: Any) -> list[Any]:
        """Return the chosen values that an operand is equal to or built from."""
        key = type(operand), operand
        found = self._sources.get(key)
        if found is None:
            found = [operand] if key in self._places else []
            if isinstance(operand, str) and 0 < len(operand) <= _LONG:
                found += [text for text in self._texts if text != operand and _related(text, operand)]
            self._sources[key] = found
        return found


def _outcome(kind: int, left: Any, right: Any) -> bool:
    """Return the result of a comparison, as far as its kind is known."""
    if isinstance(right, tuple):
        return (type(left) if kind == TYPE else left) in right
    if kind == LESS:
        return (_are_numbers(left, right) or type(left) is type(right)) and left < right
    if kind in (WITHIN, STARTS):
        return isinstance(left, str) and isinstance(right, str) and (left in right or right in left)
    return bool(left == right)


def _indices(options: Any, wanted: Any) -> list[int]:
    """Return the places of a value among options; for a tuple of types, those of options of these types."""
    if isinstance(options, range):
        return [options.index(wanted)] if type(wanted) is int and wanted in options else []
    some = options[:_OPTIONS]
    if isinstance(wanted, tuple):
        return [place for place, option in enumerate(some) if type(option) in wanted]
    return [place for place, option in enumerate(some) if type(option) is type(wanted) and option == wanted]


def _related(text: str, operand: str) -> bool:
    """Whether a text is part of an operand, or equals the operand except for quotes or a sign."""
    if len(text) > len(operand):
        return len(text) <= len(operand) + _QUOTES and operand in text
    return len(text) >= _WORD and text in operand


def _part(text: str, operand: str, wanted: str) -> str | None:
    """Return the text to choose so that the operand, which is a part of it or contains it, is as wanted."""
    if operand in text:
        return text.replace(operand, wanted, 1)
    before, after = operand.split(text, 1)
    fits = len(wanted) >= len(before) + len(after) and wanted.startswith(before) and wanted.endswith(after)
    return wanted[len(before) : len(wanted) - len(after)] if fits else None


def _order(value: Any) -> tuple[str, str]:
    """Sort plain values the same way in every process."""
    return type(value).__name__, repr(value)
