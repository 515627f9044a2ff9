"""Programs in other languages: the protocol, its clients, and a guide that nothing can hang or crash."""

import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.toolchains import find, find_go

from rlcheck.cli.main import main
from rlcheck.errors import ConfigurationError, ProtocolError, ReplayError
from rlcheck.frontends.random import channel
from rlcheck.frontends.random.external import VARIABLE, Subject, guide, replay
from rlcheck.frontends.random.recording import read_actions, write_actions

HERE = Path(__file__).parent / "external"
CLIENTS = Path(__file__).parents[2] / "clients"
VECTORS = json.loads((CLIENTS / "vectors.json").read_text())
PAIRS = [(draw["n"], draw["action"]) for draw in VECTORS["draws"]]
ACTIONS = [action for _, action in PAIRS]


def python(how):
    return [sys.executable, str(HERE / "subject.py"), how]


@pytest.fixture(scope="session")
def c_subject(tmp_path_factory):
    compiler = find("cc", "gcc")
    made = tmp_path_factory.mktemp("c") / "subject"
    flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{CLIENTS}"]
    subprocess.run([compiler, *flags, "-o", made, HERE / "subject.c"], check=True)
    return [str(made)]


@pytest.fixture(scope="session")
def go_subject(tmp_path_factory):
    compiler = find_go()
    folder = tmp_path_factory.mktemp("go")
    (folder / "rlcheck").mkdir()
    shutil.copy(CLIENTS / "rlcheck.go", folder / "rlcheck")
    shutil.copy(HERE / "subject.go", folder / "main.go")
    (folder / "go.mod").write_text("module subject\n\ngo 1.21\n")
    subprocess.run([compiler, "build", "-o", "subject", "."], cwd=folder, check=True)
    return [str(folder / "subject")]


@pytest.fixture(scope="session")
def java_subject(tmp_path_factory):
    compiler = find("javac", "openjdk-17-jdk-headless")
    folder = tmp_path_factory.mktemp("java")
    sources = [CLIENTS / "java/src/main/java/rlcheck/Guide.java", HERE / "Subject.java"]
    subprocess.run([compiler, "-d", folder, *sources], check=True)
    return ["java", "-cp", str(folder), "Subject"]


@pytest.fixture(params=["python", "c", "javascript", "go", "java"])
def client(request):
    """The command of a subject that makes the draws of the vectors."""
    if request.param == "python":
        return python("vectors")
    if request.param == "javascript":
        return [find("node", "nodejs"), str(HERE / "subject.js")]
    return request.getfixturevalue(f"{request.param}_subject")


def answer(pairs):
    left = iter(pairs)

    def answering(n, state):
        size, action = next(left)
        assert size == n
        assert state, "every client says where it draws"
        return action

    return answering


def test_a_client_makes_the_draws_of_the_vectors(client):
    run = Subject(client, timeout=600.0).run(answer(PAIRS), lambda value: None)
    assert (run.ended, run.pairs) == ("pass", PAIRS), run.log
    assert json.loads(run.log) == ACTIONS


def test_a_client_replays_a_file_by_itself(client, tmp_path):
    path = tmp_path / "actions.jsonl"
    write_actions(path, PAIRS)
    environment = {**os.environ, VARIABLE: str(path)}
    done = subprocess.run(client, env=environment, capture_output=True, text=True, timeout=600)
    assert json.loads(done.stdout) == ACTIONS, done.stderr


@pytest.mark.parametrize("pairs", [PAIRS[:3], [*PAIRS[:2], (7, 0), *PAIRS[3:]]])
def test_a_client_checks_the_file_it_replays(client, pairs, tmp_path):
    path = tmp_path / "actions.jsonl"
    write_actions(path, pairs)
    environment = {**os.environ, VARIABLE: str(path)}
    done = subprocess.run(client, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode != 0
    assert "record" in done.stderr or "options" in done.stderr


def test_a_client_is_short():
    for path in CLIENTS.glob("rlcheck*.*"):
        assert len(path.read_text().splitlines()) < 280, path


def test_a_unix_socket_does_too(c_subject):
    for command in (c_subject, python("vectors")):
        run = Subject(command, socket=True, timeout=600.0).run(answer(PAIRS), lambda value: None)
        assert (run.ended, run.pairs) == ("pass", PAIRS), run.log


@pytest.mark.heavy
def test_a_source_for_math_rand_in_go(tmp_path):
    compiler = find_go()
    for name in ("rlcheck.go", "rlcheck_test.go"):
        shutil.copy(CLIENTS / name, tmp_path)
    (tmp_path / "go.mod").write_text("module rlcheck\n\ngo 1.21\n")
    subprocess.run([compiler, "test", "."], cwd=tmp_path, check=True)


@pytest.mark.heavy
def test_a_random_and_a_source_for_quickcheck_in_java(tmp_path):
    maven = find("mvn", "maven")
    shutil.copytree(CLIENTS / "java", tmp_path / "java", ignore=shutil.ignore_patterns("target"))
    subprocess.run([maven, "--quiet", "--batch-mode", "test"], cwd=tmp_path / "java", check=True)


@pytest.mark.parametrize("language", ["go", "java"])
def test_a_unix_socket_does_too_there(language, request):
    command = request.getfixturevalue(f"{language}_subject")
    run = Subject(command, socket=True, timeout=600.0).run(answer(PAIRS), lambda value: None)
    assert (run.ended, run.pairs) == ("pass", PAIRS), run.log


def test_coverage_and_call_stacks_arrive(c_subject):
    covered, states = [], []

    def answering(n, state):
        states.append(state)
        return 0

    Subject(c_subject, timeout=600.0).run(answering, covered.append)
    assert covered[:5] == [0.5, 1.0, 1.5, 2.0, 2.5]
    assert states[0][-1].startswith("roll:")
    assert len(states[0]) > 1, "the stack is more than the place"
    assert len(set(states)) == 1, "a loop draws in one place, wherever the program is loaded"


@pytest.mark.parametrize(
    ("how", "ended"),
    [
        ("pass", "pass"),
        ("invalid", "invalid"),
        ("fail", "fail"),
        ("crash", "crash"),
        ("nothing said", "pass"),
    ],
)
def test_how_a_run_ends(how, ended):
    run = Subject(python(how), timeout=600.0).run(lambda n, state: 0, lambda value: None)
    assert run.ended == ended
    if how == "crash":
        assert "about to abort" in run.log


def test_a_silent_subject_is_killed_with_all_that_it_started():
    run = Subject(python("silent"), timeout=2.0).run(lambda n, state: 0, lambda value: None)
    assert run.ended == "silent"
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 1234.5" not in left


def test_an_endless_subject_is_cut_off(tmp_path):
    assert guide(python("endless"), episodes=1, max_choices=50, record=tmp_path) == 0
    recording = read_actions(tmp_path / "last.jsonl")
    assert len(recording.pairs) == 50
    assert recording.header["ended"] == "overrun"


def test_a_guide_finds_a_failure_and_replays_it(tmp_path, capsys):
    said = []
    learner = "monte-carlo"
    failed = guide(
        python("crash"), episodes=1, learner=learner, record=tmp_path, say=said.append, timeout=600.0
    )
    assert failed == 1
    assert "about to abort" in (tmp_path / "failed-0.log").read_text()
    assert said[0].endswith(f"rlcheck replay {tmp_path / 'failed-0.jsonl'}")
    assert main(["replay", str(tmp_path / "failed-0.jsonl")]) == 1
    assert "replayed 1 of 1 draws: crash" in capsys.readouterr().out


def test_the_command_guides_and_replays(tmp_path, capsys):
    command = ["guide", "--episodes", "2", "--seed", "3", "--record", str(tmp_path), "--", *python("dice")]
    assert main(command) == 0
    first = (tmp_path / "last.jsonl").read_text()
    assert main(command) == 0
    assert (tmp_path / "last.jsonl").read_text() == first, "the same seed makes the same runs"
    rolls = [action + 1 for _, action in read_actions(tmp_path / "last.jsonl").pairs]
    capsys.readouterr()
    assert replay(tmp_path / "last.jsonl", say=print) == 0
    assert f"rolled {rolls}" in capsys.readouterr().out


def test_a_replay_is_checked(tmp_path):
    path = tmp_path / "actions.jsonl"
    header = {"command": python("vectors")}
    write_actions(path, [(6, 2), (3, 1)], **header)
    with pytest.raises(ReplayError, match="recorded as one of 3 options"):
        replay(path)
    write_actions(path, [*PAIRS, (6, 1)], **header)
    with pytest.raises(ReplayError, match="made only 5"):
        replay(path)
    write_actions(path, PAIRS)
    with pytest.raises(ReplayError, match="names no command"):
        replay(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"command": ["there is no such program"]}, "must begin with a program"),
        ({"command": []}, "must begin with a program"),
        ({"timeout": 0.0}, "timeout="),
        ({"episodes": 0}, "episodes="),
        ({"ahead": 0}, "ahead="),
        ({"learner": "nothing"}, "is not known"),
    ],
)
def test_wrong_arguments_are_refused(options, message, tmp_path):
    with pytest.raises(ConfigurationError, match=message):
        guide(**{"command": python("pass"), "record": tmp_path, **options})


def test_a_program_without_a_client_is_named(tmp_path):
    for socket in (False, True):
        with pytest.raises(ProtocolError, match="before it said hello"):
            guide(["true"], record=tmp_path, socket=socket)


HELLO = b'{"rlcheck": 1}\n'


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\n",
        b'{"rlcheck": 2}\n',
        b'{"n": 6}\n',
        HELLO + b'{"n": 6',
        HELLO + b"x" * 100_000,
        HELLO + b'{"n": 6, "state": ["' + b"x" * 70_000 + b'"]}\n',
        HELLO + b'{"n": 6, "state": [' + b'"f",' * 40 + b'"f"]}\n',
        HELLO + b"[" * 60_000 + b"\n",
        HELLO + b'{"n": ' + b"9" * 60_000 + b"}\n",
        HELLO + b"\xff\xfe\n",
        HELLO + b"0\n",
        HELLO + b'{"n": 6, "ahead": 2}\n1\n',
        HELLO + b'{"n": 6, "ahead": 2}\n0\n0\n',
        HELLO + b'{"n": 6, "ahead": 2}\n' + b"9" * 60_000 + b"\n",
        *[HELLO + line.encode() + b"\n" for line in VECTORS["malformed"]],
    ],
)
def test_a_wrong_message_ends_the_run_with_an_error(sent, tmp_path):
    (tmp_path / "sent").write_bytes(sent)
    script = 'fds=${RLCHECK_GUIDE#fd:}; cat "$0" >&${fds#*,}; exec sleep 30'
    if not sent or sent == HELLO + b'{"n": 6' or sent == HELLO + b"x" * 100_000:
        script = script.replace("exec sleep 30", "exit 0")
    with pytest.raises(ProtocolError, match=r"message|hello|must be|client speaks|no answer left"):
        Subject(["bash", "-c", script, str(tmp_path / "sent")], timeout=600.0).run(
            lambda n, state: 0, lambda value: None, ahead=2
        )


def test_ten_thousand_broken_messages_are_refused_or_understood():
    rng = random.Random(0)
    seeds = [b'{"n": 6, "state": ["main:1", "roll:2"], "coverage": 3}', b'{"end": "pass"}', b'{"rlcheck": 1}']
    seeds += [line.encode() for line in VECTORS["malformed"]]
    refused = 0
    for _ in range(10_000):
        line = bytearray(rng.choice(seeds) * rng.choice((1, 1, 1, 2)))
        for _ in range(rng.randint(0, 4)):
            if line:
                place = rng.randrange(len(line))
                line[place : place + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        line = bytes(line[: rng.randint(0, len(line) + 5)])
        try:
            ended = channel.end_of(line)
            if ended is None:
                n, state, ahead, coverage = channel.request_of(line)
                assert 1 <= n <= 2**64
                assert 1 <= ahead <= 256
                assert 1 <= len(state) <= 32
                assert coverage >= 0.0
        except ProtocolError:
            refused += 1
    assert 5_000 < refused < 10_000


def test_a_subject_that_floods_and_never_reads_does_not_hang_the_guide():
    script = "fds=${RLCHECK_GUIDE#fd:}; echo '{\"rlcheck\": 1}' >&${fds#*,}; yes '{\"n\": 6}' >&${fds#*,}"
    run = Subject(["bash", "-c", script], timeout=1.0).run(lambda n, state: 5, lambda value: None)
    assert run.ended == "silent"


#: Greets the guide; what follows runs as its subject.
GREETING = """fds=${RLCHECK_GUIDE#fd:}; echo '{"rlcheck": 1}' >&${fds#*,}; """


def asking(*lines):
    """The command of a subject that sends lines without reading an answer."""
    return ["bash", "-c", GREETING + f"printf '%s\\n' {shlex.join(lines)} >&${{fds#*,}}; exit 3"]


def test_draws_that_were_answered_ahead_are_recorded_when_they_are_made():
    numbers = iter(range(100))
    command = asking(
        '{"n": 50, "ahead": 3}', '{"n": 60, "ahead": 2}', "1", "0", '{"n": 50, "ahead": 9}', "0", "2"
    )
    run = Subject(command, timeout=600.0).run(lambda n, state: next(numbers), lambda value: None, ahead=4)
    assert run.ended == "crash"
    assert run.pairs == [(50, 0), (60, 3), (60, 4), (50, 1), (50, 5), (50, 2), (50, 6)]
    assert next(numbers) == 9, "a guide gives no more answers than it wants to"


def test_a_guide_need_not_answer_ahead():
    run = Subject(asking('{"n": 6, "ahead": 256}'), timeout=600.0).run(lambda n, state: 4, lambda value: None)
    assert run.pairs == [(6, 4)]


@pytest.mark.heavy
def test_runs_that_were_answered_ahead_replay(go_subject, tmp_path, capsys):
    assert guide([*go_subject, "100"], learner="uniform", episodes=3, ahead=64, record=tmp_path) == 0
    made = read_actions(tmp_path / "last.jsonl")
    assert len(made.pairs) == 100
    total = sum(action for _, action in made.pairs)
    assert replay(tmp_path / "last.jsonl", say=print) == 0
    assert f"{total}\nreplayed 100 of 100 draws: pass" in capsys.readouterr().out
    environment = {**os.environ, VARIABLE: str(tmp_path / "last.jsonl")}
    done = subprocess.run(
        [*go_subject, "100"], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout == f"{total}\n", "no guide is needed"


def test_of_a_long_output_the_end_is_kept():
    script = GREETING + "yes | head -c 30000000; echo the end; exit 3"
    run = Subject(["bash", "-c", script], timeout=600.0).run(lambda n, state: 0, lambda value: None)
    assert run.ended == "crash"
    assert run.log.endswith("y\nthe end\n")
    assert len(run.log) == 2**16


def test_a_process_that_escaped_does_not_hold_up_a_run():
    script = GREETING + "setsid sleep 600 & echo $!; exit 3"
    run = Subject(["bash", "-c", script], timeout=1.0).run(lambda n, state: 0, lambda value: None)
    assert run.ended == "silent"  # The process holds the channel too.
    os.kill(int(run.log), signal.SIGKILL)
