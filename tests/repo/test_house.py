"""The house stays in order: short modules, small classes, and no abilities found by name."""

import ast
import re
import statistics
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "rlcheck"
MODULES = sorted(SOURCE.rglob("*.py"))
#: What has optional abilities: nobody but `abilities.py` looks these up by name.
ABLE = re.compile(
    r"\b(?:getattr|hasattr)\(\s*(?:\w+\.)*_?(learner|member|abstraction|reward|characteristic|engine)\b"
)


def lines(path):
    return path.read_text(encoding="utf-8").count("\n")


def own_attributes(node):
    """The attributes that a class sets on itself, and the fields that it annotates."""
    found = {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    }
    return found | {
        part.target.id
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }


def test_half_of_the_modules_have_at_most_150_lines_and_none_more_than_350():
    assert statistics.median(map(lines, MODULES)) <= 150
    assert [path.name for path in MODULES if lines(path) > 350] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_class_has_more_than_20_attributes(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    large = {
        node.name: len(own_attributes(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and len(own_attributes(node)) > 20
    }
    assert large == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_nobody_looks_up_abilities_by_name(path):
    if path.name != "abilities.py":
        assert ABLE.findall(path.read_text(encoding="utf-8")) == []
