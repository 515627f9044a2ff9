"""Progress: a live table on a terminal, or a line now and then in a log."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, TextIO

from rlcheck import registry
from rlcheck.report.record import Snapshot

#: The least seconds between two drawings, and between two lines in a log.
DRAW, _LINE = 0.25, 5.0

#: After a drawing, wait this many times as long: drawing costs at most 2 % of the time.
REST = 50.0

#: How many seconds the curve shows, and its number of bars.
_CURVE, _BARS = 60.0, 20


class View:
    """Draws the snapshots of running learners, but not too often.

    Args:
        share: A function of the snapshots: the share of the budget that is spent, from 0 to 1.
        stream: A terminal gets a live table, any other stream gets lines.
    """

    def __init__(self, share: Callable[[Mapping[str, Snapshot]], float], stream: TextIO) -> None:
        self._share = share
        self._stream = stream
        self._live = _live(stream)
        self._curves: dict[str, deque[tuple[float, int]]] = {}
        self._due = perf_counter() + (DRAW if self._live else _LINE)
        self._noted = -DRAW

    def __enter__(self) -> View:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, snapshots: Mapping[str, Snapshot]) -> None:
        """Draw, unless the last drawing was a moment ago."""
        started = perf_counter()
        if started >= self._noted + DRAW:  # Even if no drawing is due, so that the curve has no gaps.
            self._noted = started
            for label, snapshot in snapshots.items():
                self._note(label, snapshot)
        if started < self._due:
            return
        share = min(1.0, self._share(snapshots))
        if self._live:
            self._live.update(self._table(snapshots, share), refresh=True)
        else:
            for label, snapshot in snapshots.items():
                print(f"{label}: {line(snapshot)}, {share:.0%} done", file=self._stream, flush=True)
        now = perf_counter()
        self._due = now + max(DRAW if self._live else _LINE, REST * (now - started))

    def _note(self, label: str, snapshot: Snapshot) -> None:
        curve = self._curves.setdefault(label, deque())
        curve.append((snapshot.seconds, snapshot.unique_valid))
        while curve[0][0] < snapshot.seconds - _CURVE:
            curve.popleft()

    def _table(self, snapshots: Mapping[str, Snapshot], share: float) -> Any:
        from rich.table import Table

        table = Table(title=f"{share:.0%} done{_left(snapshots, share)}", title_justify="left")
        for heading in (
            "",
            "inputs",
            "valid",
            "unique valid",
            "shapes",
            "per second",
            "last minute",
            "failures",
            "memory",
        ):
            table.add_column(heading, justify="left" if heading in ("", "last minute") else "right")
        for label, snapshot in snapshots.items():
            table.add_row(
                label,
                f"{snapshot.episodes:,}",
                f"{_part(snapshot.valid, snapshot.episodes):.0%}",
                f"{snapshot.unique_valid:,}",
                f"{snapshot.shapes:,} ({snapshot.effective_shapes:,.0f} effective)"
                if snapshot.shapes
                else "",
                f"{_pace(self._curves[label]):,.0f}",
                sparkline(self._curves[label]),
                f"[red]{snapshot.failures}[/red]" if snapshot.failures else "0",
                f"{snapshot.states:,} states{memory_text()}",
            )
        return table


def line(snapshot: Snapshot) -> str:
    """A snapshot on one line."""
    return (
        f"{snapshot.episodes:,} inputs in {snapshot.seconds:.0f} s,"
        f" {_part(snapshot.valid, snapshot.episodes):.0%} valid, {snapshot.unique_valid:,} unique valid"
        f" ({_part(snapshot.unique_valid, snapshot.seconds):,.0f}/s), {_shapes(snapshot)}{snapshot.failures}"
        f" failure{'' if snapshot.failures == 1 else 's'},"
        f" {snapshot.states:,} states"
    )


def _shapes(snapshot: Snapshot) -> str:
    """The number of shapes, where they are counted: Hypothesis tests count none."""
    if not snapshot.shapes:
        return ""
    kind = "shape" if snapshot.shapes == 1 else "shapes"
    return f"{snapshot.shapes:,} {kind} ({snapshot.effective_shapes:,.0f} effective), "


def sparkline(curve: deque[tuple[float, int]]) -> str:
    """The unique valid inputs per second of the last minute, as bars."""
    if len(curve) < 2:
        return ""
    start, end = curve[0][0], curve[-1][0]
    counts = [0.0] * _BARS
    known = curve[0][1]
    for seconds, unique in list(curve)[1:]:
        bar = min(_BARS - 1, int((seconds - start) / max(end - start, 1e-9) * _BARS))
        counts[bar] += unique - known
        known = unique
    highest = max(counts) or 1.0
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(8 * count / highest))] for count in counts)


def memory() -> int:
    """Bytes of memory of this process; 0 if unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as status:
            return int(status.read().split()[1]) * 4096
    except OSError:
        return 0


def memory_text() -> str:
    """The memory of this process for the table; nothing where it is unknown."""
    used = memory()
    return f", {used / 1e6:,.0f} MB" if used else ""


def _live(stream: TextIO) -> Any:
    if not stream.isatty():
        return None
    try:
        from rich.console import Console
        from rich.live import Live
    except ModuleNotFoundError as error:
        missing = registry.missing_extra("the live view", error)
        print(f"rlcheck: {missing}. Until then, progress is printed as lines.", file=stream)
        return None
    return Live(console=Console(file=stream), auto_refresh=False, transient=True)


def _left(snapshots: Mapping[str, Snapshot], share: float) -> str:
    spent = sum(snapshot.seconds for snapshot in snapshots.values())
    if share < 0.01:
        return ""
    return f", {spent / share * (1 - share):,.0f} s left"


def _pace(curve: deque[tuple[float, int]]) -> float:
    if len(curve) < 2:
        return 0.0
    return _part(curve[-1][1] - curve[0][1], curve[-1][0] - curve[0][0])


def _part(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
