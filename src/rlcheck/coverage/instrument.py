"""Recompiles the functions of a module, so that each branch they take is recorded.

A branch is a place that a decision leads to: the start of a function; either side of an `if`, also in an
expression; the body of a loop and its ordinary end; an `except`; a `case`, or none; each part of `and`, `or`
and a chain of comparisons after the first; each element and condition of a comprehension. Each of them gets a
call of a C function with the branch's number: a statement of its own, or `(note(7) or expression)`, where
`note` returns None.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import TypeVar

# The function that records a branch is a constant of the code, which costs less than a global and leaves the
# module's namespace alone. The compiler accepts plain constants only, so this text and the number come first.
_PLACE = "<rlcheck notes branch>"

#: Called with the number of the branch that is taken.
Note = Callable[[int], None]

Node = TypeVar("Node", bound=ast.AST)
_Function = TypeVar("_Function", ast.FunctionDef, ast.AsyncFunctionDef)
_Loop = TypeVar("_Loop", ast.For, ast.AsyncFor, ast.While)
_Comprehension = TypeVar("_Comprehension", ast.ListComp, ast.SetComp, ast.GeneratorExp)


class Instrumented:
    """The code of a module's functions, as it is and instrumented.

    Args:
        source: The text of the module.
        filename: The name of its file.
        note_of: Returns the function that records a branch, given its number.
        first: The number of the first branch.
        marker: Makes the transformer, given the first number; None instruments branches alone.
    """

    def __init__(
        self,
        source: str,
        filename: str,
        note_of: Callable[[int], Note],
        first: int,
        *,
        marker: Callable[[int], Marker] | None = None,
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The import of the module has shown the warnings of its source.
            tree = ast.parse(source, filename)
            plain = compile(tree, filename, "exec", dont_inherit=True)
            marked = Marker(first) if marker is None else marker(first)
            noting = compile(marked.visit(tree), filename, "exec", dont_inherit=True)
        #: The line of each branch.
        self.lines = marked.lines
        #: The columns where each branch begins and ends; the end may be on a later line.
        self.columns = marked.columns
        self._pairs: dict[CodeType, CodeType] = {}
        #: The original code by the id of the instrumented code.
        self.plain: dict[int, CodeType] = {}
        self._by_name: dict[tuple[str, int], CodeType] = {}
        plain_codes = _by_name(_inner(plain))
        for name, codes in _by_name(_inner(_with(noting, note_of))).items():
            self._by_name[name] = codes[0]
            # Lambdas on one line share a name; both codes have them in the same order.
            for before, after in zip(plain_codes[name], codes, strict=False):
                self._pairs[before] = after
                self.plain[id(after)] = before

    def noting(self, code: CodeType) -> CodeType | None:
        """Return the instrumented code for `code`; None if it does not come from this source."""
        found = self._pairs.get(code)
        if found is None and "@pytest_ar" in code.co_names:
            # pytest has rewritten the assertions: only the name and the variables of the code are the same.
            found = self._by_name.get((code.co_qualname, code.co_firstlineno))
        # A file that changed after its import has different code, and running that would change the program.
        return found if found is not None and found.co_freevars == code.co_freevars else None


class Marker(ast.NodeTransformer):
    """Instruments each branch in functions; code outside them runs once, at import, and is left alone."""

    def __init__(self, first: int) -> None:
        self.lines: list[int] = []
        self.columns: list[tuple[int, int]] = []
        self._first = first
        self._inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.visit(node.args)
        outside, self._inside = self._inside, True
        node.body = self._noted(node.body)
        self._inside = outside
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self._condition(node.test)
        node.body = self._block(node, node.body)
        node.orelse = self._block(node, node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        node.test = self._condition(node.test)
        return self._loop(node, ends=not isinstance(node.test, ast.Constant))

    def visit_For(self, node: ast.For) -> ast.For:
        node.iter = self.visit(node.iter)
        return self._loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AsyncFor:
        node.iter = self.visit(node.iter)
        return self._loop(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.type is not None:
            node.type = self.visit(node.type)
        node.body = self._block(node, node.body)
        return node

    def visit_Match(self, node: ast.Match) -> ast.Match:
        node.subject = self.visit(node.subject)
        node.cases = [self.visit(case) for case in node.cases]
        if self._inside and not _always_matches(node.cases[-1]):
            node.cases.append(ast.match_case(located(ast.MatchAs(), node), None, self._block(node, [])))
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        if node.guard is not None:
            node.guard = self._noted(node.guard)
        node.body = self._block(node.body[0], node.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self._condition(node.test)
        node.body = self._noted(node.body)
        node.orelse = self._noted(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        node.values = [self.visit(node.values[0]), *map(self._noted, node.values[1:])]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        node.left = self.visit(node.left)
        # The third operand of `a < b < c` is evaluated only if the first comparison holds.
        node.comparators = [self.visit(node.comparators[0]), *map(self._noted, node.comparators[1:])]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return self._elements(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.SetComp:
        return self._elements(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        return self._elements(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.DictComp:
        node.key = self._noted(node.key)
        node.value = self.visit(node.value)
        self._each(node.generators)
        return node

    def _function(self, node: _Function) -> _Function:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.visit(node.args)
        outside, self._inside = self._inside, True
        documented = ast.get_docstring(node, clean=False) is not None
        node.body[documented:] = self._body(node, node.body[documented:])
        self._inside = outside
        return node

    def _body(self, at: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return the statements of a function, with a note before them."""
        return self._block(at, body)

    def _condition(self, test: ast.expr) -> ast.expr:
        """Return the condition of an `if` or a `while`."""
        return self.visit(test)  # type: ignore[no-any-return]

    def _loop(self, node: _Loop, *, ends: bool = True) -> _Loop:
        node.body = self._block(node, node.body)
        if ends or node.orelse:
            node.orelse = self._block(node, node.orelse)
        return node

    def _elements(self, node: _Comprehension) -> _Comprehension:
        node.elt = self._noted(node.elt)
        self._each(node.generators)
        return node

    def _each(self, generators: Iterable[ast.comprehension]) -> None:
        for generator in generators:
            generator.iter = self.visit(generator.iter)
            generator.ifs = [self._noted(condition) for condition in generator.ifs]

    def _block(self, at: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements, with a note before them."""
        note = [ast.copy_location(ast.Expr(self._note(at)), at)] if self._inside else []
        return [*note, *(self.visit(statement) for statement in body)]

    def _noted(self, expression: ast.expr, visit: Callable[[ast.expr], ast.expr] | None = None) -> ast.expr:
        """Return an expression, with a note before it."""
        visit = visit or self.visit
        if not self._inside:
            return visit(expression)
        note = self._note(expression)
        return ast.copy_location(ast.BoolOp(ast.Or(), [note, visit(expression)]), expression)

    def _note(self, at: ast.AST) -> ast.expr:
        number = self._number(at)
        return located(ast.Call(self._placeholder(number, at), [located(ast.Constant(number), at)], []), at)

    def _number(self, at: ast.AST) -> int:
        """Return the number for a branch, or for something else to record."""
        self.lines.append(at.lineno)  # type: ignore[attr-defined]
        self.columns.append((at.col_offset, at.end_col_offset))  # type: ignore[attr-defined]
        return self._first + len(self.lines) - 1

    def _placeholder(self, number: int, at: ast.AST) -> ast.expr:
        """Return the placeholder of the function that records a branch, or something else if below 0."""
        return located(ast.Constant(f"{_PLACE}{number}"), at)


def located(node: Node, at: ast.AST) -> Node:
    """Return a node with the location of another one."""
    return ast.copy_location(node, at)


def _always_matches(case: ast.match_case) -> bool:
    pattern: ast.pattern | None = case.pattern
    while isinstance(pattern, ast.MatchOr | ast.MatchAs):
        pattern = pattern.patterns[-1] if isinstance(pattern, ast.MatchOr) else pattern.pattern
    return pattern is None and case.guard is None


def _with(code: CodeType, note_of: Callable[[int], Note]) -> CodeType:
    """Return the code with its placeholders filled in."""

    def filled(constant: object) -> object:
        if isinstance(constant, CodeType):
            return _with(constant, note_of)
        if isinstance(constant, str) and constant.startswith(_PLACE):
            return note_of(int(constant.removeprefix(_PLACE)))
        return constant

    return code.replace(co_consts=tuple(map(filled, code.co_consts)))


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)


def _by_name(codes: Iterable[CodeType]) -> dict[tuple[str, int], list[CodeType]]:
    found: dict[tuple[str, int], list[CodeType]] = defaultdict(list)
    for code in codes:
        found[code.co_qualname, code.co_firstlineno].append(code)
    return found
