"""Our learners on JQF's generators: `python -m benchmarks.jqf.guided ant monte-carlo 0 30 LOG`.

Java runs in this process: a draw over a pipe costs ten times as much, and a process for each input far more.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.jqf.install import BASE, JQF, OURS, REPLAY, SUBJECTS, jars, own_path
from benchmarks.subjects.virtual_machine import Program
from rlcheck import Guide, Outcome
from rlcheck.errors import Overrun

_OPTIONS = ("-XX:+UseSerialGC", "-Xmx2g", "-Xss4m")
#: Classes that note branches have no stack maps.
_UNVERIFIED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
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


class Test(Program):
    """A test of JQF, with a copy of its subject that notes branches."""

    def __init__(self, name: str, learner: str, seed: int, log: str) -> None:
        super().__init__(name)
        self._seed = seed
        self._log = log
        coverage = self.coverage() if learner == "diverse" else None  # RLCheck's algorithm reads no branches.
        self.guide = Guide(learner, seed=seed, max_choices=_LONGEST, coverage=coverage)

    @cache  # noqa: B019 - a test lives as long as the process.
    def loaded(self, *, noting: bool) -> tuple[Any, Any]:
        """What runs one input, and what counts branches, by a class loader of their own."""
        import jpype

        if not jpype.isJVMStarted():
            properties = (f"-Drlcheck.log={self._log}", f"-Djava.io.tmpdir={Path(self._log).parent}")
            # Both copies share the log, and the interfaces of JQF and of Python.
            shared = [str(BASE), *jars(JQF, without="jqf-examples-2.0.jar").split(":")]
            jpype.startJVM(*_OPTIONS, *_UNVERIFIED, *properties, classpath=shared)
            silent = jpype.java.io.PrintStream(jpype.java.io.OutputStream.nullOutputStream())
            jpype.java.lang.System.setErr(silent)
        copy = SUBJECTS[self.name][0] if noting else ""
        paths = [str(OURS), str(REPLAY), *own_path(noting=copy).split(":")]
        urls = [jpype.java.io.File(path).toURI().toURL() for path in paths]
        loader = jpype.java.net.URLClassLoader(urls, jpype.java.lang.ClassLoader.getSystemClassLoader())
        jpype.java.lang.Thread.currentThread().setContextClassLoader(loader)
        chooser = jpype.JProxy(jpype.JClass("Chooser", loader=loader), inst=_Chooser(self.guide))
        guided = jpype.JClass("Guided", loader=loader)
        made = guided(f"{self.name.capitalize()}Test", chooser, self._seed)
        return made, jpype.JClass("Hits", loader=loader)

    def run(self) -> int:
        """Make an input and test it: 0 for invalid, 1 for valid, 2 for a failure."""
        self.guide.start()
        try:
            ended = int(self.loaded(noting=self.noting)[0].run())
        except Overrun:
            ended = 0
        self.guide.finish(_OUTCOMES[ended])
        return ended


def main(subject: str, learner: str, seed: str, seconds: str, log: str) -> None:
    """Test a subject until this process has used its processor time; prints how many inputs ended how."""
    test = Test(subject, learner, int(seed), log)
    counts = [0, 0, 0]
    with test.guide.session:
        while process_time() < float(seconds):
            counts[test.run()] += 1
    print(*counts)


if __name__ == "__main__":
    main(*sys.argv[1:])
