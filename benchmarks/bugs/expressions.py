"""Expressions with names, their types and values, and the machine that runs compiled ones."""

from __future__ import annotations

from typing import Any

#: A form and its parts: a value, a name, expressions, or a name and two expressions ("let").
Expression = tuple[Any, ...]
Code = list[tuple[Any, ...]]

NAMES, NUMBERS, LEVELS = "xyz", range(-1, 4), 4
#: The types of the names that a program is given, and two sets of their values.
GIVEN = {"x": "number", "y": "truth"}
VALUES = ({"x": 2, "y": True}, {"x": -1, "y": False})
ARITHMETIC, COMPARISONS, LOGIC = ("+", "-", "*"), ("<", "=="), ("and", "or")
OPERATORS = ARITHMETIC + COMPARISONS + LOGIC
FORMS = ("number", "truth", "name", "let", "if", "not", *OPERATORS)


def type_of(made: Expression, scope: dict[str, str]) -> str | None:
    """Return "number" or "truth"; None unless types and names are right."""
    form, *parts = made
    if form in ("number", "truth"):
        return str(form)
    if form == "name":
        return scope.get(parts[0])
    if form == "let":
        bound = type_of(parts[1], scope)
        return bound and type_of(parts[2], scope | {parts[0]: bound})
    types = [type_of(part, scope) for part in parts]
    if form == "if":
        return types[1] if types[0] == "truth" and types[1] == types[2] else None
    takes = "number" if form in ARITHMETIC + COMPARISONS else "truth"
    gives = "number" if form in ARITHMETIC else "truth"
    return gives if all(each == takes for each in types) else None


def calculate(form: str, one: Any, other: Any) -> Any:
    """Return what an operator makes of two values."""
    if form in ARITHMETIC:
        return {"+": one + other, "-": one - other, "*": one * other}[form]
    return {"<": one < other, "==": one == other, "and": one and other, "or": one or other}[form]


def evaluate(made: Expression, scope: dict[str, Any]) -> Any:
    """Return the value of an expression."""
    form, *parts = made
    if form in ("number", "truth"):
        return parts[0]
    if form == "name":
        return scope[parts[0]]
    if form == "let":
        return evaluate(parts[2], scope | {parts[0]: evaluate(parts[1], scope)})
    if form == "if":
        return evaluate(parts[1] if evaluate(parts[0], scope) else parts[2], scope)
    if form == "not":
        return not evaluate(parts[0], scope)
    return calculate(form, evaluate(parts[0], scope), evaluate(parts[1], scope))


def run(code: Code, *given: Any) -> tuple[Any, int]:
    """Return the value that code leaves, and how high the stack was; slots begin with what is given."""
    stack: list[Any] = []
    slots = dict(enumerate(given))
    place = highest = 0
    while place < len(code):
        step, *details = code[place]
        place += 1
        if step == "push":
            stack.append(details[0])
        elif step == "load":
            stack.append(slots[details[0]])
        elif step == "store":
            slots[details[0]] = stack.pop()
        elif step == "jump":
            place += details[0]
        elif step == "unless":
            place += 0 if stack.pop() else details[0]
        elif step == "not":
            stack.append(not stack.pop())
        else:
            other = stack.pop()
            stack.append(calculate(step, stack.pop(), other))
        highest = max(highest, len(stack))
    (value,) = stack
    return value, highest


def free(made: Expression) -> set[str]:
    """Return the names that an expression does not bind itself."""
    form, *parts = made
    if form == "name":
        return {parts[0]}
    if form == "let":
        return free(parts[1]) | free(parts[2]) - {parts[0]}
    return {name for part in parts if isinstance(part, tuple) for name in free(part)}
