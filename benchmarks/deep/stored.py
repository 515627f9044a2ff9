"""Adds runs to the stored ones: those of the same rows make room, the others stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import store


def add(name: str, runs: Sequence[dict[str, Any]], folder: Path | None = None) -> Path:
    """Put runs into `deep/<name>.jsonl` of a folder, by default that of all results."""
    name = f"deep/{name}"
    made = {run["row"] for run in runs}
    stored = ((store.RESULTS if folder is None else folder) / f"{name}.jsonl").exists()
    others = [run for run in store.read(name, folder) if run["row"] not in made] if stored else []
    return store.write(name, [*others, *runs], folder)
