"""Which modules decide whether an input is valid: while none is, new branches in them count as progress."""

from __future__ import annotations

import sys
from traceback import walk_tb
from typing import Any

from rlcheck.coverage import modules_of

#: Modules that decide nothing: Hypothesis, this package, and the standard library.
_OTHERS = {"hypothesis", "rlcheck", *sys.stdlib_module_names} - {"__main__"}


def modules_that_reject(error: BaseException) -> set[str]:
    """The modules of the functions that a rejection passed through, and of those that the last one names."""
    passed = [frame for frame, _ in walk_tb(error.__traceback__) if _decides(frame.f_globals.get("__name__"))]
    found = {frame.f_globals["__name__"] for frame in passed}
    if passed:
        last = passed[-1]
        found |= modules_that_decide(*map(last.f_globals.get, last.f_code.co_names))
    return found & sys.modules.keys()


def modules_that_decide(*objects: Any) -> set[str]:
    """The modules of the user's functions among some objects."""
    return set(filter(_decides, modules_of(*objects)))


def _decides(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] not in _OTHERS
