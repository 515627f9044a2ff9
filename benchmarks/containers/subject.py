"""A subject of the study: a container, what can be called on it, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from rlcheck import ApiTest, contexts

#: The values that arguments have, and the calls in a test: the paper's N and M.
KEYS, LENGTH = range(20), 200


@dataclass(frozen=True)
class Subject:
    """What an ApiTest is made of."""

    name: str
    make: Callable[[], Any]
    operations: Any
    oracle: Callable[[], Any] | None = None
    invariants: tuple[Callable[[Any], object], ...] = ()
    shape: Callable[[Any], Hashable] = contexts.shape
    #: What the next call depends on, whatever the method; None for that of the method.
    context: Callable[[Any], Hashable] | None = None
    #: What calls may raise.
    allowed: tuple[type[Exception], ...] = ()
    #: The modules whose branches count; None for the one of the class.
    coverage: tuple[str, ...] | None = None
    package: str = ""
    length: int = LENGTH

    @property
    def is_missing(self) -> bool:
        """Whether its package is not installed."""
        return bool(self.package) and find_spec(self.package) is None

    def test(self, **arguments: Any) -> ApiTest:
        """A test of it."""
        if self.context is not None:
            arguments |= {"context": self.context, "counted": False}
        return ApiTest(
            self.make,
            self.operations,
            self.oracle,
            self.length,
            invariants=self.invariants,
            allowed=self.allowed,
            shape=self.shape,
            coverage=self.coverage,
            **arguments,
        )
