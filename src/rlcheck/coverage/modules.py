"""Modules: finds those of a subject, and all functions that are alive."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any, TypeAlias

from rlcheck.errors import ConfigurationError

#: Modules or their names, or one of them.
Modules: TypeAlias = str | ModuleType | Iterable[str | ModuleType]


def modules_of(*functions: Callable[..., Any] | None) -> list[str]:
    """Return the modules that define functions, looking through decorators and partials."""
    found: list[str] = []
    for given in functions:
        function: Any = given
        while (inner := _under(function)) is not None:
            function = inner
        if isinstance(function, FunctionType) and function.__module__ in sys.modules:
            found.append(function.__module__)
    return list(dict.fromkeys(found))


def _under(function: Any) -> Any:
    """Return the function that a callable calls; None for a plain function, or if unknown."""
    if isinstance(function, FunctionType):
        return vars(function).get("__wrapped__")
    if isinstance(function, partial):
        return function.func
    if isinstance(function, MethodType):
        return function.__func__
    if hasattr(function, "__wrapped__"):  # functools.cache, and others in C.
        return function.__wrapped__
    call = type(function).__call__ if callable(function) else None
    return call if isinstance(call, FunctionType) else None


def imported(module: str | ModuleType) -> ModuleType:
    """Return a module, importing it if necessary."""
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


def all_functions() -> list[FunctionType]:
    """Return every Python function that is alive."""
    return [thing for thing in gc.get_objects() if type(thing) is FunctionType]
