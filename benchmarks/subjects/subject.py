"""Subject: a program, and a naive generator of inputs for it, the same for every method."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlcheck import Coverage
from rlcheck.generators import Generator


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested. The generator knows nothing of what is valid, and gives no states."""

    name: str
    generator: Generator[Any]
    #: Whether the program accepts an input; anything that it raises is a fault.
    accepts: Callable[[Any], bool]
    #: Notes its branches; None for a compiled one.
    coverage: Callable[[], Coverage] | None = None
    #: Of one without branches: what makes two accepted inputs the same.
    structure: Callable[[Any], Hashable] | None = None
    #: Python packages and files without which it cannot run.
    needs: tuple[str | Path, ...] = ()

    @property
    def missing(self) -> list[str]:
        """What it needs that is not there."""
        return [
            str(need)
            for need in self.needs
            if not (need.exists() if isinstance(need, Path) else find_spec(need))
        ]
