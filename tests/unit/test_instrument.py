"""Instrumented code takes the same steps as the plain one, and notes every branch."""

import ast
import asyncio
import dis
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from rlcheck.coverage.instrument import Instrumented


class Noted:
    """Functions of a source with their branches noted, and what was noted."""

    def __init__(self, source):
        self.source = dedent(source)
        self.taken = []
        self.instrumented = Instrumented(self.source, "<test>", lambda branch: self.taken.append, first=0)
        plain, self.namespace = {}, {}
        exec(compile(self.source, "<test>", "exec"), plain)
        exec(compile(self.source, "<test>", "exec"), self.namespace)
        self.plain = plain
        for value in self.namespace.values():
            if hasattr(value, "__code__"):
                value.__code__ = self.instrumented.noting(value.__code__)

    def run(self, *arguments):
        """The lines of the branches that f took; the result must be that of the plain f."""
        self.taken.clear()
        results = []
        for f in (self.namespace["f"], self.plain["f"]):
            try:
                result = f(*arguments)
                results.append(list(result) if hasattr(result, "__next__") else result)
            except Exception as error:
                results.append((type(error), error.args, error.__traceback__.tb_next.tb_lineno))
        assert results[0] == results[1]
        return [self.instrumented.lines[branch] for branch in self.taken]


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        (
            """
            def f(x):
                if x:
                    return 1
                return 2
            """,
            [((True,), [2, 3]), ((False,), [2, 3])],
        ),
        (
            """
            def f(n):
                '''A docstring.'''
                for i in range(n):
                    if i == 2:
                        break
                else:
                    return f.__doc__
            """,
            [((0,), [2, 4]), ((1,), [2, 4, 5, 4]), ((3,), [2, 4, 5, 4, 5, 4, 5])],
        ),
        (
            """
            def f(n):
                while n:
                    n -= 1
                while True:
                    return n
            """,
            [((0,), [2, 3, 5]), ((2,), [2, 3, 3, 3, 5])],
        ),
        (
            """
            def f(x):
                try:
                    return 1 // x
                except ZeroDivisionError:
                    return "zero"
                except TypeError:
                    raise ValueError(x)
                finally:
                    x = 3
            """,
            [((1,), [2]), ((0,), [2, 5]), ((None,), [2, 7])],
        ),
        (
            """
            def f(x):
                return (x and
                        x[0] or
                        "none")
            """,
            [(("",), [2, 5]), ((["a"],), [2, 4]), (([0],), [2, 4, 5])],
        ),
        (
            """
            def f(a, b, c):
                return (a < b
                        < c)
            """,
            [((1, 2, 3), [2, 4]), ((2, 1, 3), [2])],
        ),
        (
            """
            def f(x):
                return ("yes"
                        if x else
                        "no")
            """,
            [((1,), [2, 3]), ((0,), [2, 5])],
        ),
        (
            """
            def f(xs):
                return [
                    x
                    for x in xs
                    if x > 1
                    if x > 2
                ], {
                    x: 1 for x in xs}, {
                    -x for x in xs}, sum(
                    y for y in xs)
            """,
            [(([],), [2]), (([3],), [2, 6, 7, 4, 9, 10, 11]), (([0],), [2, 6, 9, 10, 11])],
        ),
        (
            """
            def f(x):
                match x:
                    case [a, *_] if (a > 1 and
                                     a < 5):
                        return a
                    case {"k": v}:
                        return v
                return None
            """,
            [(([2],), [2, 4, 5, 6]), (({"k": 3},), [2, 8]), ((5,), [2, 3]), (([1],), [2, 4, 3])],
        ),
        (
            """
            def f(x):
                match x:
                    case 1:
                        return "one"
                    case _ as y:
                        return y
            """,
            [((1,), [2, 5]), ((7,), [2, 7])],
        ),
        (
            """
            def f(x):
                g = lambda y: y + x
                def h():
                    nonlocal x
                    x = g(1)
                    return x
                return h()
            """,
            [((1,), [2, 4, 3])],
        ),
        (
            """
            def f(n):
                for i in range(n):
                    yield i if i % 2 else (yield "even")
            """,
            [((2,), [2, 3, 4, 3, 4, 3])],
        ),
    ],
)
def test_branches_of(source, runs):
    noted = Noted(source)
    for arguments, lines in runs:
        assert noted.run(*arguments) == lines, arguments


def test_asynchronous_functions():
    noted = Noted("""
    async def numbers(n):
        for i in range(n):
            yield i
    async def g(n):
        async for i in numbers(n):
            if i == 1:
                return [x async for x in numbers(i)]
        return "few"
    """)
    assert asyncio.run(noted.namespace["g"](3)) == [0]
    assert [noted.instrumented.lines[branch] for branch in noted.taken][-4:] == [2, 3, 8, 3]


def test_code_outside_functions_is_left_alone():
    assert Noted("x = 1 if [y for y in range(3) if y] and 2 else 3\nwhile x: x -= 1").instrumented.lines == []


def test_methods_super_and_private_names():
    noted = Noted("""
    class A:
        def __init__(self, x):
            self.__x = x
        def get(self):
            return self.__x if self.__x else None
    class B(A):
        def get(self):
            return super().get() or "nothing"
    def f(x):
        return B(x).get()
    """)
    for cls in ("A", "B"):
        for value in vars(noted.namespace[cls]).values():
            if hasattr(value, "__code__"):
                value.__code__ = noted.instrumented.noting(value.__code__)
    assert noted.run(5) == [10, 3, 8, 5, 6]
    assert noted.run(0) == [10, 3, 8, 5, 6, 9]


def test_lambdas_on_one_line_are_told_apart():
    noted = Noted("pair = (lambda x: x + 1, lambda x: x * 3)")
    pair = noted.namespace["pair"]
    for function in pair:
        function.__code__ = noted.instrumented.noting(function.__code__)
    assert [function(5) for function in pair] == [6, 15]
    assert noted.taken == [0, 1]


def test_code_of_another_source_is_left_alone():
    old = Noted("def f(x):\n    return x + 1\n")
    new = Instrumented("def f(x):\n    return x + 2\n", "<test>", lambda branch: None, first=0)
    assert new.noting(old.plain["f"].__code__) is None


def test_code_that_pytest_rewrote_is_left_alone_when_the_source_has_other_variables():
    code = Noted("def f(x):\n    return x\n").plain["f"].__code__.replace(co_names=("@pytest_ar",))
    same = Instrumented("def f(x):\n    return 2 * x\n", "<test>", lambda branch: [].append, first=0)
    assert same.noting(code) is not None
    source = "def f(x):\n    def f(): return x\n    return f\n"
    closure = Instrumented(source, "<test>", lambda branch: [].append, first=0)
    inner = code.replace(co_qualname="f.<locals>.f", co_firstlineno=2)
    assert closure.noting(inner) is None


def test_code_can_be_hashed_and_shows_its_lines():
    noted = Noted("def f(x):\n    if x:\n        return 1 / 0\n")
    code = noted.namespace["f"].__code__
    assert hash(code) == hash(code)
    assert {line for _, line in dis.findlinestarts(code) if line} <= {1, 2, 3}
    noted.run(1)


def test_warnings_of_the_source_are_not_repeated(recwarn):
    Instrumented('def f():\n    return "\\d" is 3\n', "<test>", lambda branch: [].append, first=0)
    assert not recwarn.list


def test_the_standard_library_compiles():
    for name in ("argparse", "dataclasses", "tomllib._parser"):
        path = Path(__import__(name, fromlist=["x"]).__file__)
        source = path.read_text(encoding="utf-8")
        instrumented = Instrumented(source, str(path), lambda branch: [].append, first=0)
        functions = sum(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for node in ast.walk(ast.parse(source))
        )
        assert len(instrumented.lines) > functions
        for value in vars(sys.modules[name]).values():
            if getattr(value, "__module__", None) == name and hasattr(value, "__code__"):
                assert instrumented.noting(value.__code__) is not None, value
