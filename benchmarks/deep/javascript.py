"""JavaScript programs: a naive generator of source text, and a real compiler that takes it or does not.

The generator is like the one of RLCheck's and the paper's study: statements up to depth 4, expressions up to
depth 7. The compiler is QuickJS: it finds a `break` outside a loop, a `return` outside a function and an
assignment to what is no variable, without running the program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rlcheck.generators import Choose

_STATEMENT_DEPTH = 4
_EXPRESSION_DEPTH = 7
_NAMES = ["a", "b", "c", "d"]
_UNARY = ["!", "++", "--", "~", "+", "-", "delete ", "typeof "]
_BINARY = [
    *("!=", "!==", "%", "%=", "&", "&&", "&=", "*", "*=", "+", "+=", ",", "-", "-=", "/", "/=", "<", "<<"),
    *("<<=", "<=", "=", "==", "===", ">", ">=", ">>", ">>=", ">>>", ">>>=", "^", "^=", "in", "instanceof"),
    *("|", "|=", "||"),
]
_LEAVES = ["literal", "name"]
_INNER = ["unary", "binary", "ternary", "call", "function", "property", "index", "arrow"]
_SIMPLE = ["expression", "break", "continue", "return", "throw", "var", "empty"]
_COMPOUND = ["if", "for", "while", "function", "switch", "try", "block"]

#: Compiles a script and never runs it: its first statement throws.
_COMPILE = "(function (s) { try { (0, eval)('throw 0;' + s) } catch (e) { return e === 0 } })"


def program(choose: Choose) -> str:
    """A program of one to three statements."""
    return " ".join(_statement(choose, 0) for _ in range(1 + choose(range(3), at="statements")))


def compiles(source: str) -> bool:
    """Whether QuickJS compiles the program as a script."""
    return _compiler()(source)


@cache
def _compiler() -> Callable[[str], bool]:
    import quickjs

    function: Callable[[str], bool] = quickjs.Context().eval(_COMPILE)
    return function


def _statement(choose: Choose, depth: int) -> str:
    if depth >= _STATEMENT_DEPTH or choose([True, False], at="simple"):
        kind = choose(_SIMPLE, at="simple statement")
    else:
        kind = choose(_COMPOUND, at="compound statement")
    if kind in ("expression", "return", "throw", "var"):
        return _with_expression(choose, kind)
    if kind in ("break", "continue"):
        return f"{kind};"
    if kind == "empty":
        return ";"
    return _compound(choose, kind, depth + 1)


def _with_expression(choose: Choose, kind: str) -> str:
    if kind == "var":
        return f"var {choose(_NAMES, at='variable')};"
    if kind == "return" and choose([True, False], at="bare return"):
        return "return;"
    text = _expression(choose, 0)
    return f"{text};" if kind == "expression" else f"{kind} {text};"


def _compound(choose: Choose, kind: str, depth: int) -> str:
    if kind == "if":
        otherwise = f" else {_statement(choose, depth)}" if choose([True, False], at="else") else ""
        return f"if ({_expression(choose, 0)}) {_statement(choose, depth)}{otherwise}"
    if kind == "for":
        parts = (_expression(choose, 0) if choose([True, False], at="for part") else "" for _ in range(3))
        return f"for ({';'.join(parts)}) {_statement(choose, depth)}"
    if kind == "while":
        return f"while ({_expression(choose, 0)}) {_statement(choose, depth)}"
    if kind == "function":
        return f"function {choose(_NAMES, at='function name')}({_parameters(choose)}) {_block(choose, depth)}"
    if kind == "switch":
        count = choose(range(3), at="cases")
        cases = (f"case {_expression(choose, 0)}: {_statement(choose, depth)}" for _ in range(count))
        return f"switch ({_expression(choose, 0)}) {{ {' '.join(cases)} }}"
    if kind == "try":
        return f"try {_block(choose, depth)} catch ({choose(_NAMES, at='caught')}) {_block(choose, depth)}"
    return _block(choose, depth)


def _block(choose: Choose, depth: int) -> str:
    return "{ " + " ".join(_statement(choose, depth) for _ in range(choose(range(3), at="block"))) + " }"


def _parameters(choose: Choose) -> str:
    return ", ".join(choose(_NAMES, at="parameter") for _ in range(choose(range(3), at="parameters")))


def _expression(choose: Choose, depth: int) -> str:
    if depth >= _EXPRESSION_DEPTH or choose([True, False], at="leaf"):
        if choose(_LEAVES, at="leaf kind") == "name":
            return choose(_NAMES, at="name")  # type: ignore[no-any-return]
        return _literal(choose, depth + 1)
    return _inner(choose, choose(_INNER, at="inner kind"), depth + 1)


def _inner(choose: Choose, kind: str, depth: int) -> str:
    first = "" if kind in ("function", "arrow") else _expression(choose, depth)
    if kind == "unary":
        return f"{choose(_UNARY, at='unary')}{first}"
    if kind == "binary":
        return f"{first} {choose(_BINARY, at='binary')} {_expression(choose, depth)}"
    if kind == "ternary":
        return f"{first} ? {_expression(choose, depth)} : {_expression(choose, depth)}"
    if kind == "call":
        arguments = (_expression(choose, depth) for _ in range(choose(range(3), at="arguments")))
        return f"{first}({', '.join(arguments)})"
    if kind == "property":
        return f"{first}.{choose(_NAMES, at='property')}"
    if kind == "index":
        return f"{first}[{_expression(choose, depth)}]"
    if kind == "function":
        # One statement, whose expression is as deep as this one: a block would begin at depth 0 again.
        body = choose(["return ", "throw ", ""], at="function body")
        return f"function ({_parameters(choose)}) {{ {body}{_expression(choose, depth)}; }}"
    return f"({_parameters(choose)}) => {_expression(choose, depth)}"


def _literal(choose: Choose, depth: int) -> str:
    kind = choose(["integer", "boolean", "string", "null", "array", "object"], at="literal")
    if kind == "integer":
        return str(choose(range(7), at="integer"))
    if kind == "boolean":
        return choose(["true", "false"], at="boolean")  # type: ignore[no-any-return]
    if kind == "string":
        return f"'{choose(_NAMES, at='string')}'"
    if kind == "null":
        return "null"
    if depth >= _EXPRESSION_DEPTH:
        return "[]" if kind == "array" else "({})"
    parts = [_expression(choose, depth) for _ in range(choose(range(3), at="elements"))]
    if kind == "array":
        return f"[{', '.join(parts)}]"
    return f"({{ {', '.join(f'{name}: {part}' for name, part in zip(_NAMES, parts, strict=False))} }})"
