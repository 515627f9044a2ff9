"""The arguments of each command. A command's module is imported when the command runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

#: Adds a command to the parser.
AddCommand = Callable[["argparse._SubParsersAction[argparse.ArgumentParser]"], None]


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help="run a generator or a test with a learner, and store the results")
    run.add_argument("target", metavar="TARGET", help="path/to/file.py::name or package.module:name")
    run.add_argument("--valid", metavar="NAME", help="precondition: a function in the generator's module")
    run.add_argument("--test", metavar="NAME", help="property: a function in the generator's module")
    run.add_argument("--seconds", type=float, help="stop after this many seconds")
    run.add_argument("--episodes", type=int, help="stop after this many inputs (default: 10,000)")
    run.add_argument("--learner", help="learner to use; see: rlcheck learners (default: diverse)")
    run.add_argument("--compare", metavar="LEARNER", help="race against this learner, for example uniform")
    run.add_argument("--abstraction", help="how states are made (default: the learner's own)")
    run.add_argument("--characteristic", help="what makes two inputs the same (default: identity)")
    run.add_argument("--seed", type=int, help="same seed, same inputs (default: drawn at random)")
    run.add_argument(
        "--policy",
        metavar="RUN|FILE",
        help="start from what a stored run learned, or from a file of Campaign.save",
    )
    run.add_argument("--workers", type=int, metavar="N", help="number of workers, which share what they find")
    run.add_argument(
        "--engine",
        choices=("processes", "ray"),
        default="processes",
        help="where workers run: processes or Ray (default: processes)",
    )
    run.add_argument("--ray-address", metavar="ADDRESS", help="Ray cluster (default: start Ray here)")
    run.add_argument(
        "--timeout-per-input",
        type=float,
        metavar="SECONDS",
        help="an input that uses more processor time is a failure (runs in a worker)",
    )
    run.add_argument(
        "--save",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="store the run in .rlcheck/ (default)",
    )
    run.add_argument("--dashboard", action="store_true", help="show the run in a browser while it goes on")
    _add_json(run)
    run.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlcheck.cli.options import Options
    from rlcheck.cli.run import run
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
    guide = commands.add_parser("guide", help="guide a program that draws its random numbers from a client")
    guide.add_argument("--learner", help="learner to use; see: rlcheck learners (default: diverse)")
    guide.add_argument("--seed", type=int, default=0, help="same seed, same runs (default: 0)")
    guide.add_argument("--episodes", type=int, default=100, help="number of runs (default: 100)")
    guide.add_argument(
        "--timeout", type=float, default=10.0, help="seconds without a message before a kill (default: 10)"
    )
    guide.add_argument(
        "--max-choices", type=int, default=100_000, help="draws before a run is cut off (default: 100000)"
    )
    guide.add_argument(
        "--ahead", type=int, default=1, help="draws to answer at a time, if the client asks (default: 1)"
    )
    guide.add_argument("--socket", action="store_true", help="use a Unix socket instead of inherited pipes")
    guide.add_argument(
        "--record", default=".rlcheck/guide", help="folder for recordings (default: %(default)s)"
    )
    guide.add_argument("command", nargs="+", metavar="CMD", help="the program and its arguments, after --")
    guide.set_defaults(run=_guide)


def _guide(options: argparse.Namespace) -> int:
    return int(_calls("frontends.random.external:guide", say=print)(options) > 0)


def _add_replay(commands: Any) -> None:
    replay = commands.add_parser("replay", help="run a recorded failure again")
    replay.add_argument("what", metavar="ID|FILE", help="a failure (f1), a run (1), or a file from rlcheck")
    _add_json(replay)
    replay.set_defaults(run=_calls("cli.replay:replay"))


def _add_show(commands: Any) -> None:
    show = commands.add_parser("show", help="show a run (1) or a failure (f1)")
    show.add_argument("number", metavar="ID")
    _add_json(show)
    show.set_defaults(run=_calls("cli.show:show"))


def _add_report(commands: Any) -> None:
    report = commands.add_parser("report", help="write an HTML page about stored runs")
    report.add_argument("numbers", nargs="*", type=int, metavar="ID", help="runs (default: the last one)")
    report.add_argument(
        "-o", "--output", default="rlcheck.html", help="file to write (default: rlcheck.html)"
    )
    report.set_defaults(run=_calls("cli.report:report"))


def _add_dashboard(commands: Any) -> None:
    dashboard = commands.add_parser("dashboard", help="show stored and running runs in a browser")
    dashboard.add_argument(
        "--port", type=int, default=8765, help="port to serve on, 0 for any (default: %(default)s)"
    )
    dashboard.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to serve on; if other machines can reach it, a token is needed (default: %(default)s)",
    )
    dashboard.set_defaults(run=_calls("cli.dashboard:dashboard"))


def _add_corpus(commands: Any) -> None:
    corpus = commands.add_parser("corpus", help="work with the inputs of a run")
    actions = corpus.add_subparsers(required=True, metavar="ACTION")
    export = actions.add_parser("export", help="write the inputs of a run as files")
    export.add_argument("folder", metavar="DIR")
    export.add_argument("number", nargs="?", type=int, metavar="ID", help="the run (default: the last one)")
    export.add_argument(
        "--most", type=int, default=10_000, metavar="N", help="write at most N inputs (default: 10,000)"
    )
    export.set_defaults(run=_calls("cli.corpus:export"))


def _add_completion(commands: Any) -> None:
    completion = commands.add_parser("completion", help="print a completion script for a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> int:
    from rlcheck.cli.main import make_parser

    sys.stdout.write(_calls("cli.completion:script", parser=make_parser())(options))
    return 0


def _adds(name: str, place: str, about: str) -> AddCommand:
    """A command whose only option is --json."""

    def add(commands: Any) -> None:
        command = commands.add_parser(name, help=about)
        _add_json(command)
        command.set_defaults(run=_calls(place))

    return add


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", dest="as_json", action="store_true", help="print one JSON object and nothing else"
    )


def _calls(place: str, **more: Any) -> Callable[[argparse.Namespace], Any]:
    """A function that imports `module:function` when it is called, and passes it the options by name."""

    def run(options: argparse.Namespace) -> Any:
        module, _, name = place.partition(":")
        function = getattr(import_module(f"rlcheck.{module}"), name)
        return function(**{key: value for key, value in vars(options).items() if key != "run"}, **more)

    return run


COMMANDS: list[AddCommand] = [
    _add_run,
    _add_demo,
    _add_guide,
    _add_replay,
    _add_show,
    _adds("list", "cli.show:listing", "list the stored runs and the open failures"),
    _add_report,
    _add_dashboard,
    _add_corpus,
    _adds("learners", "cli.learners:learners", "list the learners, and the extras that some need"),
    _adds("doctor", "cli.doctor:doctor", "check this installation and the stored runs"),
    _add_completion,
]
