"""The checks of numbers that learners share."""

from __future__ import annotations

from rlcheck.errors import ConfigurationError


def check_between(most: float, **values: float) -> None:
    """Raise when one of the values does not lie between 0 and the most."""
    for name, value in values.items():
        if not 0 <= value <= most:
            raise ConfigurationError(f"{name}={value!r} must lie between 0 and {most:,}.")


def check_above_zero(most: float, **values: float) -> None:
    """Raise when one of the values is not above 0, or higher than the most."""
    for name, value in values.items():
        if not 0 < value <= most:
            raise ConfigurationError(f"{name}={value!r} must be above 0 and at most {most:,}.")
