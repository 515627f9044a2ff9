"""NewBranches: coverage that grows while the episode runs, as in adaptive random generation of operations."""

from __future__ import annotations

from typing import ClassVar

from rlcheck.episode import Episode


class NewBranches:
    """Each branch that no input took before is worth `each`, given before the choice that comes next.

    What the last choice led to, and what `valid` and `test` add, is given at the end. Whether the input is
    valid makes no difference.
    """

    coverage: ClassVar[str] = "path"

    def __init__(self, *, each: float = 1.0) -> None:
        self.each = each

    def step(self, new: int) -> float:
        """The worth of new branches since the last choice."""
        return self.each * new

    def __call__(self, episode: Episode) -> float:
        """The worth of new branches since the last choice."""
        return self.each * episode.new_branches
