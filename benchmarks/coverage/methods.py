"""Ways to note branches with their counts: rlcheck's, and what Python itself offers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from benchmarks.coverage.subjects import Subject
from rlcheck import Coverage, Episode
from rlcheck.characteristics import Branches, Path, Trace

#: Turns it on for a subject, and says how to run one input.
Method = Callable[[Subject], Any]


@contextmanager
def off(subject: Subject) -> Iterator[Callable[[], object]]:
    """The subject as it is."""
    yield subject.run


def _rlcheck(characteristic: Any, *, ordered: bool = False) -> Method:
    covers: dict[str, Coverage] = {}

    @contextmanager
    def method(subject: Subject) -> Iterator[Callable[[], object]]:
        if subject.module not in covers:
            covers[subject.module] = Coverage(subject.module, ordered=ordered)
        cover = covers[subject.module]

        def run() -> int:
            cover.start()
            subject.run()
            cover.stop(valid=True)
            episode = Episode()
            episode.counts = cover.counts
            episode.path = cover.path if ordered else None
            return characteristic(episode)  # type: ignore[no-any-return]

        with cover:
            yield run

    return method


@contextmanager
def monitoring(subject: Subject) -> Iterator[Callable[[], object]]:
    """`sys.monitoring`, of branches and of starts of functions; Python 3.12 and later."""
    monitor: Any = sys.monitoring  # type: ignore[attr-defined]
    tool, events = monitor.COVERAGE_ID, monitor.events
    counts: dict[tuple[int, int], int] = {}

    def branch(code: CodeType, offset: int, destination: int) -> None:
        key = id(code), destination
        counts[key] = counts.get(key, 0) + 1

    def start(code: CodeType, offset: int) -> None:
        key = id(code), -1
        counts[key] = counts.get(key, 0) + 1

    def run() -> int:
        counts.clear()
        subject.run()
        return len(counts)

    monitor.use_tool_id(tool, "rlcheck")
    monitor.register_callback(tool, events.BRANCH, branch)
    monitor.register_callback(tool, events.PY_START, start)
    codes = list(_codes(subject.module))
    for code in codes:
        monitor.set_local_events(tool, code, events.BRANCH | events.PY_START)
    yield run
    for code in codes:
        monitor.set_local_events(tool, code, events.NO_EVENTS)
    monitor.free_tool_id(tool)


@contextmanager
def tracing(subject: Subject) -> Iterator[Callable[[], object]]:
    """`sys.settrace`, of pairs of lines; the way in Python 3.11 without a C extension."""
    files = {code.co_filename for code in _codes(subject.module)}
    counts: dict[tuple[int, int, int], int] = {}

    def enter(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in files:
            return None
        number, last = id(code), 0

        def step(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                key = number, last, line
                counts[key] = counts.get(key, 0) + 1
                last = line
            return step

        return step

    def run() -> int:
        counts.clear()
        sys.settrace(enter)
        subject.run()
        sys.settrace(None)
        return len(counts)

    yield run


def _codes(package: str) -> Iterator[CodeType]:
    """The code of all functions in a package."""
    seen: set[CodeType] = set()

    def inner(code: CodeType) -> Iterator[CodeType]:
        if code not in seen:
            seen.add(code)
            yield code
            for constant in code.co_consts:
                if isinstance(constant, CodeType):
                    yield from inner(constant)

    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (name == package or name.startswith(f"{package}.")):
            for thing in list(vars(module).values()):
                members = [thing, *vars(thing).values()] if isinstance(thing, type) else [thing]
                for member in members:
                    if isinstance(member, FunctionType) and member.__module__ == name:
                        yield from inner(member.__code__)


METHODS: dict[str, Method] = {
    "off": off,
    "branches": _rlcheck(Branches()),
    "trace": _rlcheck(Trace()),
    "path": _rlcheck(Path(), ordered=True),
    "sys.settrace": tracing,
    **({"sys.monitoring": monitoring} if sys.version_info >= (3, 12) else {}),
}
