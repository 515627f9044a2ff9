"""A property: strategies, a test body that assumes what it needs, and how to tell inputs apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True, slots=True)
class Property:
    """What `@given(**strategies)` is put upon, or a state machine."""

    name: str
    #: Called with the inputs by name. One that it does not reject is valid.
    test: Callable[..., object]
    #: Inputs -> their structure, with values erased.
    shape: Callable[..., Hashable]
    strategies: Mapping[str, SearchStrategy[Any]] = field(default_factory=dict)
    #: It assumes something, so that there is something to learn.
    sparse: bool = True
    #: Made in place of `test`; a test case is valid when its `hit()` is not None.
    machine: Callable[[], Any] | None = None
