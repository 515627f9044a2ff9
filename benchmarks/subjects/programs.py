"""Python programs, which CPython has to compile."""

from __future__ import annotations

import dis
import warnings
from collections.abc import Hashable, Iterator
from types import CodeType

from benchmarks.subjects.subject import Subject
from rlcheck.generators import Choose

_NAMES = ["a", "b", "c", "__debug__"]
_LINES = """
    pass break continue return raise global nonlocal del import from expression assign augment annotate
    star yield await
""".split()
_BLOCKS = ["if", "while", "for", "try", "with", "def", "async def", "class", "match"]
_LEAVES = ["name", "number", "string", "none", "ellipsis"]
_TREES = [
    *_LEAVES,
    "binary",
    "call",
    "lambda",
    "list",
    "dict",
    "comprehension",
    "walrus",
    "yield",
    "await",
    "star",
]


def program(choose: Choose) -> str:
    """One to three statements."""
    return body(choose, 0)


def body(choose: Choose, depth: int) -> str:
    """One to three statements at one depth."""
    return "".join(statement(choose, depth) for _ in range(choose(range(1, 4))))


def statement(choose: Choose, depth: int) -> str:
    """Any statement, wherever it may stand."""
    indent = "  " * depth
    if depth >= 3 or choose([True, False]):
        return f"{indent}{_line(choose, choose(_LINES))}\n"
    kind = choose(_BLOCKS)
    inner = body(choose, depth + 1)
    if kind == "try":
        rest = choose(
            [f"{indent}except {expression(choose, 1)}:\n", f"{indent}except:\n", f"{indent}finally:\n", ""]
        )
        return f"{indent}try:\n{inner}{rest}" + (body(choose, depth + 1) if rest else "")
    if kind == "match":
        return f"{indent}match {expression(choose, 1)}:\n{indent} case {pattern(choose, 0)}:\n{inner}"
    return f"{indent}{_head(choose, kind)}:\n{inner}"


def _head(choose: Choose, kind: str) -> str:
    if kind == "class":
        return f"class {choose(_NAMES)}"
    if kind in ("def", "async def"):
        return f"{kind} {choose(_NAMES)}({', '.join(_parameter(choose) for _ in range(choose(range(3))))})"
    value = expression(choose, 1)
    if kind == "for":
        return f"for {expression(choose, 2)} in {value}"
    return f"with {value} as {expression(choose, 2)}" if kind == "with" else f"{kind} {value}"


def _parameter(choose: Choose) -> str:
    name = choose(_NAMES)
    return str(choose([name, f"*{name}", f"**{name}", f"{name}=0", "*", "/"]))


def _line(choose: Choose, kind: str) -> str:
    if kind in ("pass", "break", "continue"):
        return kind
    if kind in ("global", "nonlocal", "import"):
        return f"{kind} {choose(_NAMES)}"
    if kind == "from":
        return f"from {choose(['a', '.', '__future__'])} import {choose([*_NAMES, '*', 'annotations'])}"
    value = expression(choose, 0)
    if kind == "expression":
        return value
    if kind in ("return", "raise", "del", "yield", "await"):
        return f"{kind} {value}"
    sign = {"assign": "=", "augment": "+=", "annotate": ":", "star": ", *a ="}[kind]
    return f"{expression(choose, 1)} {sign} {value}"


def expression(choose: Choose, depth: int) -> str:
    """Any expression, also where only a target may stand."""
    kind = choose(_TREES if depth < 3 else _LEAVES)
    if kind in _LEAVES:
        leaves = {"number": "1", "string": "'s'", "none": "None", "ellipsis": "..."}
        return leaves.get(kind) or str(choose(_NAMES))
    first = expression(choose, depth + 1)
    if kind in ("yield", "await"):
        return f"({kind} {first})"
    if kind in ("lambda", "star"):
        return f"(lambda {choose(_NAMES)}: {first})" if kind == "lambda" else f"*{first}"
    second = expression(choose, depth + 1)
    if kind == "binary":
        return f"{first} {choose(['+', 'is', 'and', '.', '<', 'if 1 else'])} {second}"
    if kind == "call":
        return f"{first}({choose(['', '*', '**', 'a='])}{second}, {expression(choose, depth + 1)})"
    if kind == "comprehension":
        return f"[{first} for {second} in {expression(choose, depth + 1)}]"
    if kind == "walrus":
        return f"({first} := {second})"
    return f"[{first}, {second}]" if kind == "list" else f"{{{first}: {second}, **{expression(choose, 2)}}}"


def pattern(choose: Choose, depth: int) -> str:
    """Any pattern of a case."""
    kind = choose(
        ["name", "any", "value", "or", "list", "class", "star"] if depth < 2 else ["name", "any", "value"]
    )
    if kind == "name":
        return str(choose(_NAMES))
    if kind in ("any", "value"):
        return "_" if kind == "any" else "1"
    first, second = pattern(choose, depth + 1), pattern(choose, depth + 1)
    if kind == "or":
        return f"{first} | {second}"
    if kind == "class":
        return f"a({first}, b={second})"
    return f"*{first}" if kind == "star" else f"[{first}, {second}]"


def is_program(text: str) -> bool:
    """Whether it compiles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "input", "exec")
        except SyntaxError:
            return False
    return True


def opcodes(text: str) -> Hashable:
    """The instructions of all its code, without their operands."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(_opcodes(compile(text, "input", "exec")))


def _opcodes(code: CodeType) -> Iterator[int]:
    for instruction in dis.get_instructions(code):
        yield instruction.opcode
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _opcodes(constant)


SUBJECTS = (Subject("compile", program, is_program, structure=opcodes),)
