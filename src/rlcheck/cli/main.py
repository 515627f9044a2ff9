"""The `rlcheck` command: parses the arguments, runs the command, and turns errors into exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rlcheck import __version__
from rlcheck.cli.arguments import COMMANDS
from rlcheck.errors import RlcheckError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 on success, 1 if a property failed, 2 on misuse."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # It is closed, and everything that prints would fail.
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open.
    options = make_parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except (RlcheckError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # The reader of our output has closed it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        sys.stderr.write(f"rlcheck: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("rlcheck: interrupted\n")
        return 2


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="rlcheck",
        description="Property-based testing with generators that learn.",
        epilog="Exit codes: 0 success, 1 a property failed, 2 misuse.",
    )
    parser.add_argument("--version", action="version", version=f"rlcheck {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser
