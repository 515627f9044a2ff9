"""Summary: what a campaign has done so far."""

from __future__ import annotations

from rlcheck.coverage import Coverage
from rlcheck.failure import Failure, describe, shown
from rlcheck.reasons import Reasons
from rlcheck.shapes import Shapes

#: How many reasons are shown, and how many characters of the choices of an example.
_REASONS, _CHOICES = 5, 60


class Summary:
    """What a campaign has done so far."""

    __slots__ = (
        *("_shapes", "coverage", "episodes", "failures", "note", "overruns"),
        *("reasons", "seconds", "seed", "stopped", "unique_valid", "valid"),
    )

    def __init__(self, seed: int, shapes: Shapes) -> None:
        self._shapes = shapes
        self.seed = seed
        self.episodes = 0
        #: Inputs that passed the precondition, including failing ones.
        self.valid = 0
        #: Valid inputs with a characteristic that no earlier one had.
        self.unique_valid = 0
        #: Episodes cut off at `max_choices`; they are invalid.
        self.overruns = 0
        self.failures: list[Failure] = []
        #: Why inputs were rejected.
        self.reasons = Reasons()
        self.seconds = 0.0
        #: Why the last run ended: "episodes", "seconds", "exhausted", "failure", "asked" or
        #: "interrupted".
        self.stopped = ""
        #: Which branches were covered, if the user asked for it.
        self.coverage: Coverage | None = None
        #: What the campaign decided by itself.
        self.note = ""

    @property
    def shapes(self) -> int:
        """How many different shapes the valid inputs had: structures, with leaf values erased."""
        return len(self._shapes)

    @property
    def effective_shapes(self) -> float:
        """How many shapes there would be if all were equally frequent: the exponential of their entropy."""
        return self._shapes.effective

    def __repr__(self) -> str:
        return f"<Summary {self}>"

    def __str__(self) -> str:
        rate = self.episodes / self.seconds if self.seconds else 0.0
        share = self.valid / self.episodes if self.episodes else 0.0
        text = (
            f"{self.episodes:,} inputs in {self.seconds:.1f} s ({rate:,.0f}/s): {self.valid:,} valid"
            f" ({share:.0%}), {self.unique_valid:,} unique valid, {self.shapes:,} shapes"
            f" ({self.effective_shapes:,.0f} effective); seed {self.seed}"
        )
        if self.overruns:
            text += f"; {self.overruns:,} overran max_choices"
        if self.coverage is not None:
            text += f"; {self.coverage}"
        if self.note:
            text += f"; {self.note}"
        if self.reasons and not self.valid:
            text += f"; the closest misses:\n{self.misses()}"
        return "\n".join([text, *map(describe, self.failures)])

    def misses(self) -> str:
        """Return the most frequent reasons for rejections as text, one on each line."""
        return "\n".join(
            f"  {count:,} x {reason} (such as the choices {shown(choices)[:_CHOICES]})"
            for reason, count, choices in self.reasons.most_common(_REASONS)
        )
