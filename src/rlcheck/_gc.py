"""Hides objects from the garbage collector; only compiled code can, with the function in `_gc.pxd`."""

from __future__ import annotations


def untrack(thing: object) -> None:
    """Stop the collector from visiting an object that is never part of a cycle; plain Python does nothing."""
