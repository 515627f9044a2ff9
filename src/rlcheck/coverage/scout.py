"""Scout: finds the modules that decide whether an input is valid, by watching which functions are called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType

#: Modules that decide nothing: this package and the test runners. Nor does the standard library, except where
#: the precondition itself calls it.
_OTHERS = frozenset(("hypothesis", "rlcheck", "_pytest", "pluggy", "pytest"))


class Scout:
    """Records the modules whose functions are called inside a `with` block, unless a profiler is active.

    Args:
        roots: The modules of the precondition.
    """

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = list(roots)
        self._found: set[str] = set()
        self._on = False

    def __enter__(self) -> None:
        self._on = sys.getprofile() is None
        if self._on:
            sys.setprofile(self._note)

    def __exit__(self, *raised: object) -> None:
        if self._on:
            sys.setprofile(None)

    @property
    def modules(self) -> list[str]:
        """The modules of the precondition, and those that it called."""
        return self._roots + sorted(self._found.intersection(sys.modules).difference(self._roots))

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and name not in self._found and self._decides(name, frame.f_back):
            self._found.add(name)

    def _decides(self, name: str, caller: FrameType | None) -> bool:
        package = name.partition(".")[0]
        if package in _OTHERS or name.startswith("importlib"):
            return False
        if package == "__main__" or package not in sys.stdlib_module_names:
            return True
        by = None if caller is None else caller.f_globals.get("__name__")
        return by in self._roots or (by in self._found and str(by).partition(".")[0] == package)
