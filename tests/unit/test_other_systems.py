"""Windows and macOS lack some of what Linux has. These tests take it away, also from worker processes."""

import json
import os
import socket
import subprocess
import sys

import pytest

from rlcheck.cli.main import main
from rlcheck.engines import time_limit
from rlcheck.errors import ConfigurationError
from rlcheck.frontends.random.external import Subject
from rlcheck.report import progress

#: What Windows does not have. Python imports a module of this name when it starts.
BARE = """
import os, signal, sys

timers = ("alarm", "getitimer", "setitimer", "ITIMER_PROF", "ITIMER_REAL", "ITIMER_VIRTUAL")
for name in (*timers, "SIGALRM", "SIGPROF", "SIGVTALRM", "SIGHUP"):
    delattr(signal, name)
for name in ("fork", "forkpty", "getpgid", "killpg", "setsid"):
    delattr(os, name)
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
"""

SUBJECT = """
def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(1, 4)))]

def ascending(xs):
    return xs == sorted(xs)

def ends(xs):
    while xs == [3]:
        pass
"""


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A folder with a subject, in which every process that starts is bare."""
    (tmp_path / "sitecustomize.py").write_text(BARE)
    (tmp_path / "subject_of_bare.py").write_text(SUBJECT)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_python(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


EVERY_MODULE = """
import importlib, os, pkgutil
import rlcheck

assert not hasattr(os, "fork")
for module in pkgutil.walk_packages(rlcheck.__path__, "rlcheck."):
    if module.name.startswith(("rlcheck.learners.deep", "rlcheck.frontends.agents", "rlcheck.__main__")):
        continue  # They load packages that take long, and that may fail by themselves.
    if module.name in ("rlcheck.engines.ray", "rlcheck.lockstep", "rlcheck.frontends.random.numpy_bits"):
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        if "Install it with" not in str(error):
            raise
print("all")
"""


def test_every_module_can_be_imported(bare):
    pytest.importorskip("hypothesis")
    assert run_python("-c", EVERY_MODULE) == "all\n"


def test_the_command_line_works(bare):
    run = ["run", "subject_of_bare.py::numbers", "--valid", "ascending", "--episodes", "100", "--seed", "0"]
    result = json.loads(run_python("-m", "rlcheck", *run, "--workers", "1", "--json"))
    assert result["unique_valid"] > 10
    assert "1 runs" in run_python("-m", "rlcheck", "doctor")


def test_a_hanging_input_is_ended_from_outside(bare, monkeypatch, capsys):
    """Without timers a worker cannot interrupt itself. The process that started it kills it."""
    monkeypatch.setattr(time_limit, "_LEAST", 0.2)
    run = ["run", "subject_of_bare.py::numbers", "--test", "ends", "--episodes", "60", "--seed", "0"]
    assert main([*run, "--timeout-per-input", "0.1", "--json", "--no-save"]) == 1
    found = json.loads(capsys.readouterr().out)["failures"]
    assert {failure["message"] for failure in found} == {
        "hung outside of Python: killed after --timeout-per-input"
    }


def test_a_time_limit_without_timers_lets_everything_pass(monkeypatch):
    monkeypatch.setattr(time_limit, "_CAN_INTERRUPT", False)

    def double(x):
        return 2 * x

    limit = time_limit.TimeLimit(1.0)
    limit.restart()
    assert limit.limited(double) is double


def test_programs_in_other_languages_need_a_unix_system(monkeypatch):
    command = [sys.executable, "-c", "pass"]
    with monkeypatch.context() as patch:
        patch.delattr(os, "killpg")
        with pytest.raises(ConfigurationError, match="needs process groups, which this system does not have"):
            Subject(command)
    monkeypatch.delattr(socket, "AF_UNIX")
    Subject(command)
    with pytest.raises(ConfigurationError, match="--socket needs Unix sockets, which this system does not"):
        Subject(command, socket=True)


def test_memory_that_is_unknown_is_not_shown(monkeypatch):
    assert progress.memory_text().endswith(" MB")
    monkeypatch.setattr(progress, "memory", lambda: 0)
    assert progress.memory_text() == ""
