"""Subjects that hang, crash, lie and delete: nothing is lost, nothing is silent, every run ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rlcheck.cli.main import main

SUBJECT = """
import os
import time


class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")


def pair(choose):
    return choose(range(8)), choose(range(8))


def stuck(choose):
    choose(range(2))
    while True:
        pass


def fine(pair):
    pass


def mute(pair):
    if pair == (3, 3):
        raise Mute


def surrogate(pair):
    assert pair != (3, 3), "\\ud800 is half a character"


def deletes(pair):
    if pair == (3, 3):
        os.makedirs("gone", exist_ok=True)
        os.chdir("gone")
        os.rmdir(os.getcwd())
        raise ValueError("the working directory is gone")


def interrupts(pair):
    if pair == (3, 3):
        raise KeyboardInterrupt


def sleeps(pair):
    time.sleep(1_000)


def spins(pair):
    if pair == (3, 3):
        while True:
            pass


def swallows(pair):
    while pair == (3, 3):
        try:
            while True:
                pass
        except Exception:
            pass


def crashes_on_making(choose):
    if choose(range(8)) == 3:
        os._exit(7)
    return 0
"""


@pytest.fixture
def subject(tmp_path, monkeypatch):
    (tmp_path / "hostile.py").write_text(SUBJECT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RLCHECK_HOME", str(tmp_path / ".rlcheck"))
    return "hostile.py::pair"


def command(*arguments):
    return [sys.executable, "-m", "rlcheck", "run", *arguments]


def run(*arguments):
    """Run the command in a process of its own; one that does not end by itself fails the test."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=600, errors="replace"
    )


def failures_of(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)["failures"]


WORKERS = [(), ("--workers", "2")]


@pytest.mark.parametrize("workers", WORKERS, ids=["here", "in workers"])
@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("mute", "Mute: <str of a Mute raised ValueError>"),
        ("surrogate", "AssertionError: \\ud800 is half a character"),
        ("deletes", "ValueError: the working directory is gone"),
        ("interrupts", "KeyboardInterrupt"),
    ],
)
def test_a_failure_is_never_silent(subject, test, message, workers):
    (found,) = failures_of(subject, "--test", test, "--episodes", "200", "--seed", "0", *workers)
    assert found["message"].startswith(message)
    assert found["choices"] == [3, 3]


def test_a_failure_that_utf_8_cannot_write_is_stored_and_shown_escaped(subject, capsys):
    assert main(["run", subject, "--test", "surrogate", "--episodes", "200"]) == 1
    assert main(["show", "f1"]) == 0
    assert "\\ud800 is half a character" in capsys.readouterr().out


def test_a_time_out_is_stored_whole_and_forgotten_when_it_is_mended(subject, tmp_path, capsys):
    limits = ["--test", "spins", "--episodes", "150", "--timeout-per-input", "0.2"]
    (found,) = failures_of(subject, *limits)
    assert (found["place"], found["choices"]) == ("TimedOut in spins, hostile.py", [3, 3])
    assert main(["run", subject, *limits]) == 1, "it still hangs"
    (tmp_path / "hostile.py").write_text(SUBJECT.replace("def spins(pair):", "def spins(pair):\n    return"))
    done = run(subject, *limits)
    assert (done.returncode, "fixed: f1 passes now" in done.stdout) == (0, True)


def test_a_time_out_whose_choices_no_longer_fit_is_stale(subject, tmp_path):
    limits = ["--test", "fine", "--timeout-per-input", "0.2"]
    (found,) = failures_of("hostile.py::stuck", *limits, "--episodes", "3")
    assert found["place"] == "TimedOut in stuck, hostile.py"
    mended = SUBJECT.replace(
        "choose(range(2))\n    while True:\n        pass", "return choose(range(2)), choose([1])"
    )
    (tmp_path / "hostile.py").write_text(mended)
    done = run("hostile.py::stuck", *limits, "--episodes", "3")
    assert (done.returncode, "stale: f1 no longer fits" in done.stdout) == (0, True)


def test_a_generator_that_always_hangs_spends_the_budget(subject):
    done = run(
        "hostile.py::stuck", "--test", "fine", "--timeout-per-input", "0.05", "--episodes", "3", "--json"
    )
    told = json.loads(done.stdout)
    assert (told["episodes"], told["stopped"]) == (3, "episodes")


def test_a_hang_that_catches_the_time_out_is_a_failure(subject):
    (found,) = failures_of(subject, "--test", "swallows", "--timeout-per-input", "0.1", "--episodes", "150")
    assert found["place"].startswith("hung, and ignored the time-out")
    assert found["choices"] == [3, 3]


def test_seconds_are_a_promise(subject):
    done = run(subject, "--test", "sleeps", "--seconds", "5", "--workers", "2")
    assert done.returncode == 0
    assert "the time was up, but a worker was busy with the input with the choices [" in done.stdout


def test_a_generator_that_ends_its_process_ends_the_run_with_a_line(subject):
    done = run("hostile.py::crashes_on_making", "--episodes", "100", "--workers", "2")
    assert done.returncode == 2
    assert "died while it made an input: ended the interpreter with exit code 7" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_named_like_a_module_of_python_is_refused(subject, tmp_path, capsys):
    (tmp_path / "json.py").write_text(SUBJECT)
    assert main(["run", "json.py::pair"]) == 2
    assert "json.py has the name of a module of the standard library" in capsys.readouterr().err


def test_a_path_may_look_like_options(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "a --valid b"
    folder.mkdir()
    (folder / "dashes.py").write_text(SUBJECT)
    assert main(["run", "a --valid b/dashes.py::pair", "--test", "surrogate", "--episodes", "200"]) == 1
    assert main(["replay", "f1"]) == 1
    assert "still fails" in capsys.readouterr().out


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_may_be_closed(subject, streams):
    arguments = command(subject, "--test", "mute", "--episodes", "200")
    done = subprocess.run(["sh", "-c", f'"$@" {streams}', "sh", *arguments], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stdout + done.stderr


def test_seconds_must_be_finite(subject, capsys):
    assert main(["run", subject, "--seconds", "inf"]) == 2
    assert "seconds=inf must be above 0 and finite" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_workers_end_with_their_parent(subject):
    parent = subprocess.Popen(
        command(subject, "--test", "sleeps", "--seconds", "1000", "--workers", "2"), stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60.0
    while len(workers := _children(parent.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    while any(map(_is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_is_alive, workers))


def _children(parent):
    """The processes that a process has started: its workers, and Python's own tracker of resources."""
    return [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def _is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z" and os.getpid() != pid
