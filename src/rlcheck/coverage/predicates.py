"""Instruments predicates in the code of a module: records each branch with the results of conditions before.

In a local variable, a function keeps the last result of each of its conditions in this call: two bits for
each, 2 for true, 1 for false, 0 for not evaluated yet. A branch is recorded as its number with these bits
above it: the combination of the function's predicates at this place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from rlcheck.coverage.instrument import Marker, located

#: The bits of a branch's number; those of predicates are above.
BRANCH_BITS = 24  # As in `coverage`.
#: The local variable that holds the bits of predicates. No name in a source contains a space.
_KNOWN = "rlcheck predicates"

Node = TypeVar("Node", bound=ast.AST)
Made = TypeVar("Made", bound=ast.AST)


class PredicateMarker(Marker):
    """Instruments each branch, to record it with the last results of the function's conditions.

    Lambdas and comprehensions have no variable to keep them in, and are left alone.
    """

    def __init__(self, first: int) -> None:
        super().__init__(first)
        # How many predicates the function has so far; None where they cannot be kept.
        self._predicates: int | None = None

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return self._apart(super().visit_Lambda, node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return self._apart(super().visit_ListComp, node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.SetComp:
        return self._apart(super().visit_SetComp, node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        return self._apart(super().visit_GeneratorExp, node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.DictComp:
        return self._apart(super().visit_DictComp, node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._apart(self.generic_visit, node)

    def _apart(self, visit: Callable[[Node], Made], node: Node) -> Made:
        """Visit what cannot keep predicates."""
        around, self._predicates = self._predicates, None
        made = visit(node)
        self._predicates = around
        return made

    def _body(self, at: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
        decides = any(isinstance(node, ast.If | ast.While | ast.IfExp) for node in ast.walk(at))
        around, self._predicates = self._predicates, 0 if decides else None
        made = super()._body(at, body)
        self._predicates = around
        if not decides:
            return made
        start = ast.Assign([ast.Name(_KNOWN, ast.Store())], ast.Constant(0))
        return [ast.fix_missing_locations(located(start, at)), *made]

    def _condition(self, test: ast.expr) -> ast.expr:
        if self._predicates is None or isinstance(test, ast.Constant):
            return super()._condition(test)
        if isinstance(test, ast.BoolOp):
            first, *rest = test.values
            test.values = [self._condition(first), *(self._noted(part, self._condition) for part in rest)]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._condition(test.operand)
            return test
        place = BRANCH_BITS + 2 * self._predicates
        self._predicates += 1
        # Both equal the condition: with a bit set, the number is above 0, and it is never below 0.
        true = ast.Compare(_now_known(place, 2), [ast.Gt()], [ast.Constant(0)])
        false = ast.Compare(_now_known(place, 1), [ast.Lt()], [ast.Constant(0)])
        return ast.fix_missing_locations(located(ast.IfExp(self.visit(test), true, false), test))

    def _note(self, at: ast.AST) -> ast.expr:
        note = super()._note(at)
        if self._predicates is not None and isinstance(note, ast.Call):
            known = located(ast.Name(_KNOWN, ast.Load()), at)
            note.args = [located(ast.BinOp(known, ast.Add(), note.args[0]), at)]
        return note


def _now_known(place: int, outcome: int) -> ast.NamedExpr:
    """Return an expression that sets the two bits of a predicate."""
    others = ast.BinOp(ast.Name(_KNOWN, ast.Load()), ast.BitAnd(), ast.Constant(~(3 << place)))
    value = ast.BinOp(others, ast.BitOr(), ast.Constant(outcome << place))
    return ast.NamedExpr(ast.Name(_KNOWN, ast.Store()), value)
