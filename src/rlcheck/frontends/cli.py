"""The `rlcheck` command: argument parsing only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rlcheck import __version__
from rlcheck.errors import RlcheckError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is fine, 1 a failing property, 2 misuse."""
    parser = argparse.ArgumentParser(
        prog="rlcheck", description="Property-based tests with learned guidance."
    )
    parser.add_argument("--version", action="version", version=f"rlcheck {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="race random against guided generation of binary search trees")
    demo.add_argument("--seconds", type=float, default=10.0, help="length of the race (default: 10)")
    demo.add_argument("--seed", type=int, default=0, help="same seed, same race (default: 0)")
    demo.set_defaults(run=_demo)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)  # type: ignore[no-any-return]
    except RlcheckError as error:
        print(f"rlcheck: {error}", file=sys.stderr)  # noqa: T201 - the command's own output
        return 2


def _demo(options: argparse.Namespace) -> int:
    from rlcheck.frontends.demo import race

    race(seconds=options.seconds, seed=options.seed)
    return 0
