"""Java subjects in this process, through JPype: one that runs at full speed, and one that notes branches."""

from __future__ import annotations

from functools import cache
from typing import Any

from benchmarks.subjects.install import CLASSES, JARS, NOTING, PLAIN
from rlcheck import Coverage

#: As Driver.java has them.
_INVALID, _FAILED = 0, 2
#: Classes that note branches have no stack maps.
_UNVERIFIED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
_OPTIONS = ("-XX:+UseSerialGC", "-Xmx2g", "-Xss4m", *_UNVERIFIED)


class JavaFault(Exception):
    """The program threw what it should not; the message is the type and the place."""


class Program:
    """A Java program as a function of its input.

    Args:
        name: One of `JARS`; the class of its driver is named after it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        #: Whether the copy that notes branches is run.
        self.noting = False

    def __call__(self, text: str) -> bool:
        """Whether it accepts the input."""
        driver, _ = self.loaded(noting=self.noting)
        verdict = driver.run(text)
        if verdict == _FAILED:
            raise JavaFault(str(driver.fault()))
        return bool(verdict != _INVALID)

    def judge(self, text: str) -> bool | str:
        """Whether it accepts the input; if it does not, why, where its driver says so."""
        return self(text) or str(self.loaded(noting=self.noting)[0].reason()) or False

    @cache  # noqa: B019 - a program lives as long as the process.
    def loaded(self, *, noting: bool) -> tuple[Any, Any]:
        """The driver, and what counts branches, by a class loader of their own."""
        import jpype

        if not jpype.isJVMStarted():
            jpype.startJVM(*_OPTIONS)
        _, others, _ = JARS[self.name]
        paths = [(NOTING if noting else PLAIN) / self.name, *(PLAIN / other for other in others), CLASSES]
        urls = [jpype.java.io.File(str(path)).toURI().toURL() for path in paths]
        platform = jpype.java.lang.ClassLoader.getPlatformClassLoader()
        loader = jpype.java.net.URLClassLoader(urls, platform)
        # Some programs look for their own resources by way of the thread.
        jpype.java.lang.Thread.currentThread().setContextClassLoader(loader)
        driver = jpype.JClass(f"{self.name.capitalize()}Driver", loader=loader)()
        return driver, jpype.JClass("Hits", loader=loader)

    def coverage(self) -> Coverage:
        """Notes the branches of the program."""
        return _JavaCoverage(self)


class _JavaCoverage(Coverage):
    """Counts come from the virtual machine; all else is as for Python."""

    def __init__(self, program: Program) -> None:
        super().__init__(())
        self._program = program
        self._notes = _Hits(program)  # type: ignore[assignment]

    def on(self) -> None:
        """Run the copy that notes branches."""
        self._program.noting = True

    def off(self) -> None:
        """Run the program as it is."""
        self._program.noting = False

    def pause(self) -> None:
        """The same for a while."""
        self.paused = True
        self.off()

    def resume(self) -> None:
        """Run the copy again."""
        self.paused = False
        self.on()


class _Hits:
    """What Hits.java counted."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def take(self) -> dict[int, int]:
        """How often each branch was taken since the last time, in the order of their numbers."""
        taken = memoryview(self._program.loaded(noting=True)[1].take())
        found = taken.cast("B").cast("i").tolist()
        half = len(found) // 2
        return dict(zip(found[:half], found[half:], strict=True))

    def clear(self) -> None:
        """Forget what was noted."""
        self._program.loaded(noting=True)[1].clear()
