"""C programs, which pycparser has to parse."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

_WORDS = ["int", "char", "unsigned", "void", "static", "const", "typedef", "struct", "T", "x"]
_NAMES = ["x", "y", "f", "T"]
_STATEMENTS = ["expression", "return", "if", "else", "while", "for", "declaration", "case", "break", "block"]
_ATOMS = ["name", "number", "string", "word"]
_EXPRESSIONS = [*_ATOMS, "binary", "assign", "call", "index", "unary", "cast", "ternary"]
_TOKEN = re.compile(r'\w+|"\w*"|\S')
_KEYWORDS = frozenset((*_WORDS[:-2], "return", "if", "else", "while", "for", "case", "break"))


def c_program(choose: Choose) -> str:
    """Up to four things that look like C."""
    made: list[str] = []
    while len(made) < 4 and choose([True, False]):
        made.append(external(choose))
    return " ".join(made)


def external(choose: Choose, depth: int = 0) -> str:
    """Any words, something declared, and any end."""
    words: list[str] = []
    while len(words) < 3 and choose([True, False]):
        words.append(choose(_WORDS))
    text = " ".join([*words, declarator(choose)])
    end = choose(["nothing", ";", "value", "body"])
    if end == "value":
        return f"{text} = {expression(choose, depth + 1)} ;"
    if end == "body":
        return f"{text} {block(choose, depth)}"
    return text if end == "nothing" else f"{text} ;"


def declarator(choose: Choose, depth: int = 0) -> str:
    """A name with stars, brackets and parameters around it."""
    kind = choose(["name", "pointer", "array", "function"]) if depth < 2 else "name"
    if kind == "name":
        return str(choose(_NAMES))
    inner = declarator(choose, depth + 1)
    if kind == "pointer":
        return f"* {inner}"
    if kind == "array":
        return f"{inner} [ {expression(choose, 2)} ]"
    return f"{inner} ( {choose(_WORDS)} {declarator(choose, depth + 1)} )"


def block(choose: Choose, depth: int) -> str:
    """Up to three statements."""
    made: list[str] = []
    while len(made) < 3 and choose([True, False]):
        made.append(statement(choose, depth + 1))
    return f"{{ {' '.join(made)} }}"


def statement(choose: Choose, depth: int) -> str:
    """Any statement, wherever it may stand."""
    kind = choose(_STATEMENTS) if depth < 3 else "expression"
    if kind == "declaration":
        return external(choose, depth + 1)
    if kind == "block":
        return block(choose, depth)
    if kind in ("break", "else"):
        return "break ;" if kind == "break" else f"else {statement(choose, depth + 1)}"
    head = expression(choose, depth)
    if kind == "expression":
        return f"{head} ;"
    if kind == "return":
        return f"return {head} ;"
    if kind == "case":
        return f"case {head} : {statement(choose, depth + 1)}"
    if kind == "for":
        return f"for ( {external(choose, depth)} {head} ) {statement(choose, depth + 1)}"
    return f"{kind} ( {head} ) {statement(choose, depth + 1)}"


def expression(choose: Choose, depth: int) -> str:
    """Any expression; words and casts do not ask whether a type is meant."""
    kind = choose(_EXPRESSIONS if depth < 3 else _ATOMS)
    if kind == "name":
        return str(choose(_NAMES))
    if kind == "number":
        return str(choose(range(5)))
    if kind in ("string", "word"):
        return '"s"' if kind == "string" else str(choose(_WORDS))
    if kind == "cast":
        return f"( {choose(_WORDS)} ) {expression(choose, depth + 1)}"
    first = expression(choose, depth + 1)
    if kind == "unary":
        return f"{choose(['-', '!', '*', '&', '++'])} {first}"
    second = expression(choose, depth + 1)
    if kind == "binary":
        return f"{first} {choose(['+', '*', '<', '=='])} {second}"
    if kind == "ternary":
        return f"{first} ? {second} : {expression(choose, depth + 1)}"
    if kind == "assign":
        return f"{first} = {second}"
    return f"{first} ( {second} )" if kind == "call" else f"{first} [ {second} ]"


@cache
def _pycparser() -> tuple[Any, Any]:
    from pycparser import c_ast, c_parser

    return c_parser, c_ast


def is_c(text: str) -> bool:
    """Whether it parses, and defines a function that does something."""
    parser, ast = _pycparser()
    try:
        parsed = parser.CParser().parse(text)
    except parser.ParseError:
        return False
    # pycparser lets anything with a body pass for a function: `x { }`.
    return any(
        isinstance(part, ast.FuncDef) and isinstance(part.decl.type, ast.FuncDecl) and part.body.block_items
        for part in parsed.ext
    )


def shape(text: str) -> Hashable:
    """The tokens, with one name for all names and one number for all numbers."""
    return tuple(
        token if token in _KEYWORDS or not token[0].isalnum() else "0" if token.isdigit() else "x"
        for token in _TOKEN.findall(text)
    )


def size(text: str) -> int:
    """The number of tokens."""
    return len(_TOKEN.findall(text))


SUBJECTS = (Subject("pycparser", c_program, is_c, shape, size, needs=("pycparser",), inputs=10_000),)
