"""A compiler of expressions with names to a stack machine, and its optimiser."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.expressions import (
    ARITHMETIC,
    COMPARISONS,
    FORMS,
    GIVEN,
    LEVELS,
    LOGIC,
    NAMES,
    NUMBERS,
    OPERATORS,
    VALUES,
    Code,
    Expression,
    calculate,
    evaluate,
    free,
    run,
    type_of,
)
from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose


class Compiler:
    """The compiler and the optimiser."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def program(self, made: Expression) -> Code:
        """Return code that finds what it is given in the first slots."""
        return self.compile(made, {name: slot for slot, name in enumerate(GIVEN)}, len(GIVEN))

    def compile(self, made: Expression, scope: dict[str, int], slot: int) -> Code:
        """Return code that leaves the value on the stack; slots from a number on are not in use."""
        form, *parts = made
        if form in ("number", "truth"):
            return [("push", parts[0])]
        if form == "name":
            return [("load", scope[parts[0]])]
        if form == "let":
            return self.compile_let(parts, scope, slot)
        if form == "if":
            test, yes, no = (self.compile(part, scope, slot) for part in parts)
            skip = len(yes) + 1 if self.bug != "if-skips-too-little" or len(yes) < 3 else len(yes)
            back = len(no) if self.bug != "if-skips-by-yes" else len(yes)
            return [*test, ("unless", skip), *yes, ("jump", back), *no]
        if form in LOGIC:
            return self.compile_logic(form, parts, scope, slot)
        inner = [self.compile(part, scope, slot) for part in parts]
        if self.bug == "operands-by-size" and form == "-" and len(inner[1]) > len(inner[0]) > 1:
            inner.reverse()
        return [*(step for code in inner for step in code), (form,)]

    def compile_let(self, parts: list[Any], scope: dict[str, int], slot: int) -> Code:
        """Return code that keeps a value in a slot."""
        name, bound, body = parts
        if self.bug == "let-reuses-slot-of-name":
            slot = scope.get(name, slot)
        inner = scope | {name: slot}
        if self.bug == "let-leaks-name":
            scope[name] = slot
            inner = scope
        kept = self.compile(bound, inner if self.bug == "let-binds-too-early" else scope, slot)
        after = slot + 1 if self.bug != "let-slot-by-names" else len(inner)
        return [*kept, ("store", slot), *self.compile(body, inner, after)]

    def compile_logic(self, form: str, parts: list[Any], scope: dict[str, int], slot: int) -> Code:
        """Return code that looks at the second value only if it must."""
        one, other = (self.compile(part, scope, slot) for part in parts)
        if form == "and" or (self.bug == "or-compiles-as-and" and len(one) > 2):
            return [*one, ("unless", len(other) + 1), *other, ("jump", 1), ("push", False)]
        if self.bug == "or-jumps-short" and len(other) > 3:
            return [*one, ("unless", 2), ("push", True), ("jump", len(other) - 1), *other]
        return [*one, ("unless", 2), ("push", True), ("jump", len(other)), *other]

    def depth(self, made: Expression) -> int:
        """Return how high the stack can be."""
        form, *parts = made
        if form in ("number", "truth", "name"):
            return 1
        if form == "let":
            return max(self.depth(parts[1]), self.depth(parts[2]))
        if form == "not":
            return self.depth(parts[0])
        depths = [self.depth(part) for part in parts]
        if form == "if":
            return max(depths) if self.bug != "depth-of-test-is-forgotten" else max(depths[1:])
        if form in LOGIC:
            return max(depths)
        if self.bug == "depth-of-left-is-deeper":
            return max(depths[0], 2) if depths[0] >= depths[1] else depths[1]
        return max(depths[0], depths[1] + 1)

    def fold(self, made: Expression) -> Expression:
        """Return a simpler expression of the same value."""
        form, *parts = made
        if form in ("number", "truth", "name"):
            return made
        if form == "let":
            return self.fold_let(parts[0], self.fold(parts[1]), self.fold(parts[2]))
        inner = [self.fold(part) for part in parts]
        if form == "if":
            if self.bug == "fold-if-of-equal-tests" and inner[1][0] == "if" and inner[1][1] == inner[0]:
                return ("if", inner[0], inner[1][3], inner[2])
            if inner[0][0] == "truth":
                return inner[1] if inner[0][1] else inner[2]
            return ("if", *inner)
        if form == "not":
            if self.bug == "fold-not-less" and inner[0][0] == "<":
                return ("<", inner[0][2], inner[0][1])
            return inner[0][1] if inner[0][0] == "not" else ("not", *inner)
        one, other = inner
        if one[0] == other[0] and one[0] in ("number", "truth"):
            value = calculate(form, one[1], other[1])
            return ("number" if form in ARITHMETIC else "truth", value)
        return self.fold_operator(form, one, other)

    def fold_operator(self, form: str, one: Expression, other: Expression) -> Expression:
        """Simplify an operator of which not both sides are known."""
        zero = ("number", 0)
        if self.bug == "fold-zero-minus" and form == "-" and one == zero:
            return other
        if (form == "+" and one == zero) or (form == "*" and one == ("number", 1)):
            return other
        if form in "+-" and other == zero:
            return one
        if form == one[0] == "-" and one[2][0] == other[0] == "number":
            known = one[2][1] - other[1] if self.bug == "fold-minus-chain" else one[2][1] + other[1]
            return ("-", one[1], ("number", known))
        if form == "-" and one == other:
            return zero if self.bug != "fold-minus-itself" else one
        if self.bug == "fold-less-than-itself" and form == "<" and one == other:
            return ("truth", True)
        if form in LOGIC and other[0] == "truth" and self.bug == "fold-logic-takes-known":
            return other
        if form in LOGIC and one[0] == "truth":
            return other if one[1] == (form == "and") else one
        return (form, one, other)

    def fold_let(self, name: str, bound: Expression, body: Expression) -> Expression:
        """Drop a name that is not used, and put simple values in its place."""
        used = free(body)
        if self.bug == "drop-looks-one-level-down" and body[0] in OPERATORS:
            used = {part[1] for part in body[1:] if part[0] == "name"}
        if name not in used:
            return body
        if bound[0] in ("number", "truth", "name"):
            return self.substitute(body, name, bound)
        return ("let", name, bound, body)

    def substitute(self, made: Expression, name: str, value: Expression) -> Expression:
        """Put a value in the place of a name."""
        form, *parts = made
        if form == "name":
            return value if parts[0] == name else made
        if form == "let":
            again, bound, body = parts
            if self.bug != "substitute-skips-bound" or again != name:
                bound = self.substitute(bound, name, value)
            if again == name and self.bug != "substitute-ignores-shadow":
                return ("let", again, bound, body)
            if value == ("name", again) and self.bug != "substitute-captures":
                other = next(each for each in "uvw" if each not in free(body) | {name, again})
                again, body = other, self.substitute(body, again, ("name", other))
            return ("let", again, bound, self.substitute(body, name, value))
        if form in ("number", "truth"):
            return made
        return (form, *(self.substitute(part, name, value) for part in parts))


def compiled_value(compiler: Compiler, made: Expression) -> bool:
    """Compiled code gives the value of the expression."""
    code = compiler.program(made)
    return all(run(code, *given.values())[0] == evaluate(made, given) for given in VALUES)


def folded_value(compiler: Compiler, made: Expression) -> bool:
    """The optimiser keeps the value."""
    folded = compiler.fold(made)
    same = all(evaluate(folded, given) == evaluate(made, given) for given in VALUES)
    return type_of(folded, GIVEN) == type_of(made, GIVEN) and same


def depth_is_enough(compiler: Compiler, made: Expression) -> bool:
    """The stack grows no higher than was said."""
    code = compiler.program(made)
    return all(run(code, *given.values())[1] <= compiler.depth(made) for given in VALUES)


def valid(made: Expression) -> bool:
    """Whether names and types are right, and there is something to calculate."""
    return made[0] not in ("number", "truth", "name") and type_of(made, GIVEN) is not None


def generator(choose: Choose) -> Expression:
    """Make any expression."""
    return expression(choose, 0)


def expression(choose: Choose, depth: int) -> Expression:
    """Make any expression of a few levels."""
    form = choose(FORMS if depth < LEVELS else FORMS[:3])
    if form == "number":
        return (form, choose(NUMBERS))
    if form == "truth":
        return (form, choose([False, True]))
    if form == "name":
        return (form, choose(NAMES))
    if form == "let":
        return (form, choose(NAMES), expression(choose, depth + 1), expression(choose, depth + 1))
    count = 3 if form == "if" else 1 if form == "not" else 2
    return (form, *(expression(choose, depth + 1) for _ in range(count)))


def handwritten(random: Random) -> Expression:
    """Write an expression of a type, with names that are in scope."""

    def some(kind: str, scope: dict[str, str], depth: int) -> Expression:
        known = [("name", name) for name, held in scope.items() if held == kind]
        if depth == LEVELS or (depth > 0 and random.random() < 0.25):
            plain = random.choice(NUMBERS) if kind == "number" else random.random() < 0.5
            return random.choice([(kind, plain), *known, *known])
        roll = random.random()
        if roll < 0.35:
            held, name = random.choice(["number", "number", "truth"]), random.choice(NAMES)
            bound = some(held, scope, depth + 1)
            return ("let", name, bound, some(kind, scope | {name: held}, depth + 1))
        if roll < 0.5:
            return ("if", *(some(each, scope, depth + 1) for each in ("truth", kind, kind)))
        if kind == "truth" and roll < 0.6:
            return ("not", some("truth", scope, depth + 1))
        form = random.choice(ARITHMETIC if kind == "number" else COMPARISONS + LOGIC)
        inner = "truth" if form in LOGIC else "number"
        one = some(inner, scope, depth + 1)
        return (form, one, one if random.random() < 0.1 else some(inner, scope, depth + 1))

    while True:
        made = some(random.choice(["number", "truth"]), GIVEN, 0)
        if valid(made):
            return made


EXPRESSIONS = st.deferred(
    lambda: (
        st.tuples(st.just("number"), st.integers(NUMBERS[0], NUMBERS[-1]))
        | st.tuples(st.just("truth"), st.booleans())
        | st.tuples(st.just("name"), st.sampled_from(NAMES))
        | st.tuples(st.just("let"), st.sampled_from(NAMES), EXPRESSIONS, EXPRESSIONS)
        | st.tuples(st.just("if"), EXPRESSIONS, EXPRESSIONS, EXPRESSIONS)
        | st.tuples(st.just("not"), EXPRESSIONS)
        | st.tuples(st.sampled_from(OPERATORS), EXPRESSIONS, EXPRESSIONS)
    )
)

WORKLOAD = Workload(
    "compiler",
    Compiler,
    generator,
    EXPRESSIONS,
    valid,
    {
        "if-skips-too-little": (compiled_value, depth_is_enough),
        "if-skips-by-yes": (compiled_value, depth_is_enough),
        "operands-by-size": (compiled_value, depth_is_enough),
        "let-reuses-slot-of-name": (compiled_value,),
        "let-leaks-name": (compiled_value, depth_is_enough),
        "let-binds-too-early": (compiled_value, depth_is_enough),
        "let-slot-by-names": (compiled_value,),
        "or-compiles-as-and": (compiled_value,),
        "or-jumps-short": (compiled_value, depth_is_enough),
        "depth-of-test-is-forgotten": (depth_is_enough,),
        "depth-of-left-is-deeper": (depth_is_enough,),
        "fold-if-of-equal-tests": (folded_value,),
        "fold-not-less": (folded_value,),
        "fold-zero-minus": (folded_value,),
        "fold-minus-chain": (folded_value,),
        "fold-minus-itself": (folded_value,),
        "fold-less-than-itself": (folded_value,),
        "fold-logic-takes-known": (folded_value,),
        "drop-looks-one-level-down": (folded_value,),
        "substitute-skips-bound": (folded_value,),
        "substitute-ignores-shadow": (folded_value,),
        "substitute-captures": (folded_value,),
    },
    handwritten,
)
