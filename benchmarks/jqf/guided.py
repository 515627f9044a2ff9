"""Our learners on JQF's generators: `python -m benchmarks.jqf.guided ant monte-carlo 0 30 LOG`.

Java runs in this process: a draw over a pipe costs ten times as much, and a process for each input far more.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.jqf.install import BASE, JQF, OURS, jars, own_path
from rlcheck import Guide, Outcome
from rlcheck.errors import Overrun

_OPTIONS = ("-XX:+UseSerialGC", "-Xmx2g", "-Xss4m")
#: Zest gives an input 10,240 bytes, and most draws take four.
_LONGEST = 2_560
#: As Guided.java has them.
_OUTCOMES = (Outcome.INVALID, Outcome.VALID, Outcome.FAILED)


class _Chooser:
    """Answers draws, in states that are defined before."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._states: list[tuple[str, tuple[int, ...]]] = []

    def define(self, state: int, place: int, parts: Any) -> None:
        self._states.append((f"place {place}", tuple(parts)))

    def draw(self, n: int, state: int) -> int:
        at, parts = self._states[state]
        return self._guide.choose(range(n), at=at, state=parts)


def start(subject: str, guide: Guide, seed: int, log: str) -> Any:
    """Start the virtual machine; return what runs one input at a time."""
    import jpype

    paths = [str(OURS), str(BASE), *own_path().split(":"), *jars(JQF).split(":")]
    properties = (f"-Drlcheck.log={log}", f"-Djava.io.tmpdir={Path(log).parent}")
    jpype.startJVM(*_OPTIONS, *properties, classpath=paths)
    jpype.java.lang.System.setErr(jpype.java.io.PrintStream(jpype.java.io.OutputStream.nullOutputStream()))
    chooser = jpype.JProxy("Chooser", inst=_Chooser(guide))
    return jpype.JClass("Guided")(f"{subject.capitalize()}Test", chooser, seed)


def main(subject: str, learner: str, seed: str, seconds: str, log: str) -> None:
    """Test a subject until this process has used its processor time; prints inputs and valid ones."""
    guide = Guide(learner, seed=int(seed), max_choices=_LONGEST)
    guided = start(subject, guide, int(seed), log)
    counts = [0, 0, 0]
    while process_time() < float(seconds):
        guide.start()
        try:
            ended = guided.run()
        except Overrun:
            ended = 0
        guide.finish(_OUTCOMES[ended])
        counts[ended] += 1
    print(*counts)


if __name__ == "__main__":
    main(*sys.argv[1:])
