"""The check that windowed abstractions share."""

from __future__ import annotations

from rlcheck.errors import ConfigurationError


def check_window(name: str, window: int) -> int:
    """The window, if it is one."""
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise ConfigurationError(f"{name}={window!r} must be an integer of at least 1.")
    return window
