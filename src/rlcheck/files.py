"""Files that rlcheck writes: replaced as a whole or not at all, and marked with their kind and version."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

#: A path, as `open` takes it.
PathLike: TypeAlias = str | os.PathLike[str]


def write_file(path: PathLike, content: str | bytes | Callable[[Path], None]) -> None:
    """Write a file; an earlier one is replaced as a whole or not at all.

    Args:
        path: Where; folders are made.
        content: Text, bytes, or a function that writes to a path.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        if isinstance(content, str):
            draft.write_text(content, encoding="utf-8")
        elif isinstance(content, bytes):
            draft.write_bytes(content)
        else:
            content(draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def read_text(path: PathLike, *, largest: int) -> str:
    """The text of a file; raises ValueError if it has more bytes than `largest`."""
    if Path(path).stat().st_size > largest:
        raise ValueError(f"it has more than {largest:,} bytes")
    return Path(path).read_text(encoding="utf-8")


def header(kind: str, version: int) -> dict[str, Any]:
    """The first entries of a file."""
    return {"rlcheck": kind, "version": version}


def check_header(found: Any, kind: str, version: int) -> dict[str, Any]:
    """Return the entries of a file if they are of this kind and version; raise ValueError otherwise."""
    entries = found if isinstance(found, dict) else {}
    marks = {name: entries.get(name) for name in ("rlcheck", "format", "version")}
    if not all(mark is None or isinstance(mark, str | int) for mark in marks.values()):
        raise ValueError("it is damaged")  # A tensor compares with nothing.
    # Policies and checkpoints were once marked by their format.
    if marks["rlcheck"] != kind and marks["format"] != f"rlcheck {kind}":
        raise ValueError(f"it is not a file of rlcheck, or not of the kind {kind!r}")
    if marks["version"] != version:
        raise ValueError(f"it has version {marks['version']!r:.80}, and this rlcheck reads {version}")
    return entries
