"""Lambda terms: any term is drawn, a well-typed one is assumed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from benchmarks.hypothesis.property import Property

#: A constructor and its parts. A variable counts the lambdas between it and its own.
Term = tuple[Any, ...]
#: "int", an argument and a result, or None where there is no type.
Type = Any

ANNOTATIONS = {"int": "int", "int -> int": ("int", "int")}


@st.composite
def terms(draw: st.DrawFn, depth: int = 0) -> Term:
    """Any term of up to six levels."""
    leaves = ["variable", "number"]
    kind = draw(st.sampled_from(["lambda", "apply", "add", *leaves] if depth < 5 else leaves))
    if kind == "variable":
        return (kind, draw(st.integers(0, 3)))
    if kind == "number":
        return (kind, draw(st.integers(0, 5)))
    if kind == "lambda":
        return (kind, draw(st.sampled_from(sorted(ANNOTATIONS))), draw(terms(depth + 1)))
    return (kind, draw(terms(depth + 1)), draw(terms(depth + 1)))


def type_of(term: Term, context: tuple[Type, ...] = ()) -> Type:
    """The type of a term, or None."""
    return _infer(term, context, _bound)


def wrong_type_of(term: Term, context: tuple[Type, ...] = ()) -> Type:
    """The same with a bug: under two lambdas, all variables are those of the inner one."""
    return _infer(term, context, _innermost)


def _bound(index: int, context: tuple[Type, ...]) -> Type:
    return context[index] if index < len(context) else None


def _innermost(index: int, context: tuple[Type, ...]) -> Type:
    return _bound(index if len(context) < 2 else 0, context)


def _infer(term: Term, context: tuple[Type, ...], lookup: Callable[[int, tuple[Type, ...]], Type]) -> Type:
    kind, *parts = term
    if kind == "number":
        return "int"
    if kind == "variable":
        return lookup(parts[0], context)
    if kind == "lambda":
        argument = ANNOTATIONS[parts[0]]
        result = _infer(parts[1], (argument, *context), lookup)
        return None if result is None else (argument, result)
    first, second = (_infer(part, context, lookup) for part in parts)
    if kind == "add":
        return "int" if first == second == "int" else None
    return first[1] if isinstance(first, tuple) and first[0] == second else None


def size(term: Term) -> int:
    """The number of constructors."""
    return 1 + sum(size(part) for part in term[1:] if isinstance(part, tuple))


def shape(term: Term) -> Hashable:
    """Constructors alone."""
    return (term[0], *(shape(part) for part in term[1:] if isinstance(part, tuple)))


def optimised(term: Term) -> Term:
    """The same term, with sums of numbers computed."""
    kind, *parts = term
    made = (kind, *(optimised(part) if isinstance(part, tuple) else part for part in parts))
    if kind == "add" and made[1][0] == made[2][0] == "number":
        return ("number", made[1][1] + made[2][1])
    return made


def test_optimised(term: Term) -> None:
    """A term of some size keeps its type when it is optimised."""
    assume(size(term) >= 6)
    assume(type_of(term) is not None)
    assert type_of(optimised(term)) == type_of(term)


def test_checker(term: Term) -> None:
    """The type checker under test gives a well-typed application its type."""
    assume(term[0] == "apply")
    assume(type_of(term) is not None)
    assert wrong_type_of(term) == type_of(term)


PROPERTIES = (Property("lambda-terms", test_optimised, shape, {"term": terms()}),)
BUGS = (Property("two-binders", test_checker, shape, {"term": terms()}),)
