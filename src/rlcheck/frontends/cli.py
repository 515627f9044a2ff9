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
    _add_guide(commands)
    replay = commands.add_parser("replay", help="run a recording of `rlcheck guide` again, without a learner")
    replay.add_argument("file", help="what `rlcheck guide` wrote")
    replay.set_defaults(run=_replay)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)  # type: ignore[no-any-return]
    except RlcheckError as error:
        print(f"rlcheck: {error}", file=sys.stderr)  # noqa: T201 - the command's own output
        return 2


def _add_guide(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    guide = commands.add_parser("guide", help="guide a program whose random numbers come from a client")
    guide.add_argument("--learner", help="a name (default: the default learner)")
    guide.add_argument("--seed", type=int, default=0, help="same seed, same runs (default: 0)")
    guide.add_argument("--episodes", type=int, default=100, help="how many runs (default: 100)")
    guide.add_argument("--timeout", type=float, default=10.0, help="longest silence in seconds (default: 10)")
    guide.add_argument("--max-choices", type=int, default=100_000, help="longest run (default: 100000 draws)")
    guide.add_argument("--socket", action="store_true", help="use a Unix socket, not inherited pipes")
    guide.add_argument(
        "--record", default=".rlcheck/guide", help="folder of recordings (default: %(default)s)"
    )
    guide.add_argument("program", nargs="+", metavar="CMD", help="the program and its arguments, after --")
    guide.set_defaults(run=_guide)


def _guide(options: argparse.Namespace) -> int:
    from rlcheck.frontends.external import guide

    arguments = {name: value for name, value in vars(options).items() if name not in ("run", "program")}
    return int(guide(options.program, say=print, **arguments) > 0)


def _replay(options: argparse.Namespace) -> int:
    from rlcheck.frontends.external import replay

    return replay(options.file, say=print)


def _demo(options: argparse.Namespace) -> int:
    from rlcheck.frontends.demo import race

    race(seconds=options.seconds, seed=options.seed)
    return 0
