"""The command line."""

import pytest

from rlcheck import __version__
from rlcheck.frontends.cli import main


def test_demo_races_and_prints_a_closing_table(capsys):
    pytest.importorskip("rich")
    assert main(["demo", "--seconds", "0.5"]) == 0
    output = capsys.readouterr().out
    for word in ("random", "guided", "unique valid", "largest tree", "inputs/s", "times as many"):
        assert word in output


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["demo", "--seconds", "x"]])
def test_misuse_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: rlcheck" in capsys.readouterr().err


def test_a_bad_value_is_one_line_and_2(capsys):
    pytest.importorskip("rich")
    assert main(["demo", "--seconds", "-1"]) == 2
    assert capsys.readouterr().err == "rlcheck: seconds=-1.0 must be above 0.\n"


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"rlcheck {__version__}\n"
