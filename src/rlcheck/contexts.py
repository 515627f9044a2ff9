"""Contexts: what the next call on an object may depend on, read from the object itself.

`concrete` distinguishes objects by everything in them, `shape` by their structure alone, and `shape_members`
by their structure and the values they hold, wherever these are. One walk turns an object graph into text: the
parts of an object follow it, and an object that was visited before becomes a reference. So cycles end, shared
objects differ from copies, and the cost is linear, up to a limit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from rlcheck.coverage import Coverage

#: The most objects and values of an object graph that are visited.
LIMIT = 2_000

#: Plain values.
_VALUES = frozenset(
    (bool, int, float, complex, str, bytes, bytearray, range, type(...), type(NotImplemented))
)
#: Modules in C whose objects are plain values without attributes of their own.
_OF_VALUES = frozenset(("array", "datetime", "decimal"))
#: How objects of a type are walked.
_NONE, _VALUE, _SLOTS, _SEQUENCE, _MAPPING, _SET, _OBJECT, _OPAQUE = range(8)

_EMPTY: dict[str, Any] = {}

# For each type: how it is walked, its name, and the slots of its classes.
_kinds: dict[type, tuple[int, str, tuple[str, ...]]] = {type(None): (_NONE, "None", ())}


def concrete(thing: object, coverage: Coverage | None = None) -> Hashable:
    """All of an object: its structure, with every value where it stands.

    With a coverage, also how many branches the running test has taken.
    """
    return _with_count(" ".join(_walk(thing, None, in_place=True)), coverage)


def shape(thing: object, coverage: Coverage | None = None) -> Hashable:
    """The structure of an object, with values erased.

    With a coverage, also how many branches the running test has taken: ABP's ShapeCover.
    """
    return _with_count(" ".join(_walk(thing, None, in_place=False)), coverage)


def shape_members(thing: object, coverage: Coverage | None = None) -> Hashable:
    """The structure of an object, and which values it holds, but not where.

    With a coverage, also how many branches the running test has taken.
    """
    values: list[str] = []
    parts = _walk(thing, values, in_place=False)
    return _with_count(" ".join(parts) + " | " + " ".join(sorted(values)), coverage)


def parts_of(thing: object) -> list[Any] | None:
    """What an object consists of, in order; None for a plain value, and for what is not looked into."""
    kind, name, slots = _kinds.get(type(thing)) or _kind_of(type(thing))
    if kind in (_NONE, _VALUE, _OPAQUE):
        return None
    parts: list[Any] = []
    _enter(thing, kind, name, slots, parts)
    return parts[::-1]


def _with_count(context: str, coverage: Coverage | None) -> Hashable:
    return context if coverage is None else (context, len(coverage.counts))


def _walk(thing: object, values: list[str] | None, in_place: bool) -> list[str]:  # noqa: FBT001  # Compiled.
    """What an object consists of, in order; the values go into `values`, if given, or stand in place."""
    parts: list[str] = []
    seen: dict[int, int] = {}
    stack: list[Any] = [thing]
    limit = LIMIT
    while stack:
        thing = stack.pop()
        if len(parts) >= limit:
            parts.append("...")
            break
        kind, name, slots = _kinds.get(type(thing)) or _kind_of(type(thing))
        if kind == _NONE:
            parts.append(".")
        elif kind == _VALUE:
            if in_place:
                parts.append(repr(thing))
            else:
                parts.append("v")
                if values is not None:
                    values.append(repr(thing))
        elif (met := seen.get(id(thing))) is not None:
            parts.append(f"@{met}")
        else:
            seen[id(thing)] = len(seen)
            if kind == _SLOTS:  # Nodes of most containers: nothing else is looked for.
                parts.append(name)
                for slot in slots:
                    stack.append(getattr(thing, slot, None))  # noqa: PERF401  # Compiled: no list in between.
                continue
            parts.append(_enter(thing, kind, name, slots, stack))
    return parts


def _enter(thing: Any, kind: int, name: str, slots: tuple[str, ...], stack: list[Any]) -> str:
    """Put what an object consists of on the stack, the first on top; its name, with how much that is."""
    if kind == _OPAQUE:
        return name
    before = len(stack)
    stack.extend(reversed(getattr(thing, "__dict__", _EMPTY).values()))
    stack.extend([getattr(thing, slot, None) for slot in slots])
    if kind == _SEQUENCE:
        stack.extend(reversed(thing))
    elif kind == _MAPPING:
        for key, value in reversed(dict.items(thing)):
            stack.append(value)
            stack.append(key)
    elif kind == _SET:
        # The order of a set may differ between processes: only plain values are looked at, in theirs.
        stack.extend(sorted((element for element in thing if type(element) in _VALUES), key=repr))
        return f"{name}{len(thing)}:{len(stack) - before}"
    return f"{name}{len(stack) - before}"


def _kind_of(kind: type) -> tuple[int, str, tuple[str, ...]]:
    """What a type is walked as; found once for each type."""
    slots = tuple(slot for base in kind.__mro__ for slot in _slots_of(base))[::-1]
    if kind in _VALUES or kind.__module__ in _OF_VALUES or issubclass(kind, Enum):
        what = _VALUE
    elif issubclass(kind, list | tuple | deque):
        what = _SEQUENCE
    elif issubclass(kind, dict):
        what = _MAPPING
    elif issubclass(kind, set | frozenset):
        what = _SET
    elif issubclass(kind, type | ModuleType | FunctionType | BuiltinFunctionType | MethodType):
        what = _OPAQUE
    elif kind.__dictoffset__:
        what = _OBJECT
    else:
        what = _SLOTS if slots else _OPAQUE
    name = f"{kind.__name__}{len(slots)}" if what == _SLOTS else kind.__name__
    found = _kinds[kind] = (what, name, slots)
    return found


def _slots_of(kind: type) -> list[str]:
    slots = vars(kind).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    private = f"_{kind.__name__.lstrip('_')}"
    return [
        private + name if name.startswith("__") and not name.endswith("__") else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]
