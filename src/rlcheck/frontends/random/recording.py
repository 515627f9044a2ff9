"""Recordings: the draws of a guided run as JSON lines, which replay it without a learner.

The first line is a header, `{"rlcheck": "actions", "version": 1, ...}`. Each other line is a draw:
`{"n": 6, "action": 2}` is option 2 of 6.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from types import FrameType
from typing import Any

from rlcheck import files
from rlcheck.checks import is_integer
from rlcheck.choice import as_sequence, count
from rlcheck.errors import ReplayError

_KIND, _VERSION = "actions", 1

#: The most bytes that are read: about ten million draws.
_LARGEST = 2**28


class Actions:
    """The draws of one run: answers them again, and checks that the program asks for the same.

    It is a `choose`, so that `rlcheck.GuidedRandom(actions)` and generators accept it.
    """

    def __init__(self, pairs: Iterable[tuple[int, int]], header: dict[str, Any] | None = None) -> None:
        #: The number of options of each draw, and the index of the option taken.
        self.pairs = [_checked(place, *pair) for place, pair in enumerate(pairs)]
        #: What the recording says about the whole run.
        self.header = header or {}
        self._used = 0

    def __call__(self, options: Any, *, at: Hashable | None = None, state: Hashable | None = None) -> Any:
        """The recorded option."""
        return as_sequence(options)[self.next(count(options))]

    def draw(self, n: int, frame: FrameType | None = None, weights: Sequence[float] | None = None) -> int:
        """The recorded index; the arguments are those of `Guide.draw`."""
        return self.next(n)

    def next(self, n: int) -> int:
        """The index of the recorded option, out of n."""
        place = self._used
        if place >= len(self.pairs):
            raise ReplayError(
                f"the recording ends after {place} draws, but the program asks for another one (of {n}"
                " options). It was recorded with a different version of the program."
            )
        known, index = self.pairs[place]
        if known != n:
            raise ReplayError(
                f"draw {place} was recorded as one of {known} options, but the program now asks for one of"
                f" {n}. It was recorded with a different version of the program."
            )
        self._used += 1
        return index

    def check_finished(self) -> None:
        """Raise if fewer draws were asked for than were recorded."""
        if self._used < len(self.pairs):
            raise ReplayError(
                f"the recording has {len(self.pairs)} draws, but the program made only {self._used}."
                " It was recorded with a different version of the program."
            )


def write_actions(path: str | os.PathLike[str], pairs: Iterable[tuple[int, int]], **header: Any) -> None:
    """Write a recording; an earlier file is replaced as a whole or not at all."""
    import json  # Slow to load, and needed only here.

    lines = [json.dumps({**files.header(_KIND, _VERSION), **header})]
    lines += [f'{{"n": {n}, "action": {index}}}' for n, index in pairs]
    files.write_file(path, "\n".join(lines) + "\n")


def read_actions(path: str | os.PathLike[str]) -> Actions:
    """The recording in a file; reading it runs no code."""
    import json  # Slow to load, and needed only here.

    try:
        lines = files.read_text(path, largest=_LARGEST).splitlines()
        first, *draws = [json.loads(line) for line in lines if line.strip()] or [None]
        header = files.check_header(first, _KIND, _VERSION)
        return Actions([(draw["n"], draw["action"]) for draw in draws], header)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReplayError(
            f"path={os.fspath(path)!r} is not a recording of actions: {error}."
            " Give a file that `rlcheck guide` or `rlcheck.guided_random(record=...)` wrote."
        ) from error


def _checked(place: int, n: Any, index: Any) -> tuple[int, int]:
    if not is_integer(n) or not is_integer(index) or not 0 <= index < n:
        raise ReplayError(
            f"draw {place} is option {index!r} of {n!r}: it must be an index below that number."
        )
    return n, index
