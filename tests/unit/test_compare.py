"""Code under watch does what it did, and notes what it compares and catches."""

import textwrap
import types

import pytest

from rlcheck.coverage.compare import EQUAL, LESS, LOOKUP, STARTS, TYPE, WITHIN, ComparisonMarker
from rlcheck.coverage.instrument import Instrumented
from rlcheck.coverage.watched import Watched


class Watching:
    """A function of some source, plain and under watch."""

    def __init__(self, source):
        self.notes = Watched({"watched"})
        source = textwrap.dedent(source)
        instrumented = Instrumented(source, "<test>", self.notes.of, first=0, marker=ComparisonMarker)
        self.namespace = {"__name__": "watched"}
        exec(compile(source, "<test>", "exec"), self.namespace)
        for thing in list(self.namespace.values()):
            if isinstance(thing, types.FunctionType):
                thing.__code__ = instrumented.noting(thing.__code__)

    def __call__(self, *arguments):
        self.notes.clear()
        return self.namespace["f"](*arguments)

    @property
    def seen(self):
        return [(site & 7, left, right) for site, left, right in self.notes.compared]


@pytest.mark.parametrize(
    ("expression", "seen"),
    [
        ("x == 3", [(EQUAL, 5, 3)]),
        ("3 != x", [(EQUAL, 3, 5)]),
        ("x + 0 == abs(-3)", [(EQUAL, 5, 3)]),
        ("abs(x) == 3", [(EQUAL, 5, 3)]),
        ("x < 3", [(LESS, 5, 3)]),
        ("1 <= x >= 7", [(LESS, 1, 5), (LESS, 5, 7)]),
        ("1 <= abs(x) <= 7", [(LESS, 1, 5)]),
        ("x is None", []),
        ("x in (1, 2)", [(WITHIN, 5, (1, 2))]),
        ("x not in {1: 0, None: 0}", [(WITHIN, 5, (1,))]),
        ("x in range(3)", []),
        ("{1: 2}.get(x)", [(LOOKUP, 5, (1,))]),
        ("{5: 2}[x]", [(LOOKUP, 5, (5,))]),
        ("([0] * 9)[x:]", []),
        ("'ab'.startswith('b')", [(STARTS, "ab", "b")]),
        ("isinstance(x, (str, bytes))", [(TYPE, 5, (str, bytes))]),
        ("isinstance(x, int)", [(TYPE, 5, (int,))]),
        ("[1, 2] == [1, x]", [(EQUAL, 2, 5)]),
        ("[1, 2] == [1, 2]", []),
        ("all(x < y for y in (6, 4))", [(LESS, 5, 6), (LESS, 5, 4)]),
        ("(lambda y: y == x)(4)", [(EQUAL, 4, 5)]),
        ("object() == x", []),
        ("x == object()", []),
        ("print(*()) is None", []),
        ("x.bit_count() == (x == 5)", [(EQUAL, 5, 5), (EQUAL, 2, True)]),
    ],
)
def test_comparisons_are_noted_and_come_out_as_before(expression, seen):
    watching = Watching(f"def f(x):\n    return {expression}")
    assert watching(5) == eval(expression, {"x": 5})
    assert watching.seen == seen


def test_the_constants_of_a_match_are_noted():
    watching = Watching(
        """
        def f(x):
            match x:
                case 1 | "two":
                    return "low"
                case [_]:
                    return "list"
                case 3:
                    return "three"
        """
    )
    assert [watching(x) for x in ("two", [0], 3)] == ["low", "list", "three"]
    assert watching(4) is None
    assert watching.seen == [(WITHIN, 4, (1, "two", 3))]


def test_an_exception_is_noted_where_it_is_caught_in_the_precondition():
    source = """
        def f(x):
            try:
                return int(x)
            except ValueError:
                return -1
            except BaseException:
                return -2
        """
    watching = Watching(source)
    assert watching("a") == -1
    assert list(watching.notes.caught) == ["ValueError: invalid literal for int_ with base _: _"]
    watching.namespace["int"] = lambda x: (_ for _ in ()).throw(KeyboardInterrupt)
    assert watching("a") == -2
    assert not watching.notes.caught
    watching.namespace["__name__"] = "elsewhere"
    del watching.namespace["int"]
    assert watching("a") == -1
    assert not watching.notes.caught


def test_operands_that_are_not_plain_are_left_alone():
    class Bad:
        __hash__ = None

        def __eq__(self, other):
            raise RuntimeError("compared")

        def __repr__(self):
            raise RuntimeError("shown")

        def __len__(self):
            raise RuntimeError("counted")

    watching = Watching("def f(x, y):\n    return x is y or 3 in {4: x} or [x][0] is y or isinstance(x, y)")
    assert watching(Bad(), Bad)
    assert watching.seen == [(WITHIN, 3, (4,))]
    with pytest.raises(RuntimeError, match="compared"):
        Watching("def f(x, y):\n    return abs(3) == x.real")(types.SimpleNamespace(real=Bad()), 0)


def test_what_comparisons_raise_is_raised_where_it_was():
    with pytest.raises(TypeError) as raised:
        Watching("def f(x):\n    return abs(x) < str(x)")(3)
    assert raised.traceback[-1].name == "f"


def test_muted_sites_are_not_noted():
    watching = Watching("def f(x):\n    return x == 3 and abs(x) == 3 and abs(x) == abs(3)")
    assert watching(3)
    watching.notes.muted.update(site for site, _, _ in watching.notes.compared)
    assert watching(3)
    assert not watching.seen


def test_an_input_that_begins_inside_a_comparison_is_no_problem():
    watching = Watching("def f(x):\n    return x() == x()")
    assert watching(lambda: watching.notes.clear() or 3)
    assert not watching.seen
