"""Calls on a subject: operations, the options of their arguments, and calls written as Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, EnumMeta
from itertools import product
from operator import getitem
from typing import Any, NamedTuple, TypeAlias

from rlcheck.choice import as_sequence
from rlcheck.errors import ChoiceError, ConfigurationError, ReplayError

#: The options of an argument, or a function of the subject that returns the current ones.
Source: TypeAlias = Any


class Call(NamedTuple):
    """An operation, by its number, and the place of each argument among its options."""

    operation: int
    places: tuple[int, ...]


class Operation:
    """Something that can be done to a subject: one of its methods, or a function of it."""

    __slots__ = ("fixed", "function", "name", "points", "sources")

    def __init__(self, name: str, function: Callable[..., Any] | None, sources: Iterable[Source]) -> None:
        self.name = name
        #: None for a method of the subject.
        self.function = function
        self.sources = tuple(sources)
        #: The names of the choice points of the arguments.
        self.points = tuple(f"{name}[{place}]" for place in range(len(self.sources)))
        #: The options of each argument, if they do not depend on the subject.
        self.fixed: list[Sequence[Any]] | None = None
        if not any(_is_dynamic(source) for source in self.sources):
            self.fixed = [as_sequence(source) for source in self.sources]

    def __repr__(self) -> str:
        return f"<Operation {self.name}>"

    def options(self, subject: Any) -> list[Sequence[Any]]:
        """The current options of each argument."""
        if self.fixed is not None:
            return self.fixed
        return [as_sequence(source(subject) if _is_dynamic(source) else source) for source in self.sources]

    def is_possible(self, subject: Any) -> bool:
        """Whether every argument has an option at the moment."""
        return self.fixed is not None or all(map(len, self.options(subject)))

    def run(self, subject: Any, places: Sequence[int]) -> Any:
        """Make the call."""
        arguments = map(getitem, self.fixed or self.options(subject), places)
        if self.function is None:
            return getattr(subject, self.name)(*arguments)
        return self.function(subject, *arguments)

    def calls(self, number: int, subject: Any) -> Iterable[Call]:
        """Every call that is possible at the moment."""
        ranges = [range(len(options)) for options in self.options(subject)]
        return (Call(number, places) for places in product(*ranges))

    def written(self, target: str, places: Sequence[int]) -> str:
        """The call as Python."""
        arguments = []
        for source, place in zip(self.sources, places, strict=True):
            if _is_dynamic(source):
                arguments.append(f"{name_of(source)}({target})[{place}]")
            else:
                value = as_sequence(source)[place]
                arguments.append(
                    f"{name_of(type(value))}.{value.name}" if isinstance(value, Enum) else repr(value)
                )
        if self.function is None:
            return f"{target}.{self.name}({', '.join(arguments)})"
        return f"{name_of(self.function)}({', '.join([target, *arguments])})"

    def names(self, places: Sequence[int]) -> list[Callable[..., Any]]:
        """The functions and classes that a written call names."""
        named: list[Callable[..., Any]] = [] if self.function is None else [self.function]
        for source, place in zip(self.sources, places, strict=True):
            if _is_dynamic(source):
                named.append(source)
            elif isinstance(value := as_sequence(source)[place], Enum):
                named.append(type(value))
        return named


def operations_of(given: Any) -> list[Operation]:
    """Operations from a mapping of names to options, or from a sequence of names, functions and tuples."""
    if isinstance(given, Mapping):
        entries = [(what, *_sources_of(what, sources)) for what, sources in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, str):
        entries = [entry if isinstance(entry, tuple) else (entry,) for entry in given]
    else:
        raise ConfigurationError(f"operations={given!r} must be {_EXPECTED}.")
    if not entries:
        raise ConfigurationError(f"operations={given!r} is empty: give {_EXPECTED}.")
    found = [_operation(entry) for entry in entries]
    names = [operation.name for operation in found]
    if len(set(names)) < len(names):
        raise ConfigurationError(f"operations={names} must have different names.")
    return found


_EXPECTED = (
    'a mapping such as {"insert": [range(20)]} or a sequence such as [("insert", range(20)), "clear"],'
    " of methods or functions, each with the options of its arguments"
)
_ARGUMENTS = 'each needs its own options, as in {"insert": [range(20), ["a", "b"]]} for two arguments'


def _sources_of(what: Any, sources: Any) -> Sequence[Source]:
    # A range, a text, an Enum or a function cannot be a list of options for several arguments.
    if isinstance(sources, range | str | EnumMeta) or _is_dynamic(sources):
        return (sources,)
    if isinstance(sources, Iterable):
        return tuple(sources)
    raise ConfigurationError(f"operation={what!r} has {sources!r} for its arguments: {_ARGUMENTS}.")


def _operation(entry: tuple[Any, ...]) -> Operation:
    what, *sources = entry
    name = what if isinstance(what, str) else getattr(what, "__name__", None)
    if name is None or not (isinstance(what, str) or callable(what)):
        raise ConfigurationError(f"operation={what!r} must be the name of a method, or a function.")
    for place, source in enumerate(sources):
        if _is_dynamic(source):
            continue
        try:
            number = len(as_sequence(source))
        except ChoiceError as error:
            raise ConfigurationError(
                f"operation={name!r} has {source!r} for argument {place}: {_ARGUMENTS}."
            ) from error
        if not number:
            raise ConfigurationError(f"operation={name!r} has no option for argument {place}: {source!r}.")
    return Operation(name, None if isinstance(what, str) else what, sources)


def _is_dynamic(source: Source) -> bool:
    return callable(source) and not isinstance(source, EnumMeta)


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function in messages and in written calls; a method's has its class in front."""
    name: str = getattr(function, "__qualname__", f"{type(function).__name__}_")
    # For a local function, only the part after the last <locals>: the rest cannot be imported.
    return name.rpartition("<locals>.")[2].replace("<lambda>", "lambda_")


def check_calls(given: Iterable[Call | Sequence[int]], operations: Sequence[Operation]) -> list[Call]:
    """Check recorded calls."""
    calls = []
    for entry in given:
        operation, places = entry if isinstance(entry, Call) else (entry[0], entry[1:])
        if not 0 <= operation < len(operations) or len(places) != len(operations[operation].sources):
            raise ReplayError(
                f"call={list(entry)!r} fits none of {operations}. It was recorded with other operations."
            )
        calls.append(Call(operation, tuple(places)))
    return calls
