"""Instruments comparisons in the code of a module as well as branches, to record what is compared.

`a() == b()` becomes `left(a()) == right(7, b())`. Both functions return their argument, so the comparison
itself stays where it is and raises what it raised before. If one operand is a name or a constant, one call
records both. An `except` records what it caught.
"""

from __future__ import annotations

import ast

from rlcheck.coverage.hints import EQUAL, KIND_BITS, LESS, LOOKUP, STARTS, TYPE, WITHIN
from rlcheck.coverage.instrument import Marker, located

#: Used in place of a branch's number: placeholders for functions that record operands or an exception.
LEFT, RIGHT, SEEN_LEFT, SEEN_RIGHT, CAUGHT = range(-5, 0)

_KINDS: dict[type[ast.cmpop], int] = {
    ast.Eq: EQUAL,
    ast.NotEq: EQUAL,
    ast.Lt: LESS,
    ast.LtE: LESS,
    ast.Gt: LESS,
    ast.GtE: LESS,
    ast.In: WITHIN,
    ast.NotIn: WITHIN,
}
_METHODS = {"startswith": STARTS, "endswith": STARTS, "get": LOOKUP}


class ComparisonMarker(Marker):
    """Instruments each branch, and each comparison in a function."""

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        operands = [node.left, *node.comparators]
        super().visit_Compare(node)
        kinds = [_KINDS.get(type(operator)) for operator in node.ops] if self._inside else []
        for place, kind in enumerate(kinds):
            after = node.comparators[place]
            if kind is None:
                continue
            if place == 0:
                node.left, node.comparators[0] = self._operands(kind, node, node.left, after)
            elif _is_simple(operands[place]):
                site = self._site(kind, node)
                node.comparators[place] = self._call(SEEN_RIGHT, node, site, operands[place], after)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if self._inside and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, _NO_KEYS):
            node.value, node.slice = self._operands(LOOKUP, node, node.value, node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if not self._inside or not node.args or isinstance(node.args[0], ast.Starred):
            return node
        if isinstance(called, ast.Attribute) and called.attr in _METHODS:
            kind = _METHODS[called.attr]
            called.value, node.args[0] = self._operands(kind, node, called.value, node.args[0])
        elif isinstance(called, ast.Name) and called.id == "isinstance" and len(node.args) == 2:
            node.args[0], node.args[1] = self._operands(TYPE, node, *node.args)
        return node

    def visit_Match(self, node: ast.Match) -> ast.Match:
        literals = [pattern.value for case in node.cases for pattern in _alternatives(case.pattern)]
        super().visit_Match(node)
        if self._inside and literals:
            values = located(ast.Tuple(literals, ast.Load()), node)
            node.subject = self._call(
                SEEN_LEFT, node.subject, self._site(WITHIN, node.subject), node.subject, values
            )
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        super().visit_ExceptHandler(node)
        if self._inside:
            node.body.insert(1, located(ast.Expr(self._call(CAUGHT, node)), node))
        return node

    def _operands(
        self, kind: int, at: ast.expr, left: ast.expr, right: ast.expr
    ) -> tuple[ast.expr, ast.expr]:
        """Return two operands that are recorded when they are evaluated."""
        site = self._site(kind, at)
        if _is_simple(left):
            return left, self._call(SEEN_RIGHT, at, site, left, right)
        if _is_simple(right):
            return self._call(SEEN_LEFT, at, site, left, right), right
        return self._call(LEFT, at, left), self._call(RIGHT, at, site, right)

    def _site(self, kind: int, at: ast.expr) -> ast.expr:
        return located(ast.Constant(self._number(at) << KIND_BITS | kind), at)

    def _call(self, hook: int, at: ast.AST, *arguments: ast.expr) -> ast.expr:
        return located(ast.Call(self._placeholder(hook, at), list(arguments), []), at)


#: Subscripts that do not look up a value of the input.
_NO_KEYS = (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp)


def _is_simple(operand: ast.expr) -> bool:
    """Whether the operand can be evaluated twice: a name or a constant."""
    return isinstance(operand, ast.Constant | ast.Name)


def _alternatives(pattern: ast.pattern) -> list[ast.MatchValue]:
    """Return the constants among the alternatives of a pattern."""
    if isinstance(pattern, ast.MatchOr):
        return [value for inner in pattern.patterns for value in _alternatives(inner)]
    is_constant = isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant)
    return [pattern] if is_constant else []  # type: ignore[list-item]
