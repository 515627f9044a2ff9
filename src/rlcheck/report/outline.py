"""Outlines: nested values as trees of short labels, which a page can draw."""

from __future__ import annotations

from typing import Any

from rlcheck.contexts import parts_of
from rlcheck.failure import shown

#: The most nodes of an outline, the most levels, and the most characters of a label.
_NODES, _DEPTH, _LABEL = 60, 12, 24

#: The largest depth that is told, and how many values of a level are looked at.
_DEEPEST, _WIDEST = 100, 10_000

#: A label, and the outlines below it.
Outline = tuple[str, list[Any]]


def outline(value: Any) -> Outline | None:
    """A nested value as a tree; None if nothing is nested in it.

    What is not nested itself is part of the label: `(5, (2, None, None), None)` is 5 above 2.
    """
    budget = [_NODES]
    made = _outline(value, _DEPTH, budget)
    return made if made is not None and made[1] else None


def depth_of(value: Any, most: int = _DEEPEST) -> int:
    """How deep a value is nested: 0 for a plain one, 1 for a list of plain ones, and `most` at most."""
    depth = 0
    level = [value]
    while level and depth < most:
        parts = [parts_of(one) for one in level]
        level = [item for items in parts if items is not None for item in items][:_WIDEST]
        depth += any(items is not None for items in parts)
    return depth


def _outline(value: Any, depth: int, budget: list[int]) -> Outline | None:
    parts = parts_of(value)
    if parts is None or not budget[0]:
        return None
    budget[0] -= 1
    leaves: list[str] = []
    below: list[Outline] = []
    for item in parts:
        made = _outline(item, depth - 1, budget) if depth else None
        if made is not None:
            below.append(made)
        elif item is not None:
            leaves.append(shown(item))
    label = " ".join(leaves)
    return (label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"), below
