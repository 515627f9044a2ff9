"""Jupyter notebooks, which nbformat has to find valid. None is at random."""

from __future__ import annotations

from functools import cache
from typing import Any

from benchmarks.subjects.subject import Subject
from rlcheck import Coverage
from rlcheck.generators import Choose

_SCALARS = [0, 1, 3, 4, 5, "", "a", "code", "markdown", "stdout", None, True]
_CELL_KEYS = ["cell_type", "metadata", "source", "outputs", "execution_count", "id", "attachments"]
_OUTPUT_KEYS = [
    "output_type",
    "name",
    "text",
    "data",
    "metadata",
    "execution_count",
    "ename",
    "evalue",
    "traceback",
]


def notebook(choose: Choose) -> dict[str, Any]:
    """Any of the top-level keys."""
    made: dict[str, Any] = {}
    for key in ("nbformat", "nbformat_minor", "metadata", "cells"):
        if choose([True, False]):
            made[key] = value(choose, key)
    return made


def value(choose: Choose, key: str, depth: int = 0) -> Any:
    """What may stand at a key, or any scalar, or any collection."""
    kind = choose(["scalar", "word", "list", "map", "cell", "output"] if depth < 3 else ["scalar", "word"])
    if kind == "scalar":
        return choose(_SCALARS)
    if kind == "word":
        return choose(
            ["code", "raw", "markdown", "stream", "display_data", "execute_result", "error", "stderr"]
        )
    if kind == "list":
        return [value(choose, key, depth + 1) for _ in range(choose(range(4)))]
    if kind == "map":
        return {choose(["text/plain", "name", "tags"]): choose(_SCALARS) for _ in range(choose(range(3)))}
    keys = _CELL_KEYS if kind == "cell" else _OUTPUT_KEYS
    return {inner: value(choose, inner, depth + 1) for inner in keys if choose([True, False])}


@cache
def _validator() -> Any:
    from nbformat import validator

    return validator


def is_notebook(made: dict[str, Any]) -> bool:
    """Whether it is one of version 4 that holds a cell."""
    if made.get("nbformat") != 4 or not made.get("cells"):
        return False
    return next(_validator().iter_validate(made, version=4, version_minor=5), None) is None


SUBJECTS = (
    Subject(
        "nbformat",
        notebook,
        is_notebook,
        coverage=lambda: Coverage(("nbformat.validator", "jsonschema")),
        needs=("nbformat",),
    ),
)
