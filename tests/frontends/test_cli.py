"""The command line: what it parses, what it answers to misuse, and what it loads."""

import json
import random
import shutil
import subprocess
import sys

import pytest

from rlcheck import __version__, registry
from rlcheck.cli.main import main, make_parser

COMMANDS = ("completion", "corpus", "demo", "doctor", "learners", "list", "replay", "report", "run", "show")


def test_demo_races_and_prints_a_closing_table(capsys):
    pytest.importorskip("rich")
    assert main(["demo", "--seconds", "0.5"]) == 0
    output = capsys.readouterr().out
    for word in ("random", "guided", "unique", "shapes", "effective", "largest", "times as many"):
        assert word in output


def test_a_tree_is_drawn_with_its_root_on_top():
    pytest.importorskip("rich")
    from rlcheck.cli.demo import Tree, drawing

    made = Tree(4, Tree(2, None, Tree(3)), Tree(9, Tree(8), Tree(10)))
    assert [line.rstrip() for line in drawing(made)] == ["╭─4─╮", "2╮ ╭9╮", " 3 8 10"]
    assert drawing(Tree(7)) == ["7"]


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["demo", "--seconds", "x"], ["run"], ["corpus"]])
def test_misuse_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: rlcheck" in capsys.readouterr().err


def test_a_bad_value_is_one_line_and_2(capsys):
    pytest.importorskip("rich")
    assert main(["demo", "--seconds", "-1"]) == 2
    assert capsys.readouterr().err == "rlcheck: seconds=-1.0 must be a number above 0.\n"


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"rlcheck {__version__}\n"


def test_help_names_every_command_and_loads_nothing_heavy():
    code = """
import sys
from rlcheck.cli.main import main
try:
    main(["--help"])
finally:
    heavy = {"rich", "hypothesis", "sqlite3", "multiprocessing", "numpy", "ray", "torch"}
    print(sorted(heavy & set(sys.modules)), sum(name.startswith("rlcheck.cli") for name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    for command in COMMANDS:
        assert f"    {command}" in done.stdout
    # The package, its parser and its arguments; no command.
    assert done.stdout.endswith("[] 3\n")


def random_line(rng):
    """A command line that is wrong in some place."""
    words = ["--seconds", "--episodes", "--seed", "--learner", "--compare", "--workers", "--json", "--valid"]
    words += [
        "--engine",
        "--policy",
        "--timeout-per-input",
        "-o",
        "--no-save",
        "--most",
        "export",
        "bash",
        "",
    ]
    words += [
        "0",
        "-1",
        "1e99",
        "nan",
        "x",
        "f0",
        "99999",
        "f99",
        "no/such.py::name",
        "nowhere:at",
        "a::",
        ":",
    ]
    words += ["\x00", "é☃", "--", "--nothing", "-" * 50, "a" * 3_000, "json:dumps", "json:nothing", "9" * 400]
    command = rng.choice([*COMMANDS, "", "rnu", "--json"])
    line = [command, *(rng.choice(words) for _ in range(rng.randrange(6)))]
    # These are right as they stand: the first races, the others print.
    if line[0] == "demo" or "json:dumps" in line:
        line.append("--nothing")
    return line


def outcome_of(arguments):
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code


def test_a_thousand_bad_command_lines_are_told_so(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(0)
    misused = 0
    for _ in range(1_000):
        line = random_line(rng)
        code = outcome_of(line)
        said = capsys.readouterr()
        assert code in (0, 2), line
        assert "Traceback" not in said.out + said.err
        if code == 2:
            misused += 1
            assert said.err.strip(), line
    assert misused > 800


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_options_and_names(shell, capsys, tmp_path):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command in COMMANDS:
        assert command in script
    for word in ("timeout-per-input", "characteristic", *registry.names("learner")):
        assert word in script
    if shutil.which(shell):
        path = tmp_path / "script"
        path.write_text(script)
        subprocess.run([shell, "-n", str(path)], check=True, timeout=600)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [("rlcheck ru", "run"), ("rlcheck run --see", "--seed"), ("rlcheck run --learner dive", "diverse")],
)
def test_bash_completes(typed, offered, capsys):
    main(["completion", "bash"])
    words = typed.split()
    quoted = " ".join(f"'{word}'" for word in words)
    setting = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}"
    code = f"{capsys.readouterr().out}\n{setting}; _rlcheck; echo $COMPREPLY"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == offered


def test_learners_are_listed_with_what_they_lack(capsys, monkeypatch):
    monkeypatch.setitem(registry.KNOWN["learner"], "ghost", "ray_of_nowhere:Ghost")
    monkeypatch.setitem(registry.EXTRAS, "ray_of_nowhere", "ghosts")
    assert main(["learners", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["learners"]}
    assert rows["ghost"]["missing"] == "pip install '.[ghosts]' (in a clone of rlcheck)"
    assert rows["diverse"]["default"]
    assert main(["learners"]) == 0
    assert "pip install '.[ghosts]'" in capsys.readouterr().out


def test_doctor_says_what_is_there(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--json"]) == 0
    findings = {one["about"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
    assert __version__ in findings["rlcheck"]["text"]
    assert findings["stored runs"]["text"].startswith("none in")
    (tmp_path / ".rlcheck").mkdir()
    (tmp_path / ".rlcheck" / "runs.db").write_text("nonsense " * 100)
    assert main(["doctor"]) == 0
    assert "note  stored runs: .rlcheck/runs.db cannot be read" in capsys.readouterr().out


def test_every_option_has_a_help_text():
    for command in make_parser()._subparsers._group_actions[0].choices.values():
        for action in command._actions:
            if action.option_strings:
                assert action.help, action
