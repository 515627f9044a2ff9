"""TOML documents, which tomllib has to load."""

from __future__ import annotations

import tomllib

from benchmarks.subjects.subject import Subject
from rlcheck import Coverage
from rlcheck.generators import Choose

_NAMES = ["a", "b", "c", '"d e"', "''", "-1"]
_SCALARS = """
    true True 0 01 -7 1_000 1__0 0xfF 0b12 1.5 1. .5 6e-1 inf nan 1979-05-27 1979-13-01 07:32:00 25:00:00
    1979-05-27T07:32:00Z 1979-05-27T07:32:00-09:00 none "" "s" 's' "\\n" "\\q" "\\u0041" "\\ud800"
    \"\"\"m\"\"\" '''m''' "open
""".split()
_ENDS = ["", ",", "\n"]


def document(choose: Choose) -> str:
    """Up to eight lines."""
    return "\n".join(line(choose) for _ in range(choose(range(1, 9))))


def line(choose: Choose) -> str:
    """A key with a value, a table, an array of tables, or a comment."""
    kind = choose(["pair", "table", "array", "comment"])
    if kind == "pair":
        return pair(choose, 0)
    if kind == "comment":
        return "# c"
    return f"[{key(choose)}]" if kind == "table" else f"[[{key(choose)}]]"


def pair(choose: Choose, depth: int) -> str:
    """A key and a value."""
    return f"{key(choose)} {choose(['=', ':'])} {value(choose, depth)}"


def key(choose: Choose) -> str:
    """One to three names."""
    return ".".join(choose(_NAMES) for _ in range(choose(range(1, 4))))


def value(choose: Choose, depth: int) -> str:
    """A scalar, an array or an inline table."""
    kind = choose(["scalar", "array", "table"]) if depth < 3 else "scalar"
    if kind == "scalar":
        return str(choose(_SCALARS))
    count = range(choose(range(4)))
    if kind == "array":
        return f"[{', '.join(value(choose, depth + 1) for _ in count)}{choose(_ENDS)}]"
    return f"{{{', '.join(pair(choose, depth + 1) for _ in count)}{choose(_ENDS)}}}"


def is_toml(text: str) -> bool:
    """Whether it loads."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


SUBJECTS = (Subject("tomllib", document, is_toml, coverage=lambda: Coverage("tomllib")),)
