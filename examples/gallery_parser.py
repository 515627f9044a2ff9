"""Gallery: test pycparser with expressions made of tokens, most of which no C parser accepts."""

import io

from pycparser import c_generator, c_parser

import rlcheck

TOKENS = ["x", "1", "(", ")", "[", "]", "*", "&", "-", "--", "?", ":", "sizeof", "(char)"]
parser = c_parser.CParser()


def expression(choose):
    """A few tokens; nothing here knows about C."""
    return " ".join(choose(TOKENS) for _ in range(choose(range(1, 8))))


def parsed(expression):
    """The syntax tree as text, or None if it is not C."""
    try:
        tree = parser.parse(f"int f(int *x) {{ return {expression}; }}")
    except c_parser.ParseError:
        return None
    shown = io.StringIO()
    tree.show(buf=shown, attrnames=True)
    printed = c_generator.CGenerator().visit(tree)
    return shown.getvalue(), printed


def parses(expression):
    """The precondition: it is C."""
    return parsed(expression) is not None


def survives_printing(expression):
    """The property: what pycparser prints has the syntax tree of what it read."""
    tree, printed = parsed(expression)
    again = printed[printed.index("return ") + 7 : printed.rindex(";")]
    rlcheck.event("operators", sum(token in "*&---?sizeof(char)" for token in expression.split()))
    assert parsed(again)[0] == tree


for learner in ("uniform", None):
    campaign = rlcheck.Campaign(expression, valid=parses, test=survives_printing, learner=learner, seed=0)
    summary = campaign.run(episodes=800)
    name = learner or "default"
    print(f"{name}: {summary.unique_valid} different expressions, {len(summary.failures)} failures")
