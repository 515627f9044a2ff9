"""The `rlcheck` command: argument parsing only. Each command has a module of its own, imported on demand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from rlcheck import __version__
from rlcheck.errors import RlcheckError

#: Adds a command to the parser.
AddCommand = Callable[["argparse._SubParsersAction[argparse.ArgumentParser]"], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is fine, 1 a failing property, 2 misuse."""
    options = make_parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except (RlcheckError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # Who reads our output has seen enough.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        sys.stderr.write(f"rlcheck: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("rlcheck: interrupted\n")
        return 2


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="rlcheck",
        description="Property-based tests with learned guidance.",
        epilog="Exit codes: 0 fine, 1 a property failed, 2 misuse.",
    )
    parser.add_argument("--version", action="version", version=f"rlcheck {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in _COMMANDS:
        add(commands)
    return parser


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help="run a generator or a test under a learner, and keep what it finds")
    run.add_argument("target", metavar="TARGET", help="path/to/file.py::name or package.module:name")
    run.add_argument("--valid", metavar="NAME", help="the precondition, a function beside the generator")
    run.add_argument("--test", metavar="NAME", help="the property, a function beside the generator")
    run.add_argument("--seconds", type=float, help="stop after so long")
    run.add_argument("--episodes", type=int, help="stop after so many inputs (default: 10,000)")
    run.add_argument("--learner", help="see: rlcheck learners (default: diverse)")
    run.add_argument("--compare", metavar="LEARNER", help="race against this learner, for example uniform")
    run.add_argument("--abstraction", help="how states are made (default: the learner's own)")
    run.add_argument("--characteristic", help="what makes two inputs the same (default: identity)")
    run.add_argument("--seed", type=int, help="same seed, same inputs (default: drawn)")
    run.add_argument(
        "--policy", metavar="RUN|FILE", help="begin with what a stored run, or Campaign.save, learned"
    )
    run.add_argument("--workers", type=int, metavar="N", help="so many processes that share what they find")
    run.add_argument(
        "--engine", choices=("processes", "ray"), default="processes", help="what the workers are"
    )
    run.add_argument("--ray-address", metavar="ADDRESS", help="a cluster (default: Ray on this machine)")
    run.add_argument(
        "--timeout-per-input",
        type=float,
        metavar="SECONDS",
        help="an input that takes longer fails (in a worker)",
    )
    run.add_argument(
        "--save",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep the run in .rlcheck/ (default)",
    )
    _add_json(run)
    run.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlcheck.cli.run import Options, run
    from rlcheck.cli.targets import Target

    chosen = vars(options)
    target = Target(chosen.pop("target"), chosen.pop("valid"), chosen.pop("test"))
    del chosen["run"]
    return run(Options(target, **chosen))


def _add_demo(commands: Any) -> None:
    demo = commands.add_parser("demo", help="race random against guided generation of binary search trees")
    demo.add_argument("--seconds", type=float, default=10.0, help="length of the race (default: 10)")
    demo.add_argument("--seed", type=int, default=0, help="same seed, same race (default: 0)")
    demo.set_defaults(run=_calls("cli.demo:race"))


def _add_guide(commands: Any) -> None:
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
    guide.add_argument("command", nargs="+", metavar="CMD", help="the program and its arguments, after --")
    guide.set_defaults(run=_guide)


def _guide(options: argparse.Namespace) -> int:
    return int(_calls("frontends.random.external:guide", say=print)(options) > 0)


def _add_replay(commands: Any) -> None:
    replay = commands.add_parser("replay", help="run a recorded failure again")
    replay.add_argument("what", metavar="ID|FILE", help="a failure (f1), a run (1), or a file of rlcheck")
    _add_json(replay)
    replay.set_defaults(run=_calls("cli.replay:replay"))


def _add_show(commands: Any) -> None:
    show = commands.add_parser("show", help="show a run (1) or a failure (f1)")
    show.add_argument("number", metavar="ID")
    _add_json(show)
    show.set_defaults(run=_calls("cli.show:show"))


def _add_list(commands: Any) -> None:
    listing = commands.add_parser("list", help="list the stored runs and the open failures")
    _add_json(listing)
    listing.set_defaults(run=_calls("cli.show:listing"))


def _add_report(commands: Any) -> None:
    report = commands.add_parser("report", help="write a page about stored runs")
    report.add_argument("numbers", nargs="*", type=int, metavar="ID", help="runs (default: the last one)")
    report.add_argument("-o", "--output", default="rlcheck.html", help="the file (default: rlcheck.html)")
    report.set_defaults(run=_calls("cli.report:report"))


def _add_corpus(commands: Any) -> None:
    corpus = commands.add_parser("corpus", help="what to do with the inputs of a run")
    actions = corpus.add_subparsers(required=True, metavar="ACTION")
    export = actions.add_parser("export", help="write the inputs of a run as files")
    export.add_argument("folder", metavar="DIR")
    export.add_argument("number", nargs="?", type=int, metavar="ID", help="the run (default: the last one)")
    export.add_argument(
        "--most", type=int, default=10_000, metavar="N", help="at most so many (default: 10,000)"
    )
    export.set_defaults(run=_calls("cli.corpus:export"))


def _add_learners(commands: Any) -> None:
    learners = commands.add_parser("learners", help="the learners there are, and what some of them lack")
    _add_json(learners)
    learners.set_defaults(run=_calls("cli.learners:learners"))


def _add_doctor(commands: Any) -> None:
    doctor = commands.add_parser("doctor", help="check this installation and the stored runs")
    _add_json(doctor)
    doctor.set_defaults(run=_calls("cli.doctor:doctor"))


def _add_completion(commands: Any) -> None:
    completion = commands.add_parser("completion", help="print a script that completes rlcheck in a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> int:
    sys.stdout.write(_calls("cli.completion:script", parser=make_parser())(options))
    return 0


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", dest="as_json", action="store_true", help="print one JSON object, and nothing else"
    )


def _calls(place: str, **more: Any) -> Callable[[argparse.Namespace], Any]:
    """A function that imports another one when it is called, and passes it the options by name."""

    def run(options: argparse.Namespace) -> Any:
        module, _, name = place.partition(":")
        function = getattr(import_module(f"rlcheck.{module}"), name)
        return function(**{key: value for key, value in vars(options).items() if key != "run"}, **more)

    return run


_COMMANDS: list[AddCommand] = [
    _add_run,
    _add_demo,
    _add_guide,
    _add_replay,
    _add_show,
    _add_list,
    _add_report,
    _add_corpus,
    _add_learners,
    _add_doctor,
    _add_completion,
]
