"""Terms with a meaning: the simply typed lambda calculus, and arithmetic programs that must not fail."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

#: A constructor's name, then its parts.
Term = tuple[Any, ...]
#: "int", "bool", or ("->", argument, result).
Type = Any
#: What each name is bound to, in order.
Program = list[tuple[str, Term]]

_ATOMS = ["variable", "int", "bool"]
_TERMS = [*_ATOMS, "apply", "lambda", "add", "if"]
_OPERATORS = ["+", "-", "*", "/", "%"]


def term(choose: Choose, depth: int = 0) -> Term:
    """Any term of up to five levels."""
    kind = choose(_TERMS if depth < 4 else _ATOMS)
    if kind == "variable":
        return (kind, choose(range(3)))
    if kind == "int":
        return (kind, choose(range(5)))
    if kind == "bool":
        return (kind, choose([True, False]))
    if kind == "lambda":
        return (kind, simple_type(choose), term(choose, depth + 1))
    if kind == "if":
        return (kind, term(choose, depth + 1), term(choose, depth + 1), term(choose, depth + 1))
    return (kind, term(choose, depth + 1), term(choose, depth + 1))


def simple_type(choose: Choose, depth: int = 0) -> Type:
    """Any type with up to two levels of arrows."""
    kind = choose(["int", "bool", "->"] if depth < 2 else ["int", "bool"])
    if kind == "->":
        return (kind, simple_type(choose, depth + 1), simple_type(choose, depth + 1))
    return kind


def is_typed(value: Term) -> bool:
    """Whether it is a closed term of type int or bool, and more than a literal."""
    return value[0] not in ("int", "bool") and type_of(value, ()) in ("int", "bool")


def type_of(value: Term, context: tuple[Type, ...]) -> Type:
    """The type of a term, or None. A variable counts the lambdas between it and its own."""
    kind, *parts = value
    if kind in ("int", "bool"):
        return kind
    if kind == "variable":
        return context[-1 - parts[0]] if parts[0] < len(context) else None
    if kind == "lambda":
        result = type_of(parts[1], (*context, parts[0]))
        return None if result is None else ("->", parts[0], result)
    types = [type_of(part, context) for part in parts]
    if None in types:
        return None
    if kind == "add":
        return "int" if types == ["int", "int"] else None
    if kind == "if":
        return types[1] if types[0] == "bool" and types[1] == types[2] else None
    function, argument = types
    return function[2] if function[0] == "->" and function[1] == argument else None


def term_shape(value: Term) -> Hashable:
    """Constructors alone: no literals, no variable's number, no annotation."""
    kind, *parts = value
    return (kind, *(term_shape(part) for part in parts if isinstance(part, tuple) and part[0] != "->"))


def term_size(value: Term) -> int:
    """The number of constructors."""
    return 1 + sum(term_size(part) for part in value[1:] if isinstance(part, tuple) and part[0] != "->")


def program(choose: Choose) -> Program:
    """Up to five assignments to a, b and c."""
    made: Program = []
    while len(made) < 5 and choose([True, False]):
        made.append((choose(["a", "b", "c"]), expression(choose)))
    return made


def expression(choose: Choose, depth: int = 0) -> Term:
    """Any expression of up to three levels."""
    kind = choose(["number", "name", *_OPERATORS] if depth < 2 else ["number", "name"])
    if kind == "number":
        return (kind, choose(range(10)))
    if kind == "name":
        return (kind, choose(["a", "b", "c"]))
    return (kind, expression(choose, depth + 1), expression(choose, depth + 1))


def is_runnable(value: Program) -> bool:
    """Whether it runs, no value is negative, and the last one is computed from an earlier one.

    Names have to be bound before they are read, divisions have to leave no remainder, and neither
    they nor moduli may be by zero.
    """
    bound: dict[str, int] = {}
    for name, right in value:
        result = evaluate(right, bound)
        if result is None or result < 0:
            return False
        bound[name] = result
    return len(value) >= 2 and _computes(value[-1][1])


def _computes(value: Term) -> bool:
    """Whether it is an operation that reads a name."""
    return value[0] in _OPERATORS and _reads(value)


def _reads(value: Term) -> bool:
    if value[0] == "name":
        return True
    return value[0] in _OPERATORS and any(_reads(part) for part in value[1:])


def evaluate(value: Term, bound: dict[str, int]) -> int | None:
    """The value of an expression, or None when it has none."""
    kind, *parts = value
    if kind == "number":
        return int(parts[0])
    if kind == "name":
        return bound.get(parts[0])
    left = evaluate(parts[0], bound)
    right = evaluate(parts[1], bound)
    if left is None or right is None:
        return None
    if kind == "+":
        return left + right
    if kind == "-":
        return left - right
    if kind == "*":
        return left * right
    if right == 0 or (kind == "/" and left % right):
        return None
    return left // right if kind == "/" else left % right


def program_shape(value: Program) -> Hashable:
    """Operators alone: no numbers, no names."""
    return tuple(_expression_shape(right) for _, right in value)


def _expression_shape(value: Term) -> Hashable:
    kind, *parts = value
    return (kind, *map(_expression_shape, parts)) if kind in _OPERATORS else kind


def program_size(value: Program) -> int:
    """The number of operators, numbers and names read."""
    return sum(_expression_size(right) for _, right in value)


def _expression_size(value: Term) -> int:
    return 1 + sum(map(_expression_size, value[1:])) if value[0] in _OPERATORS else 1


SUBJECTS = (
    Subject("lambda", term, is_typed, term_shape, term_size),
    Subject("arithmetic", program, is_runnable, program_shape, program_size),
)
