"""Loads what a target names: imports a file or a module, and finds a name in it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from rlcheck.errors import ConfigurationError, RlcheckError


def split(spec: str) -> tuple[str, str]:
    """The place and the name of `path/to/file.py::name` or `package.module:name`."""
    for mark in ("::", ":"):
        place, found, name = spec.rpartition(mark)
        if found and place and all(part.isidentifier() for part in name.split(".")):
            return place, name
    raise ConfigurationError(
        f"target={spec!r} must be path/to/file.py::name or package.module:name, where the name is that of a"
        " generator, an rlcheck.given test or a Hypothesis test."
    )


def import_place(spec: str, place: str) -> ModuleType:
    """Import a file or a module; any error becomes a clear one."""
    try:
        if not place.endswith(".py"):
            if os.getcwd() not in sys.path:
                sys.path.insert(0, os.getcwd())
            return importlib.import_module(place)
        if not os.path.isfile(place):
            raise ConfigurationError(f"target={spec!r}: there is no file {place}.")
        if Path(place).stem in sys.stdlib_module_names:
            raise ConfigurationError(
                f"target={spec!r}: {place} has the name of a module of the standard library, which other code"
                " imports. Rename the file."
            )
        return _import_file(Path(place))
    except RlcheckError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigurationError(
            f"target={spec!r} cannot be imported: {type(error).__name__}: {error}."
        ) from error


def find(module: ModuleType, name: str, what: str) -> Any:
    """The object that a dotted name stands for in a module."""
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            import difflib  # Slow to load, and needed only here.

            close = difflib.get_close_matches(name, [n for n in vars(module) if not n.startswith("_")], n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise ConfigurationError(f"{what!r}: {module.__name__} has no {name!r}.{hint}")
    return found


def _import_file(path: Path) -> ModuleType:
    folder = os.path.abspath(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    known = sys.modules.get(path.stem)
    file = getattr(known, "__file__", None) or ""  # A built-in module has none.
    if known is not None and os.path.realpath(file) == os.path.realpath(path):
        return known
    loader = importlib.util.spec_from_file_location(path.stem, path)
    assert loader is not None
    assert loader.loader is not None
    module = importlib.util.module_from_spec(loader)
    sys.modules.setdefault(path.stem, module)  # Data classes look up their module.
    try:
        loader.loader.exec_module(module)
    except BaseException:
        if sys.modules.get(path.stem) is module:
            del sys.modules[path.stem]
        raise
    return module
