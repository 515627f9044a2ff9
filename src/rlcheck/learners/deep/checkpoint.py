"""Checkpoints: files with what a deep learner has learned, as tensors and plain data only.

Loading never runs code: PyTorch reads the file with `weights_only=True`.
"""

from __future__ import annotations

import os
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from rlcheck.errors import ConfigurationError
from rlcheck.files import check_header, header, write_file

_VERSION = 1
_PLAIN = (str, int, float, bool, type(None))


def save(path: str | os.PathLike[str], kind: str, data: dict[str, Any]) -> None:
    """Write a checkpoint; an earlier file is replaced as a whole or not at all."""
    write_file(path, partial(torch.save, {**header(kind, _VERSION), **data}))


def load(path: str | os.PathLike[str], kind: str, device: torch.device) -> dict[str, Any]:
    """Read a checkpoint of a kind of learner."""
    try:
        content = BytesIO(Path(path).read_bytes())
    except OSError as error:
        raise unusable(path, kind, str(error)) from error
    try:
        data = torch.load(content, map_location=device, weights_only=True)
    except Exception as error:  # PyTorch raises whatever a damaged file makes it raise, an OSError too.
        raise unusable(path, kind, "it is damaged, or no checkpoint") from error
    try:
        return check_header(data, kind, _VERSION)
    except ValueError as error:
        raise unusable(path, kind, str(error)) from error


def unusable(path: str | os.PathLike[str], kind: str, why: str) -> ConfigurationError:
    """The error for a file that cannot be loaded."""
    return ConfigurationError(
        f"path={os.fspath(path)!r} cannot be loaded: {why}. Give a file that a learner {kind!r} saved."
    )


def plain(labels: dict[Any, int]) -> list[Any]:
    """Return labels in the order of their numbers; None replaces a label that is not plain data."""
    return [label if _is_plain(label) else None for label in labels]


def _is_plain(label: Any) -> bool:
    return isinstance(label, _PLAIN) or (isinstance(label, tuple) and all(map(_is_plain, label)))
