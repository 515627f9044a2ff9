"""Switch: replaces the code of some modules' functions by instrumented code, and restores it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rlcheck.coverage.modules import all_functions
from rlcheck.errors import ConfigurationError

if TYPE_CHECKING:
    from rlcheck.coverage.instrument import Instrumented, Marker

#: What the instrumented code records.
Marked: TypeAlias = Literal["branches", "predicates", "comparisons"]

# Which switch changed a module: two at once would restore each other's changes.
_owners: dict[str, Switch] = {}


class Switch:
    """Changes functions in place, so that references to them remain valid; when off, it costs nothing.

    Args:
        given: The modules.
        note: Returns the function that records a branch, given its number.
        marked: What to record: branches alone, or with predicates or comparisons.
        whole: Whether a package stands for all of its imported modules, or for its own functions only.
    """

    def __init__(
        self,
        given: list[ModuleType],
        note: Callable[[int], Callable[..., Any]],
        *,
        marked: Marked = "branches",
        whole: bool = True,
    ) -> None:
        self.given = given
        #: The module and line of each branch, by its number.
        self.places: list[tuple[str, int]] = []
        #: The file of each branch, and the columns where it begins and ends.
        self.spots: list[tuple[str, int, int]] = []
        #: Whether functions have their original code for a while, although the switch is on.
        self.paused = False
        self._note = note
        self._marked = marked
        self._whole = whole
        # The instrumented code of each source; None if the source cannot be read.
        self._sources: dict[tuple[str, str], Instrumented | None] = {}
        # While it is on: each changed function, its original code, and its instrumented code.
        self._changed: list[tuple[FunctionType, CodeType, CodeType]] = []
        for module in given:
            self._check_free(module)
            if whole and not self._functions(self._modules([module])):
                raise ConfigurationError(
                    f"coverage={module.__name__!r} has no Python function whose source can be read."
                    " Give a module that is written in Python."
                )

    @property
    def is_on(self) -> bool:
        """Whether functions record their branches."""
        return any(owner is self for owner in _owners.values())

    def on(self) -> None:
        """Make the functions record their branches."""
        if self.is_on:
            return
        modules = self._modules(self.given)
        for module in modules.values():
            self._check_free(module)
        _owners.update({module.__name__: self for module in modules.values()})
        for function, code in self._functions(modules):
            self._changed.append((function, function.__code__, code))
            function.__code__ = code

    def off(self) -> None:
        """Restore the code of the functions."""
        self.pause()
        self._changed, self.paused = [], False
        plain: dict[int, CodeType] = {}
        for instrumented in self._sources.values():
            if instrumented is not None:
                plain |= instrumented.plain
        for function in all_functions():  # Including those created while it was on.
            code_before = plain.get(id(function.__code__))
            if code_before is not None:
                function.__code__ = code_before
        for name in [name for name, owner in _owners.items() if owner is self]:
            del _owners[name]

    def pause(self) -> None:
        """Stop recording for a while; this is quicker than `off` and `on`, which search for functions."""
        if not self.paused:
            self.paused = True
            for function, plain, _ in self._changed:
                function.__code__ = plain

    def resume(self) -> None:
        """End a pause."""
        if self.paused:
            self.paused = False
            for function, _, noting in self._changed:
                function.__code__ = noting

    def _check_free(self, module: ModuleType) -> None:
        if _owners.get(module.__name__, self) is not self:
            raise ConfigurationError(
                f"coverage={module.__name__!r} is in use by another campaign or Coverage."
                " Run them one after the other, or in separate processes."
            )

    def _modules(self, given: Iterable[ModuleType]) -> dict[int, ModuleType]:
        """Return the given modules, and those of given packages, by the id of their namespace."""
        names = {module.__name__ for module in given}
        packages = tuple(
            f"{module.__name__}." for module in given if self._whole and "__path__" in vars(module)
        )
        return {
            id(vars(module)): module
            for name, module in sys.modules.copy().items()
            if (name in names or name.startswith(packages)) and isinstance(module, ModuleType)
        }

    def _functions(self, modules: dict[int, ModuleType]) -> list[tuple[FunctionType, CodeType]]:
        """Return the functions of modules, each with its instrumented code."""
        by_source: dict[tuple[str, str], list[FunctionType]] = {}
        namespaces: dict[str, dict[str, Any]] = {}
        for function in all_functions():
            module = modules.get(id(function.__globals__))
            if module is not None:
                namespaces[module.__name__] = vars(module)
                source = module.__name__, function.__code__.co_filename
                by_source.setdefault(source, []).append(function)
        found = []
        for source in sorted(by_source):  # So that numbers are the same in every process.
            if source not in self._sources:
                self._sources[source] = self._instrument(*source, namespaces[source[0]])
            instrumented = self._sources[source]
            for function in by_source[source] if instrumented is not None else ():
                code = instrumented.noting(function.__code__)  # type: ignore[union-attr]
                if code is not None:
                    found.append((function, code))
        return found

    def _instrument(self, module: str, filename: str, namespace: dict[str, Any]) -> Instrumented | None:
        import linecache  # Slow to load, and needed only here.

        from rlcheck.coverage.instrument import Instrumented

        if filename.startswith("<") and "__file__" in namespace:
            return None  # Made by a decorator, as the methods of a dataclass are.
        text = "".join(linecache.getlines(filename, namespace))
        try:
            instrumented = Instrumented(
                text, filename, self._note, first=len(self.places), marker=_marker(self._marked)
            )
        except (SyntaxError, ValueError, RecursionError):
            return None  # It is not Python, or not plain text.
        self.places.extend((module, line) for line in instrumented.lines)
        self.spots.extend((filename, *columns) for columns in instrumented.columns)
        return instrumented


def _marker(marked: Marked) -> Callable[[int], Marker]:
    """Return the transformer; its module is slow to load."""
    if marked == "predicates":
        from rlcheck.coverage.predicates import PredicateMarker

        return PredicateMarker
    if marked == "comparisons":
        from rlcheck.coverage.compare import ComparisonMarker

        return ComparisonMarker
    from rlcheck.coverage.instrument import Marker

    return Marker
