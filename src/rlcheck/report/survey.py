"""Survey: replays sampled episodes to see which choices were made where, and what rejected inputs.

During a campaign only choices are recorded; the survey reconstructs the rest after it has ended.
"""

from __future__ import annotations

import linecache
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from time import process_time
from types import FrameType, TracebackType
from typing import Any

from rlcheck.choice import as_sequence
from rlcheck.coverage import modules_of
from rlcheck.coverage.watch import Watch
from rlcheck.errors import ConfigurationError, RlcheckError, Signal
from rlcheck.failure import shown
from rlcheck.reasons import rejection_of
from rlcheck.replaying import Replay
from rlcheck.report.distributions import Distribution
from rlcheck.report.outline import depth_of, outline
from rlcheck.shapes import Shapes

#: How many inputs a report shows, and how many options of a choice point.
_SHOWN, _OPTIONS = 200, 24

#: How many characters of a rejected input are shown.
_EXAMPLE = 200

#: The most choice points of the tree, and its depth.
_NODES, _DEPTH = 600, 24


def survey(
    generator: Callable[..., Any],
    valid: Callable[[Any], object] | None,
    test: Callable[[Any], object] | None,
    sample: Sequence[tuple[bool, Sequence[int]]],
    *,
    seconds: float = 5.0,
    is_running: bool = False,
) -> dict[str, Any]:
    """What sampled episodes show, as plain data, in at most `seconds` of processor time.

    While the campaign is running, nothing watches the precondition: the campaign may do so itself.
    """
    tree = _Point("", "")
    budget = [_NODES]
    inputs: list[dict[str, Any]] = []
    rejections: Counter[str] = Counter()
    examples: dict[str, str] = {}
    deadline = process_time() + seconds
    looked = 0
    depths = Distribution()
    with _watching(None if is_running else valid or test) as watch:
        for is_valid, choices in sample:
            if process_time() > deadline:
                break
            looked += 1
            asking = _Asking(choices, tree, budget, is_valid=is_valid)
            try:
                value = generator(asking)
            except Signal as signal:
                rejections[_place(signal.__traceback__)] += 1
                continue
            except RlcheckError:
                rejections["max_choices, or a generator that is not a function of its choices"] += 1
                continue
            except Exception:
                continue
            depths.add(depth_of(value), valid=is_valid)
            if is_valid:
                if len(inputs) < _SHOWN:
                    inputs.append(_about(choices, value))
            else:
                text = shown(value)[:_EXAMPLE]  # Now: what rejects it may change it.
                place = _rejected_by(value, valid, test, watch)
                rejections[place] += 1
                examples.setdefault(place, text)
    return {
        "looked": looked,
        "tree": [child.as_json() for child in tree.below.values()],
        "inputs": inputs,
        "depth": depths.as_json(),
        "rejections": [
            (place, count, examples.get(place, "")) for place, count in rejections.most_common(20)
        ],
    }


def _about(choices: Sequence[int], value: Any) -> dict[str, Any]:
    """Return an input as text, and what groups and draws it in a gallery."""
    text = shown(value)  # First: nothing that follows may change it.
    return {
        "choices": list(choices),
        "input": text,
        "shape": f"{Shapes().of(value):x}",
        "outline": outline(value),
    }


class _Point:
    """A choice point on a path of calls, or a call on that path."""

    def __init__(self, name: str, line: str) -> None:
        self.name = name
        self.line = line
        #: For each index: the option as text, how often it was taken, and how often that was valid.
        self.options: dict[int, tuple[str, int, int]] = {}
        self.n = 0
        self.below: dict[Hashable, _Point] = {}

    def as_json(self) -> dict[str, Any]:
        most = sorted(self.options.items(), key=lambda option: -option[1][1])[:_OPTIONS]
        return {
            "name": self.name,
            "line": self.line,
            "n": str(self.n),
            "options": [option for _, option in sorted(most)],
            "below": [child.as_json() for child in self.below.values()],
        }


class _Asking(Replay):
    """A replay that adds each choice to a tree of choice points."""

    def __init__(self, choices: Sequence[int], tree: _Point, budget: list[int], *, is_valid: bool) -> None:
        super().__init__(choices)
        self._tree = tree
        self._budget = budget
        self._is_valid = is_valid

    def __call__(self, options: Any, *, at: Hashable | None = None, state: Hashable | None = None) -> Any:
        chosen = super().__call__(options, at=at, state=state)
        index = self.choices[len(self.sizes) - 1]
        point = self._point(sys._getframe(1), at)
        if point is not None:
            known = point.options.get(index)
            name, taken, valid = known or (shown(as_sequence(options)[index])[:60], 0, 0)
            point.options[index] = (name, taken + 1, valid + self._is_valid)
            point.n = self.sizes[-1]
        return chosen

    def _point(self, frame: FrameType | None, at: Hashable | None) -> _Point | None:
        way: list[FrameType] = []
        while frame is not None and frame.f_code is not _SURVEY:
            if frame.f_globals.get("__name__") not in _OURS:
                way.append(frame)
            frame = frame.f_back
        point: _Point | None = self._tree
        for step in reversed(way[-_DEPTH:]):
            point = self._below(point, (id(step.f_code), step.f_lasti), step)
        return point if at is None else self._below(point, at, None)

    def _below(self, point: _Point | None, key: Hashable, frame: FrameType | None) -> _Point | None:
        if point is None:
            return None
        below = point.below.get(key)
        if below is None and self._budget[0]:
            self._budget[0] -= 1
            if frame is None:
                below = _Point(str(key), "")
            else:
                code = frame.f_code
                line = linecache.getline(code.co_filename, frame.f_lineno).strip()
                below = _Point(f"{code.co_qualname}:{frame.f_lineno}", line)
            point.below[key] = below
        return below


_SURVEY = survey.__code__

#: Frames of these modules only pass a choice on.
_OURS = ("rlcheck.frontends.properties", "rlcheck.generators")


@contextmanager
def _watching(function: Callable[..., Any] | None) -> Iterator[Watch | None]:
    """Yield what tells at which place a precondition is false, if it is written in Python."""
    watch: Watch | None = None
    modules = modules_of(function)
    try:
        if modules:
            watch = Watch(modules, modules)
            watch.on()
    except ConfigurationError:
        watch = None  # Somebody else watches it.
    try:
        yield watch
    finally:
        if watch is not None:
            watch.off()


def _rejected_by(
    value: Any,
    valid: Callable[[Any], object] | None,
    test: Callable[[Any], object] | None,
    watch: Watch | None,
) -> str:
    try:
        if valid is not None:
            verdict, place = _call(valid, value, watch)
            if isinstance(verdict, float) and not verdict >= 1.0:
                return f"{_name(valid)} returned a number below 1"
            rejection = rejection_of(verdict)
            if rejection is not None:
                return rejection.reason
            if not verdict:
                return f"{_name(valid)} was false{place and ' after '}{place}"
        if test is not None:
            test(value)
    except Signal as signal:
        return _place(signal.__traceback__)
    except BaseException as error:
        return f"{type(error).__name__}, when replayed"
    return "nothing, when replayed"


def _call(valid: Callable[[Any], object], value: Any, watch: Watch | None) -> tuple[object, str]:
    """Return what a precondition says, and the last place that it reached."""
    if watch is None:
        return valid(value), ""
    watch.start()
    verdict = valid(value)
    watch.advance()
    return verdict, watch.reason()


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", repr(function))


def _place(trace: TracebackType | None) -> str:
    """Where an assumption did not hold: the innermost frame outside rlcheck."""
    found = "assume()"
    while trace is not None:
        code = trace.tb_frame.f_code
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] != "rlcheck":
            found = f"assume() in {code.co_qualname}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found
