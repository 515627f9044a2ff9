"""`rlcheck completion`: scripts that complete commands, options and names, generated from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rlcheck import registry

#: The values of options.
_VALUES = {f"--{kind}": registry.names(kind) for kind in ("abstraction", "characteristic", "learner")}
_VALUES["--compare"] = _VALUES["--learner"]

_BASH = """_rlcheck() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    case "$before" in
{values}
    esac
    case "${{COMP_WORDS[1]}}" in
{commands}
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{names}" -- "$current"))
    else
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
}}
complete -F _rlcheck rlcheck
"""

_BASH_CASE = '        {key}) COMPREPLY=($(compgen -W "{words}" -- "$current")){end};;'


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell."""
    commands = dict(_commands(parser))
    if shell == "fish":
        return "\n".join(_fish(commands)) + "\n"
    cases = [
        _BASH_CASE.format(key=name, words=" ".join(_words(one)), end="") for name, one in commands.items()
    ]
    values = [
        _BASH_CASE.format(key=option, words=" ".join(names), end="; return")
        for option, names in sorted(_VALUES.items())
    ]
    made = _BASH.format(values="\n".join(values), commands="\n".join(cases), names=" ".join(commands))
    if shell == "bash":
        return made
    return f"#compdef rlcheck\nautoload -U +X bashcompinit && bashcompinit\n{made}"


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _words(command: argparse.ArgumentParser) -> list[str]:
    """The options of a command, and its other words."""
    options = [option for action in command._actions for option in action.option_strings]
    words = [
        str(word) for action in command._actions if not action.option_strings for word in action.choices or ()
    ]
    return [*options, *words]


def _fish(commands: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    first = f"not __fish_seen_subcommand_from {' '.join(commands)}"
    for name, command in commands.items():
        yield f"complete -c rlcheck -n '{first}' -a {name}"
        seen = f"__fish_seen_subcommand_from {name}"
        for word in _words(command):
            if word.startswith("--"):
                values = _VALUES.get(word)
                takes = f" -x -a '{' '.join(values)}'" if values else ""
                yield f"complete -c rlcheck -n '{seen}' -l {word[2:]}{takes}"
            elif not word.startswith("-"):
                yield f"complete -c rlcheck -n '{seen}' -a {word}"
