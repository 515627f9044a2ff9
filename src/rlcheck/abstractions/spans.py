"""Spans: frames that a front end names, for generators that are not one function per frame.

Like `Frames`, with four differences. A frame begins with its first choice, so frames that only pass a choice
on do not appear. Its first choice always stays in the state. When it ends, the enclosing frame keeps that
choice, so a list knows its elements. And a front end may add a context: what it knows about the state of the
subject.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import FrameType

from rlcheck.abilities import AbstractionBase
from rlcheck.checks import check_integer
from rlcheck.choice import ChoicePoint
from rlcheck.states import FINISHED, KnownState, OpenSpan, Place, States


class _Span:
    """An open frame; its state is None until it has made a choice."""

    __slots__ = ("choices", "first", "label", "opened", "outside", "state")

    def __init__(self, label: Hashable) -> None:
        self.label = label
        self.state: KnownState | None = None
        self.outside: tuple[KnownState, ...] = ()
        self.choices = 0
        self.first = 0
        self.opened: OpenSpan | None = None


class Spans(AbstractionBase):
    """The open spans and their choices: a state is the place of a choice in them.

    Args:
        window: How many enclosing spans a state holds (w), counted from the innermost.
        recent: How many choices of each span it holds in addition to the first, counted from the latest.
    """

    def __init__(self, *, window: int = 8, recent: int = 3) -> None:
        self.window = check_integer("window", window)
        self.recent = check_integer("recent", recent)
        #: Whether to leave choices out of later states: the length of a list says little about its elements.
        self.quiet = False
        #: The label of the innermost span.
        self.label: Hashable = None
        self._states = States()
        self._labels: dict[Hashable, int] = {}
        self._context: tuple[KnownState, ...] = ()
        self._stack: list[_Span] = []
        self.finish()

    def start(self, frame: FrameType | None) -> None:
        """Do nothing: the outermost span is open already, and others may begin before the first choice."""

    def enter(self, label: Hashable) -> None:
        """Open a span."""
        self._stack.append(_Span(label))
        self.label = label

    def leave(self) -> None:
        """Close the innermost span."""
        if len(self._stack) > 1:
            span = self._stack.pop()
            outer = self._stack[-1]
            self.label = outer.label
            if span.choices:
                self._add(span.first if span.choices == 1 else span.first | FINISHED)

    def context(self, value: Hashable) -> None:
        """Let later choices depend on `value` too."""
        # Bit 52 tells a context from the tokens of choices and calls.
        self._context = (self._states.of(((self._number((value,)) << 1 | 1 << 52,),)),)

    def state(self, frame: FrameType | None) -> Place:
        """Return what was chosen on the way here."""
        span = self._innermost(len(self._stack) - 1)
        assert span.state is not None
        return Place(span.outside + self._context, span.state, span.choices, self._opened())

    def record(self, point: ChoicePoint, index: int) -> None:
        """Add a choice to the innermost span."""
        if not self.quiet:
            self._add(index << 16 | point.number)

    def finish(self) -> None:
        """Release the spans, and open a new outermost one."""
        span = _Span(None)
        span.state = self._states.of(((),))
        span.opened = OpenSpan(0, None)
        self._stack = [span]
        self.label = None
        self._context = ()

    def _innermost(self, depth: int) -> _Span:
        """Return the innermost span with choices, at this depth or outside."""
        span = self._stack[depth]
        while span.state is None:
            depth -= 1
            span = self._stack[depth]
        return span

    def _opened(self) -> OpenSpan:
        """Return the innermost span as learners see it; enclosing spans begin with its first choice too."""
        depth = len(self._stack) - 1
        span = self._stack[depth]
        while span.opened is None:
            depth -= 1
            span = self._stack[depth]
        while depth < len(self._stack) - 1:
            outer = span
            depth += 1
            span = self._stack[depth]
            span.opened = OpenSpan(self._number(span.label), outer.opened)
        assert span.opened is not None
        return span.opened

    def _add(self, token: int) -> None:
        span = self._stack[-1]
        if span.state is None:
            self._begin(span)
        assert span.state is not None
        if span.choices == 0:
            span.first = token
        span.choices += 1
        after = span.state.next.get(token)
        if after is None:
            inside = span.state.parts[-1]
            # The first choice stays, because it often determines the meaning of the others.
            kept = inside[:1] + inside[2:] if len(inside) > self.recent else inside
            after = span.state.next[token] = self._states.of(((*kept, token),))
        span.state = after

    def _begin(self, span: _Span) -> None:
        outer = self._innermost(len(self._stack) - 2)
        assert outer.state is not None
        token = ~self._number(span.label)
        called = outer.state.next.get(token)
        if called is None:
            called = outer.state.next[token] = self._states.of(((*outer.state.parts[-1], token), ()))
        span.outside = (*outer.outside, called)[-self.window :]
        span.state = self._states.of(((),))

    def _number(self, label: Hashable) -> int:
        number = self._labels.get(label)
        if number is None:
            number = self._labels[label] = len(self._labels)
        return number
