"""Targets: what `rlcheck run` is pointed at, `path/to/file.py::name` or `package.module:name`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from rlcheck.checks import check_function
from rlcheck.cli.loading import find, import_place, split
from rlcheck.episode import Outcome
from rlcheck.errors import ConfigurationError, Signal
from rlcheck.failure import outcome_of_property, replay_call
from rlcheck.marks import Marks, is_hypothesis_test, marks_of
from rlcheck.replaying import Replay


@dataclass(frozen=True, slots=True)
class Target:
    """Names that can be loaded again in another process."""

    #: Where it is: a file and a name in it, or a module and a name in it.
    spec: str
    #: Names of the precondition and of the property, in the generator's module.
    valid: str | None = None
    test: str | None = None

    def __str__(self) -> str:
        extra = [f"--{kind} {name}" for kind, name in (("valid", self.valid), ("test", self.test)) if name]
        return " ".join([self.spec, *extra])

    @classmethod
    def parse(cls, text: str) -> Target:
        """The target that `str` gave."""
        found = re.fullmatch(r"(.*?)(?: --valid ([\w.]+))?(?: --test ([\w.]+))?", text, re.DOTALL)
        assert found is not None  # The first part matches anything.
        return cls(*found.groups())

    def load(self) -> Subject:
        """Import what it names."""
        place, name = split(self.spec)
        module = import_place(self.spec, place)
        found = find(module, name, self.spec)
        subject = Subject(self, place, name, found)
        marks = marks_of(found)
        if is_hypothesis_test(found):
            self._takes_no_options("a Hypothesis test")
            subject.hypothesis = found
        elif marks.property is not None:
            self._takes_no_options("an rlcheck.given test")
            _fill_from_property(subject, marks)
        else:
            check_function("generator", found)
            subject.valid = self._function(module, "valid", self.valid)
            subject.test = self._function(module, "test", self.test)
        return subject

    def _function(self, module: ModuleType, kind: str, name: str | None) -> Callable[[Any], Any] | None:
        if name is None:
            return None
        function = find(module, name, f"--{kind} {name}")
        check_function(kind, function)
        return function  # type: ignore[no-any-return]

    def _takes_no_options(self, what: str) -> None:
        if self.valid or self.test:
            raise ConfigurationError(
                f"target={self.spec!r} is {what}: --valid and --test are for generators. Leave them out."
            )


@dataclass(slots=True)
class Subject:
    """A loaded target: a generator with a precondition and a property, or a Hypothesis test."""

    target: Target
    place: str
    name: str
    generator: Callable[..., Any]
    valid: Callable[[Any], Any] | None = None
    test: Callable[[Any], Any] | None = None
    #: What the test's own `rlcheck.settings` say.
    settings: dict[str, Any] = field(default_factory=dict)
    episodes: int | None = None
    seconds: float | None = None
    hypothesis: Callable[..., Any] | None = None

    def fails(self, choices: Sequence[Any]) -> BaseException | None:
        """What the property raises on a recorded input; None if it passes or rejects it."""
        if self.hypothesis is not None:
            from rlcheck.frontends.hypothesis.engine import reproduce

            return reproduce(self.hypothesis, *choices)
        answers = Replay(choices)
        try:
            value = self.generator(answers)
        except Signal:
            return None
        answers.check_finished()
        return self.raises(value) if self.holds(value) else None

    def holds(self, value: Any) -> bool:
        """Whether an input meets the precondition."""
        try:
            validity = True if self.valid is None else self.valid(value)
        except Signal:
            return False
        return validity >= 1.0 if isinstance(validity, float) else bool(validity)

    def raises(self, value: Any) -> BaseException | None:
        """What the property raises on an input; None if it passes or rejects it."""
        if self.test is None:
            return None
        folder = os.getcwd()
        try:
            self.test(value)
        except BaseException as error:
            return error if outcome_of_property(error) is Outcome.FAILED else None
        finally:
            os.chdir(folder)  # Whatever the property did to it: files and places are relative to it.
        return None

    def input_of(self, choices: Sequence[int]) -> Any:
        """What the generator makes of recorded choices."""
        return self.generator(Replay(choices))

    def snippet(self, choices: Sequence[Any]) -> str:
        """A script that reproduces a failure."""
        lines = ["import rlcheck"]
        module = self.place
        if module.endswith(".py"):
            folder = os.path.dirname(module) or "."
            lines = ["import sys", "", f"sys.path.insert(0, {folder!r})", "", *lines]
            module = Path(module).stem
        if self.hypothesis is not None:
            version, blob = choices if choices else ("", "")
            lines[-1] = "import hypothesis"
            lines += [f"from {module} import {self.name}", ""]
            again = f"hypothesis.reproduce_failure({version!r}, {str(blob).encode()!r})({self.name})()"
            return "\n".join([*lines, again])
        names = [name for name in (self.name, self.target.test) if name]
        lines += [f"from {module} import {', '.join(sorted(set(names)))}", ""]
        call = replay_call(self.name, choices)
        return "\n".join([*lines, call if self.target.test is None else f"{self.target.test}({call})"])


def _fill_from_property(subject: Subject, marks: Marks) -> None:
    of, chosen = marks.property, marks.settings
    assert of is not None

    def test(inputs: dict[str, Any]) -> None:
        of.test(**inputs)

    test.__wrapped__ = of.test  # type: ignore[attr-defined]  # Coverage looks for its module.
    subject.generator, subject.test = of.make, test
    if chosen is not None:
        subject.settings = dict(chosen.campaign)
        subject.episodes, subject.seconds = chosen.episodes, chosen.seconds
    if of.unfilled:
        raise ConfigurationError(
            f"target={subject.target.spec!r} has parameters that pytest fills: {', '.join(of.unfilled)}."
            " Run it with pytest."
        )
