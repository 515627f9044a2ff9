"""JavaScript programs, which Rhino has to compile and Closure to optimise."""

from __future__ import annotations

from benchmarks.subjects.install import CLASSES, FOLDER
from benchmarks.subjects.subject import Subject
from benchmarks.subjects.virtual_machine import Program
from rlcheck.generators import Choose

_NAMES = ["a", "b", "c", "f"]
_UNARY = ["!", "++", "--", "~", "delete ", "new ", "this "]
_BINARY = """
    != !== % %= & && &= * *= + += , - -= / /= < << <<= <= = == === > >= >> >>= >>> >>>= ^ ^= in instanceof
    | |= ||
""".split()
_LEAVES = ["literal", "name"]
_BRANCHES = ["unary", "binary", "ternary", "call", "function", "property", "index", "arrow"]
_SIMPLE = ["expression", "break", "continue", "return", "throw", "var", "empty"]
_COMPOUND = ["if", "for", "while", "function", "switch", "try", "block"]
#: The paper's are 7 and 4.
_EXPRESSIONS, _STATEMENTS = 7, 4


def script(choose: Choose) -> str:
    """A few statements."""
    return statements(choose, 0)


def statements(choose: Choose, depth: int) -> str:
    """Up to three."""
    return " ".join(statement(choose, depth) for _ in range(choose(range(1, 4))))


def statement(choose: Choose, depth: int) -> str:
    """Any statement, wherever it may stand."""
    kind = choose(_COMPOUND if depth < _STATEMENTS and choose([True, False]) else _SIMPLE)
    if kind in _SIMPLE:
        return _simple(choose, kind, depth)
    if kind == "block":
        return f"{{ {statements(choose, depth + 1)} }}"
    if kind == "function":
        return f"function {choose(_NAMES)} ({_parameters(choose)}) {{ {statements(choose, depth + 1)} }}"
    if kind == "try":
        return f"try {{ {statements(choose, depth + 1)} }} {_rescue(choose, depth)}"
    head = expression(choose, depth)
    if kind == "switch":
        cases = "".join(
            f"case {expression(choose, depth + 1)}: {statements(choose, depth + 1)} "
            for _ in range(choose(range(3)))
        )
        return f"switch ({head}) {{ {cases}}}"
    if kind == "for":
        head = f"{head}; {expression(choose, depth)}; {expression(choose, depth)}"
    body = f"{kind} ({head}) {statement(choose, depth + 1)}"
    return f"{body} else {statement(choose, depth + 1)}" if kind == "if" and choose([True, False]) else body


def _simple(choose: Choose, kind: str, depth: int) -> str:
    if kind == "empty":
        return ";"
    if kind in ("break", "continue"):
        return f"{kind};"
    if kind == "var":
        return f"var {choose(_NAMES)};" if choose([True, False]) else f"{expression(choose, depth)};"
    value = expression(choose, depth)
    return f"{value};" if kind == "expression" else f"{kind} {value};"


def _rescue(choose: Choose, depth: int) -> str:
    if choose([True, False]):
        return f"catch ({choose(_NAMES)}) {{ {statements(choose, depth + 1)} }}"
    return f"finally {{ {statements(choose, depth + 1)} }}"


def _parameters(choose: Choose) -> str:
    return ", ".join(choose(_NAMES) for _ in range(choose(range(3))))


def expression(choose: Choose, depth: int) -> str:
    """Any expression."""
    kind = choose(_BRANCHES if depth < _EXPRESSIONS and choose([True, False]) else _LEAVES)
    if kind == "literal":
        return _literal(choose, depth)
    if kind == "name":
        return str(choose(_NAMES))
    if kind in ("function", "arrow"):
        head = f"({_parameters(choose)})"
        body = f"{{ {statements(choose, depth + 1)} }}"
        return f"{head} => {body}" if kind == "arrow" else f"function {head} {body}"
    first = expression(choose, depth + 1)
    if kind == "unary":
        return f"{choose(_UNARY)}{first}"
    if kind == "property":
        return f"{first}.{choose(_NAMES)}"
    if kind == "call":
        given = ", ".join(expression(choose, depth + 1) for _ in range(choose(range(3))))
        return f"{first}({given})"
    second = expression(choose, depth + 1)
    if kind == "binary":
        return f"{first} {choose(_BINARY)} {second}"
    return (
        f"{first}[{second}]" if kind == "index" else f"{first} ? {second} : {expression(choose, depth + 1)}"
    )


def _literal(choose: Choose, depth: int) -> str:
    kind = choose(["integer", "boolean", "string", "null", "array", "object"])
    if kind == "integer":
        return str(choose(range(7)))
    if kind == "boolean":
        return str(choose(["true", "false"]))
    if kind == "string":
        return f'"{choose(_NAMES)}"'
    if kind == "null" or depth >= _EXPRESSIONS:
        return str(choose(["null", "undefined"]))
    inner = [expression(choose, depth + 1) for _ in range(choose(range(3)))]
    if kind == "array":
        return f"[{', '.join(inner)}]"
    return f"{{{', '.join(f'{choose(_NAMES)}: {value}' for value in inner)}}}"


def _subject(name: str) -> Subject:
    program = Program(name)
    needs = ("jpype", FOLDER / "java.done", CLASSES)
    return Subject(name, script, program, coverage=program.coverage, needs=needs)


SUBJECTS = (_subject("rhino"), _subject("closure"))
