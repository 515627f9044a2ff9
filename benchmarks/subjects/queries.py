"""SQL queries for sqlite3, and SMT-LIB scripts for z3."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.subjects.subject import Subject
from rlcheck.generators import Choose

_SCHEMA = """
create table t (a integer primary key, b text, c real);
create table u (a integer, d blob unique);
create view v as select a, b from t;
create index i on t (b);
"""
_COLUMNS = ["a", "b", "c", "d", "t.a", "u.a", "v.b", "x.a", "rowid", "*"]
_TABLES = ["t", "u", "v", "w"]
_BINARY = ["+", "||", "=", "<", "and", "or", "like", "is", "->>", "collate"]
_FUNCTIONS = [
    "count",
    "sum",
    "max",
    "length",
    "coalesce",
    "abs",
    "random",
    "group_concat",
    "row_number",
    "no",
]


def query(choose: Choose, depth: int = 0) -> str:
    """A query of any columns of any tables."""
    columns = ", ".join(expression(choose, depth) for _ in range(choose(range(1, 4))))
    text = f"select {choose(['', 'distinct '])}{columns}"
    if choose([True, False]):
        text += f" from {source(choose, depth)}"
    for clause in ("where", "group by", "having", "order by", "limit"):
        if choose([False, True]):
            text += f" {clause} {expression(choose, depth)}"
    if depth < 2 and choose([False, True]):
        text += f" {choose(['union', 'union all', 'except'])} {query(choose, depth + 1)}"
    return text


def source(choose: Choose, depth: int) -> str:
    """A table, a query, or two of them joined."""
    kind = choose(["table", "query", "join"]) if depth < 2 else "table"
    if kind == "table":
        return str(choose(_TABLES)) + choose(["", " x"])
    if kind == "query":
        return f"({query(choose, depth + 1)}) x"
    how = choose([",", "join", "left join", "natural join"])
    on = f" on {expression(choose, depth + 1)}" if choose([True, False]) else ""
    return f"{source(choose, depth + 1)} {how} {source(choose, depth + 1)}{on}"


def expression(choose: Choose, depth: int) -> str:
    """Any expression of any columns."""
    leaf = ["column", "number", "text", "null"]
    kind = choose([*leaf, "binary", "call", "window", "case", "in", "query"] if depth < 3 else leaf)
    if kind in ("number", "text", "null"):
        return {"number": "1", "text": "'s'", "null": "null"}[kind]
    if kind == "column":
        return str(choose(_COLUMNS))
    if kind == "query":
        return f"({query(choose, depth + 1)})"
    first = expression(choose, depth + 1)
    if kind in ("call", "window"):
        over = f" over (order by {expression(choose, depth + 1)})" if kind == "window" else ""
        return f"{choose(_FUNCTIONS)}({first}){over}"
    second = expression(choose, depth + 1)
    if kind == "case":
        return f"case when {first} then {second} end"
    return f"({first} {choose(_BINARY)} {second})" if kind == "binary" else f"{first} in ({second})"


@cache
def _database() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.executescript(_SCHEMA)
    return database


def is_query(text: str) -> bool:
    """Whether the database can explain it."""
    try:
        _database().execute(f"explain {text}")
    except sqlite3.OperationalError:
        return False
    return True


def opcodes(text: str) -> Hashable:
    """The instructions it is compiled to, without their operands."""
    return tuple(row[1] for row in _database().execute(f"explain {text}"))


_SORTS = ["Int", "Real", "Bool", "String", "(_ BitVec 8)", "(Array Int Bool)"]
_OPERATORS = """
    and or not => = distinct ite + - * div mod < <= select store str.++ str.len str.at bvadd bvand bvult
    concat to_real to_int
""".split()
_SYMBOLS = ["a", "b", "c", "f"]
_LEAVES = ["a", "b", "c", "true", "0", "1", "1.5", '"s"', "#x0f", "#b1"]


def script(choose: Choose) -> str:
    """Up to three declarations and up to three assertions."""
    lines = [declaration(choose) for _ in range(choose(range(4)))]
    lines += [f"(assert {term(choose, 0)})" for _ in range(choose(range(1, 4)))]
    return "\n".join(lines)


def declaration(choose: Choose) -> str:
    """A constant or a function of any sort."""
    sort, name = choose(_SORTS), choose(_SYMBOLS)
    if choose([True, False]):
        return f"(declare-const {name} {sort})"
    return f"(declare-fun {name} ({choose(_SORTS)}) {sort})"


def term(choose: Choose, depth: int) -> str:
    """A leaf, an application, a quantifier or a binding."""
    kind = choose(["leaf", "application", "quantifier", "let", "f"] if depth < 3 else ["leaf"])
    if kind == "leaf":
        return str(choose(_LEAVES))
    if kind == "f":
        return f"(f {term(choose, depth + 1)})"
    if kind == "quantifier":
        bound = f"({choose(_SYMBOLS)} {choose(_SORTS)})"
        return f"({choose(['forall', 'exists'])} ({bound}) {term(choose, depth + 1)})"
    if kind == "let":
        return f"(let (({choose(_SYMBOLS)} {term(choose, depth + 1)})) {term(choose, depth + 1)})"
    given = " ".join(term(choose, depth + 1) for _ in range(choose(range(1, 4))))
    return f"({choose(_OPERATORS)} {given})"


@cache
def _z3() -> Any:
    import z3

    return z3


def is_script(text: str) -> bool:
    """Whether z3 parses it, and there is something to solve."""
    z3 = _z3()
    try:
        return len(z3.parse_smt2_string(text)) > 0
    except z3.Z3Exception:
        return False


def operators(text: str) -> Hashable:
    """The script with one name for all names and one number for all numbers."""
    return re.sub(r"\b[abcf]\b|\b\d+(\.\d+)?\b", "_", text)


SUBJECTS = (
    Subject("sqlite3", query, is_query, structure=opcodes),
    Subject("z3", script, is_script, structure=operators, needs=("z3",)),
)
