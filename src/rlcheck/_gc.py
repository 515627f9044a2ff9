"""What the garbage collector need not look at. Compiled, the file beside this one does it; plain, nobody."""

from __future__ import annotations


def untrack(thing: object) -> None:
    """Take an object from the collector's sight: it is never part of a cycle."""
