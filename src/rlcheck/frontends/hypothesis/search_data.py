"""The light data of a search: what a test case draws from when Hypothesis does not see it."""

from __future__ import annotations

from typing import Any

from rlcheck.frontends.hypothesis.internals import MAX_DEPTH, ConjectureData, unwrap_strategies


class SearchData(ConjectureData):
    """The data of a test case that Hypothesis does not see: without what only it needs.

    It keeps neither the spans nor the time of a draw, and has no observer.
    """

    def draw(self, strategy: Any, label: int | None = None, observe_as: str | None = None) -> Any:
        """Draw from a strategy, within a span."""
        strategy.validate()
        if strategy.is_empty:
            self.mark_invalid(f"empty strategy {strategy!r}")
        if self.depth >= MAX_DEPTH:
            self.mark_invalid("max depth exceeded")
        unwrapped: Any = unwrap_strategies(strategy)  # type: ignore[no-untyped-call]
        self.start_span(unwrapped.label if label is None else label)
        try:
            return unwrapped.do_draw(self)
        finally:
            self.stop_span()

    def start_span(self, label: int) -> None:
        """Begin a span."""
        self.provider.span_start(label)
        self.depth += 1

    def stop_span(self, *, discard: bool = False) -> None:
        """End a span."""
        self.provider.span_end(discard)
        if not self.frozen:
            self.depth -= 1
