"""Policies: what a campaign learned, kept as valid choice sequences that a later one imitates.

Plain JSON: loading a file never runs code. Sequences outlive a change of learner, of its parameters and of
the names of choice points, which rows of a table do not.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rlcheck.errors import ConfigurationError

_FORMAT = "rlcheck policy"
_VERSION = 1


class PolicyWarning(UserWarning):
    """A policy file could not be used: the campaign starts cold."""


def save_policy(path: str | os.PathLike[str], examples: Iterable[Sequence[int]]) -> None:
    """Write a policy; an earlier file is replaced whole or not at all."""
    import json  # Slow to load, and needed only here.

    target = Path(path)
    data = {"format": _FORMAT, "version": _VERSION, "examples": [list(example) for example in examples]}
    draft = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(json.dumps(data), encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def load_policy(path: str | os.PathLike[str]) -> list[list[int]]:
    """The examples of a policy; none, with a warning, when the file cannot be used."""
    import json  # Slow to load, and needed only here.

    try:
        data: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise ValueError("it is not an rlcheck policy")
        if data.get("version") != _VERSION:
            raise ValueError(f"it has version {data.get('version')!r}, and this rlcheck reads {_VERSION}")
        examples = data.get("examples")
        if not isinstance(examples, list):
            raise ValueError("it has no list of examples")
        return [check_choices(example) for example in examples]
    except (OSError, ValueError, RecursionError) as error:
        warnings.warn(
            f"policy={os.fspath(path)!r} cannot be used: {error}. The campaign starts cold;"
            " campaign.save() replaces the file.",
            PolicyWarning,
            stacklevel=3,
        )
        return []


def check_choices(example: Sequence[int]) -> list[int]:
    """A choice sequence as a list, or a clear error."""
    whole = isinstance(example, list | tuple) and all(
        isinstance(index, int) and not isinstance(index, bool) and index >= 0 for index in example
    )
    if not whole:
        raise ConfigurationError(f"example={example!r} must be a list of indices: integers of at least 0.")
    return list(example)
