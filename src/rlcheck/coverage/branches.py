"""Coverage: which branches of the subject each input takes, how often, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import ModuleType

from rlcheck.coverage.modules import Modules, imported
from rlcheck.coverage.notes import Combined, Counted, Ordered
from rlcheck.coverage.switch import Switch
from rlcheck.errors import ConfigurationError


class Coverage:
    """Records which branches of some modules are taken.

    It is on inside a `with` block. There, call `start` before each input and `stop` after it. A branch is a
    number; `where` returns its place in the source. Coverage changes the functions of these modules, and no
    others, in place while it is on.

    Args:
        modules: Modules or their names; a package stands for all of its modules that are imported.
        ordered: Whether to keep the order of the branches too. This costs more for each branch taken, and
            less for each branch there is.
        predicates: Whether to keep, at each branch of a function, the combination of the outcomes of its
            predicates; this implies `ordered`.
    """

    def __init__(self, modules: Modules, *, ordered: bool = False, predicates: bool = False) -> None:
        given: Iterable[str | ModuleType] = (modules,) if isinstance(modules, str | ModuleType) else modules
        #: The branches that some input took, and those that a valid input took.
        self.covered: set[int] = set()
        self.covered_valid: set[int] = set()
        # All pairs of `trace` that `is_new` has seen: the branch, and the power of two.
        self._pairs: set[tuple[int, int]] = set()
        #: How often the last input took each of its branches, by ascending number.
        self.counts: dict[int, int] = {}
        #: The combinations of predicates that some input met: each a branch, with bits above its number.
        self.combinations: set[int] = set()
        #: Whether the order of the branches is kept too.
        self.ordered = ordered or predicates
        #: Whether the branches of every input are recorded; if not, only of those that a learner looks at.
        self.whole = True
        self._notes: Counted | Ordered = (
            Combined(self.combinations) if predicates else Ordered() if ordered else Counted()
        )
        self._switch = Switch(
            [imported(module) for module in given],
            self._notes.of,
            marked="predicates" if predicates else "branches",
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
        return [module.__name__ for module in self._switch.given]

    @property
    def is_on(self) -> bool:
        """Whether branches are being recorded."""
        return self._switch.is_on

    @property
    def total(self) -> int:
        """How many branches the modules have, as far as they are imported."""
        return len(self._switch.places)

    @property
    def branches(self) -> frozenset[int]:
        """The branches that the last input took."""
        return frozenset(self.counts)

    @property
    def trace(self) -> frozenset[tuple[int, int]]:
        """The branches that the last input took, each with its count rounded down to a power of two."""
        return frozenset((branch, 1 << count.bit_length() - 1) for branch, count in self.counts.items())

    @property
    def path(self) -> list[int]:
        """The branches that the last input took, in order."""
        if isinstance(self._notes, Ordered):
            return self._notes.path
        raise ConfigurationError("the order of branches was not recorded. Use Coverage(..., ordered=True).")

    def where(self, branch: int) -> str:
        """Return the module and line of a branch."""
        module, line = self._switch.places[branch]
        return f"{module}:{line}"

    def on(self) -> None:
        """Start recording branches: the modules' functions now run a little slower."""
        self._switch.on()

    def off(self) -> None:
        """Restore the code of the functions."""
        self._switch.off()

    def pause(self) -> None:
        """Stop recording for a while; this is quicker than turning it off and on again."""
        self._switch.pause()

    def resume(self) -> None:
        """End a pause."""
        self._switch.resume()

    def start(self) -> None:
        """Begin an input."""
        self._notes.clear()
        self.counts = {}

    def advance(self) -> int:
        """Return how many branches were taken since the last call or `start` that no input took before."""
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
        """Return a hash of the branches since the last call of `advance` or `start`."""
        return self._notes.digest()

    def stop(self, *, valid: bool) -> int:
        """End an input, and return what `advance` returns."""
        new = self.advance()
        if valid:
            self.covered_valid.update(self.counts)
        return new

    def is_new(self) -> bool:
        """Return whether the last input took a new branch, or took a branch more often than any before.

        Call this once for each input: it remembers only inputs for which it was called.
        """
        known = len(self._pairs)
        self._pairs |= self.trace
        return len(self._pairs) > known
