"""Coverage: which branches of the subject each input takes, how often, and in which order.

Only functions of the modules asked for are changed, in place and only while it is on: references to them
stay good, and what is off costs nothing.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import compress
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from rlcheck.errors import ConfigurationError

if TYPE_CHECKING:
    from rlcheck.instrument import Instrumented

#: The most that is counted of one branch in one input.
MOST = 2**16
#: The longest path: of an input that takes more branches, the last ones count. It bounds the memory to 32 MB.
LONGEST = 2**22

# What of a note is the number of the branch, as in `instrument`, which is slow to load.
_BRANCH = 2**24 - 1

#: Modules or their names, or one of them.
Modules: TypeAlias = str | ModuleType | Iterable[str | ModuleType]

# Who takes the coverage of a module just now: two at once would restore each other's changes.
_owners: dict[str, Coverage] = {}


class Coverage:
    """Notes which branches of some modules are taken.

    It is on inside a `with` block, where `start` and `stop` stand around each input. A branch is a number;
    `where` says what it stands for.

    Args:
        modules: Modules or their names; a package stands for all that is imported of it.
        ordered: Whether the order of the branches is kept too. It costs more for each branch that is taken,
            and less for each branch there is.
        predicates: Whether the combinations of a function's predicates at each of its branches are kept too;
            then the order is.
    """

    def __init__(self, modules: Modules, *, ordered: bool = False, predicates: bool = False) -> None:
        given: Iterable[str | ModuleType] = (modules,) if isinstance(modules, str | ModuleType) else modules
        self._given = [_imported(module) for module in given]
        #: The branches that some input took, and those that a valid input took.
        self.covered: set[int] = set()
        self.covered_valid: set[int] = set()
        # All pairs of `trace`, once `is_new` was asked: the branch, and the power of two.
        self._pairs: set[tuple[int, int]] = set()
        #: How often the last input took each of its branches, in the order of their numbers.
        self.counts: dict[int, int] = {}
        #: The combinations of predicates that some input met: each a branch, with bits above its number.
        self.combinations: set[int] = set()
        #: Whether the order of the branches is kept too.
        self.ordered = ordered or predicates
        #: Whether all inputs are noted; else those alone that a learner looks at.
        self.whole = True
        #: Whether none is noted just now, though it is on.
        self.paused = False
        self._predicates = predicates
        self._notes: _Counted | _Ordered = (
            _Combined(self.combinations) if predicates else _Ordered() if ordered else _Counted()
        )
        # The code of each source, and the module and line of each branch.
        self._sources: dict[tuple[str, str], Instrumented | None] = {}
        self._places: list[tuple[str, int]] = []
        # While it is on: whose code was changed, what it was, and what it is.
        self._changed: list[tuple[FunctionType, CodeType, CodeType]] = []
        for module in self._given:
            self._check_free(module)
            if not self._functions(self._modules([module])):
                raise ConfigurationError(
                    f"coverage={module.__name__!r} has no Python function whose source can be read."
                    " Give a module that is written in Python."
                )

    def __repr__(self) -> str:
        return f"<Coverage of {', '.join(self.modules)}: {self}>"

    def __str__(self) -> str:
        least = "" if self.whole else "at least "
        return f"{least}{len(self.covered):,} branches covered, {len(self.covered_valid):,} by valid inputs"

    def __enter__(self) -> Coverage:
        self.on()
        return self

    def __exit__(self, *raised: object) -> None:
        self.off()

    @property
    def modules(self) -> list[str]:
        """The names of the modules that were asked for."""
        return [module.__name__ for module in self._given]

    @property
    def is_on(self) -> bool:
        """Whether branches are being noted."""
        return any(owner is self for owner in _owners.values())

    @property
    def total(self) -> int:
        """How many branches the modules have, as far as they are imported."""
        return len(self._places)

    @property
    def branches(self) -> frozenset[int]:
        """The branches that the last input took."""
        return frozenset(self.counts)

    @property
    def trace(self) -> frozenset[tuple[int, int]]:
        """The branches that the last input took, each with how often, to the power of two below."""
        return frozenset((branch, 1 << count.bit_length() - 1) for branch, count in self.counts.items())

    @property
    def path(self) -> list[int]:
        """The branches that the last input took, in order."""
        if isinstance(self._notes, _Ordered):
            return self._notes.path
        raise ConfigurationError(
            "the order of branches was not kept. Ask for it: Coverage(..., ordered=True)."
        )

    def where(self, branch: int) -> str:
        """The module and line of a branch."""
        module, line = self._places[branch]
        return f"{module}:{line}"

    def on(self) -> None:
        """Begin to note branches: from here on, the modules' functions run a little slower."""
        if self.is_on:
            return
        modules = self._modules(self._given)
        for module in modules.values():
            self._check_free(module)
        _owners.update({module.__name__: self for module in modules.values()})
        for function, code in self._functions(modules):
            self._changed.append((function, function.__code__, code))
            function.__code__ = code

    def off(self) -> None:
        """Give the functions their own code back."""
        self.pause()
        self._changed, self.paused = [], False
        plain: dict[int, CodeType] = {}
        for instrumented in self._sources.values():
            if instrumented is not None:
                plain |= instrumented.plain
        for function in _all_functions():  # Those that were made while it was on.
            code_before = plain.get(id(function.__code__))
            if code_before is not None:
                function.__code__ = code_before
        for name in [name for name, owner in _owners.items() if owner is self]:
            del _owners[name]

    def pause(self) -> None:
        """Note no branches for a while: quicker than to turn it off and on, which looks for functions."""
        if not self.paused:
            self.paused = True
            for function, plain, _ in self._changed:
                function.__code__ = plain

    def resume(self) -> None:
        """Note branches again."""
        if self.paused:
            self.paused = False
            for function, _, noting in self._changed:
                function.__code__ = noting

    def start(self) -> None:
        """Begin an input."""
        self._notes.clear()
        self.counts = {}

    def advance(self) -> int:
        """How many branches were taken since the last call, or the start, that no input took before."""
        taken = self._notes.take()
        if self.counts:
            total = Counter(self.counts)
            total.update(taken)
            self.counts = dict(sorted(total.items()))
        else:
            self.counts = taken
        known = len(self.covered)
        self.covered.update(taken)
        return len(self.covered) - known

    def digest(self) -> int:
        """What was noted since the last call of `advance`, or the start: equal for what took the same way."""
        return self._notes.digest()

    def stop(self, *, valid: bool) -> int:
        """End an input, and say what `advance` says."""
        new = self.advance()
        if valid:
            self.covered_valid.update(self.counts)
        return new

    def is_new(self) -> bool:
        """Whether the last input took a branch that none before it took, or none so often.

        It is to be asked once for each input: those that are not asked for are not remembered.
        """
        known = len(self._pairs)
        self._pairs |= self.trace
        return len(self._pairs) > known

    def _check_free(self, module: ModuleType) -> None:
        if _owners.get(module.__name__, self) is not self:
            raise ConfigurationError(
                f"coverage={module.__name__!r} is being taken by another campaign or Coverage."
                " Run one after the other, or in processes of their own."
            )

    def _modules(self, given: Iterable[ModuleType]) -> dict[int, ModuleType]:
        """The modules given and those in packages given, by the id of their namespace."""
        names = {module.__name__ for module in given}
        packages = tuple(f"{module.__name__}." for module in given if hasattr(module, "__path__"))
        return {
            id(vars(module)): module
            for name, module in sys.modules.copy().items()
            if (name in names or name.startswith(packages)) and isinstance(module, ModuleType)
        }

    def _functions(self, modules: dict[int, ModuleType]) -> list[tuple[FunctionType, CodeType]]:
        """The functions of modules, each with the code that notes its branches."""
        by_source: dict[tuple[str, str], list[FunctionType]] = {}
        namespaces: dict[str, dict[str, Any]] = {}
        for function in _all_functions():
            module = modules.get(id(function.__globals__))
            if module is not None:
                namespaces[module.__name__] = vars(module)
                source = module.__name__, function.__code__.co_filename
                by_source.setdefault(source, []).append(function)
        found = []
        for source in sorted(by_source):  # Numbers are the same in every process.
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

        from rlcheck.instrument import Instrumented

        if filename.startswith("<") and "__file__" in namespace:
            return None  # Made by a decorator, as the methods of a dataclass are.
        text = "".join(linecache.getlines(filename, namespace))
        try:
            instrumented = Instrumented(
                text, filename, self._notes.of, first=len(self._places), predicates=self._predicates
            )
        except (SyntaxError, ValueError, RecursionError):
            return None  # No Python, or not as plain text.
        self._places.extend((module, line) for line in instrumented.lines)
        return instrumented


class _Counted:
    """Branches without their order: one queue for each, whose length is how often it was taken."""

    def __init__(self) -> None:
        self._queues: list[deque[int]] = []
        self._numbers: list[int] = []

    def of(self, branch: int) -> Callable[[int], None]:
        """What notes a branch."""
        while len(self._queues) <= branch:
            self._numbers.append(len(self._queues))
            self._queues.append(deque(maxlen=MOST))
        return self._queues[branch].append

    def take(self) -> dict[int, int]:
        """How often each branch was taken since the last time, in the order of their numbers."""
        # All loops are in C: there may be thousands of branches, and this is done after each input.
        taken = list(compress(self._queues, self._queues))
        counts = dict(zip(compress(self._numbers, self._queues), map(len, taken), strict=False))
        for queue in taken:
            queue.clear()
        return counts

    def digest(self) -> int:
        """A hash of what was noted since the last time."""
        return hash(tuple(map(len, self._queues)))

    def clear(self) -> None:
        """Forget what was noted."""
        for queue in compress(self._queues, self._queues):
            queue.clear()


class _Ordered:
    """Branches in the order in which they were taken: one queue for all."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self._queue: deque[int] = deque(maxlen=LONGEST)

    def of(self, branch: int) -> Callable[[int], None]:
        """What notes a branch."""
        return self._queue.append

    def take(self) -> dict[int, int]:
        """How often each branch was taken since the last time, in the order of their numbers."""
        taken = self._branches()
        self._queue.clear()
        self.path = (self.path + taken)[-LONGEST:] if self.path else taken
        return dict(sorted(Counter(taken).items()))

    def digest(self) -> int:
        """A hash of what was noted since the last time."""
        return hash(tuple(self._queue))

    def clear(self) -> None:
        """Forget what was noted."""
        self.path = []
        self._queue.clear()

    def _branches(self) -> list[int]:
        return list(self._queue)


class _Combined(_Ordered):
    """Branches in their order, and the combinations of predicates that were met at them."""

    def __init__(self, met: set[int]) -> None:
        super().__init__()
        self._met = met

    def _branches(self) -> list[int]:
        self._met.update(self._queue)
        return [noted & _BRANCH for noted in self._queue]


def modules_of(*functions: Callable[..., Any] | None) -> list[str]:
    """The modules in which functions were written, those that stand under decorators and partials too."""
    found: list[str] = []
    for given in functions:
        function: Any = given
        while (inner := _under(function)) is not None:
            function = inner
        if isinstance(function, FunctionType) and function.__module__ in sys.modules:
            found.append(function.__module__)
    return list(dict.fromkeys(found))


def _under(function: Any) -> Any:
    """What a callable calls; None for a plain function, or when there is no telling."""
    if isinstance(function, FunctionType):
        return getattr(function, "__wrapped__", None)
    if isinstance(function, partial):
        return function.func
    if isinstance(function, MethodType):
        return function.__func__
    if hasattr(function, "__wrapped__"):  # functools.cache, and others in C.
        return function.__wrapped__
    call = type(function).__call__ if callable(function) else None
    return call if isinstance(call, FunctionType) else None


def _imported(module: str | ModuleType) -> ModuleType:
    if isinstance(module, ModuleType):
        return module
    if not isinstance(module, str):
        raise ConfigurationError(f"coverage={module!r} must be a module or the name of one.")
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigurationError(
            f"coverage={module!r} cannot be imported: {error}. Give modules, or names as in an import."
        ) from error


def _all_functions() -> list[FunctionType]:
    return [thing for thing in gc.get_objects() if type(thing) is FunctionType]
