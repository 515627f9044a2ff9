"""The light data of a search: what a test case draws from when Hypothesis does not see it."""

from __future__ import annotations

from typing import Any

from rlcheck.frontends.hypothesis.internals import (
    MAX_DEPTH,
    ConjectureData,
    SampledFromStrategy,
    unwrap_strategies,
)

#: How many strategies are remembered: some tests make new ones in every test case.
_MOST = 1_000


class Strategies:
    """Strategies without their wrappers, by the identity of the wrapped ones."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}

    def get(self, identity: int) -> Any:
        """Return a strategy that is known, or None."""
        known = self._known.get(identity)
        return None if known is None else known[1]

    def add(self, strategy: Any, unwrapped: Any) -> None:
        """Remember a strategy; it is kept, so that its identity is never another's."""
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[id(strategy)] = strategy, unwrapped


class SearchData(ConjectureData):
    """The data of a test case that Hypothesis does not see: without what only it needs.

    It keeps neither the spans nor the time of a draw, and has no observer. It draws from our own provider.
    """

    provider: Any

    def draw(self, strategy: Any, label: int | None = None, observe_as: str | None = None) -> Any:
        """Draw from a strategy, within a span."""
        if self.depth >= MAX_DEPTH:
            self.mark_invalid("max depth exceeded")
        known = self.provider.strategies.get(id(strategy))
        if known is None:
            known = self._look_at(strategy)
        self.start_span(known.label if label is None else label)
        try:
            return known.do_draw(self)
        finally:
            self.stop_span()

    def _look_at(self, strategy: Any) -> Any:
        """Return a strategy without its wrappers; remember it, since these are slow to take off."""
        strategy.validate()
        if strategy.is_empty:
            self.mark_invalid(f"empty strategy {strategy!r}")
        unwrapped: Any = unwrap_strategies(strategy)  # type: ignore[no-untyped-call]
        if isinstance(unwrapped, SampledFromStrategy):
            self.provider.sample_from(unwrapped.label, unwrapped.elements)
        self.provider.strategies.add(strategy, unwrapped)
        return unwrapped

    def start_span(self, label: int) -> None:
        """Begin a span."""
        self.provider.span_start(label)
        self.depth += 1

    def stop_span(self, *, discard: bool = False) -> None:
        """End a span."""
        self.provider.span_end(discard)
        if not self.frozen:
            self.depth -= 1
