"""Everything rlcheck raises, in one tree.

RlcheckError
├── ConfigurationError   also ValueError    a wrong argument, found when constructing
│   ├── UnknownName      also LookupError   a learner, abstraction, ... nobody registered
│   └── MissingExtra     also ImportError   an optional package is not installed
├── ChoiceError          also ValueError    choose() was given options it cannot choose from
├── GuideError           also RuntimeError  a guide was driven out of order
├── GeneratorError       also RuntimeError  a generator or `valid` raised; shows the choices
├── ProtocolError        also ValueError    a program in another language sent an invalid message
├── ReplayError          also ValueError    a choice sequence does not fit the generator
└── NoValidInput         also AssertionError   a property never saw a valid input

Signal (BaseException, so that `except Exception` in user code cannot swallow it)
├── Rejected             assume() was false
└── Overrun              the episode made more than `max_choices` choices
"""

from __future__ import annotations

from collections.abc import Sequence


class RlcheckError(Exception):
    """The root of every error rlcheck raises."""


class ConfigurationError(RlcheckError, ValueError):
    """An argument has a value that cannot work."""


class UnknownName(ConfigurationError, LookupError):
    """A name is not registered."""


class MissingExtra(ConfigurationError, ImportError):
    """An optional package is needed and not installed."""


class ChoiceError(RlcheckError, ValueError):
    """`choose` was asked something it cannot answer."""


class GuideError(RlcheckError, RuntimeError):
    """A guide's methods were called out of order."""


class GeneratorError(RlcheckError, RuntimeError):
    """User code that is not the property raised; `choices` replays it."""

    def __init__(self, message: str, choices: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


class ProtocolError(RlcheckError, ValueError):
    """A program in another language sent an invalid message."""


class ReplayError(RlcheckError, ValueError):
    """A recorded choice sequence does not fit the generator."""


class NoValidInput(RlcheckError, AssertionError):
    """A property was never given a valid input."""


class Signal(BaseException):
    """Unwinds user code to the end of the episode; never leaves a campaign."""


class Rejected(Signal):
    """An assumption does not hold: the episode is INVALID."""


class Overrun(Signal):
    """The episode made too many choices: it is INVALID."""
