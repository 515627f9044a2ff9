"""Codes: choice points, choices and states as small numbers, in the order in which they first occur.

There are a limited number of them: whatever occurs after all are taken shares the first one, "other".
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

from rlcheck.choice import ChoicePoint
from rlcheck.protocols import State
from rlcheck.states import KnownState

#: The number of everything without a number of its own.
OTHER = 0
#: How many bytes a token of a state takes.
TOKEN_BYTES = 8


class Codes:
    """Numbers for the inputs of a network.

    Args:
        window: How many choices or labels of a state count, from the last one back.
        most_points: How many choice points have a number.
        most_tokens: How many choices and labels have a number.
        most_states: How many states are remembered; when there are more, all are forgotten.
    """

    def __init__(
        self,
        window: int,
        *,
        most_points: int = 64,
        most_tokens: int = 2048,
        most_states: int = 50_000,
    ) -> None:
        self.window = window
        self.most_points = most_points
        self.most_tokens = most_tokens
        self.most_states = most_states
        #: Names of points in the order of their numbers, and tokens in the order of theirs.
        self.names: dict[Any, int] = {"": OTHER}
        self.tokens: dict[Any, int] = {"": OTHER}
        self._points: dict[ChoicePoint, int] = {}
        self._by_number: dict[int, int] = {}
        self._known: dict[State, bytes] = {}
        self._numbers: dict[int, int] = {}

    def point(self, point: ChoicePoint) -> int:
        """The number of a choice point."""
        number = self._points.get(point)
        if number is None:
            number = self.names.get(point.name)
            if number is None:
                number = len(self.names) if len(self.names) < self.most_points else OTHER
                if number:
                    self.names[point.name] = number
            if self._by_number.get(point.number, number) != number:
                # Another guide: its choice points have other numbers, and its states other meanings.
                self._points.clear()
                self._by_number.clear()
                self._forget()
            self._points[point] = number
            self._by_number[point.number] = number
        return number

    def token(self, point: int, index: int) -> int:
        """Return the number of a choice, from the number of its point and its index."""
        return self._token((point, _near(index)))

    def features(self, state: State) -> bytes:
        """The tokens of a state, the last first, filled up with OTHER.

        As bytes, many can be joined and read as a tensor without touching each number.
        """
        found = self._known.get(state)
        if found is None:
            if len(self._known) >= self.most_states:
                self._forget()
            tokens = list(islice(self._tokens(state), self.window))
            found = self._known[state] = as_bytes(tokens + [OTHER] * (self.window - len(tokens)))
        return found

    def restore(self, names: list[Any], tokens: list[Any]) -> None:
        """Number these in the order in which they are listed; None leaves a number unused."""
        if len(names) > self.most_points or len(tokens) > self.most_tokens:
            raise ValueError(f"it has {len(names)} choice points and {len(tokens)} choices")
        self.names = {_label(name, number): number for number, name in enumerate(names)}
        self.tokens = {_label(token, number): number for number, token in enumerate(tokens)}

    def _token(self, label: Any) -> int:
        number = self.tokens.get(label)
        if number is None:
            number = len(self.tokens) if len(self.tokens) < self.most_tokens else OTHER
            if number:
                self.tokens[label] = number
        return number

    def _tokens(self, state: Any) -> Iterator[int]:
        """What a state is made of, the last first: choices, and labels that a generator gave."""
        if isinstance(state, KnownState):
            for part in reversed(state.parts):
                for token in reversed(part):
                    if token >= 0:  # Call sites have no lasting name.
                        number = self._numbers.get(token)
                        yield self._number(token) if number is None else number
        elif isinstance(state, tuple):
            for part in reversed(state):
                yield from self._tokens(part)
        else:
            yield self._token(("state", state))

    def _number(self, token: int) -> int:
        """The number of an abstraction's token: a choice, or a line of the call stack."""
        point = self._by_number.get(token & 0xFFFF)
        number = self._token(("line", token) if point is None else (point, _near(token >> 16)))
        self._numbers[token] = number
        return number

    def _forget(self) -> None:
        """Forget the states; their tokens keep their numbers."""
        self._known.clear()
        self._numbers.clear()


def as_bytes(tokens: list[int]) -> bytes:
    """Tokens as a state has them."""
    return array("q", tokens).tobytes()


def _near(index: int) -> int:
    """Return an index; for a large one, only its magnitude."""
    return index if index < 256 else -index.bit_length()


def _label(label: Any, number: int) -> Any:
    """Return a label that was saved; a unique one if it could not be saved."""
    return ("lost", number) if label is None else label
