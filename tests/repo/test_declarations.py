"""The `.pxd` files agree with the sources: each class, attribute, method, argument and local exists."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "rlcheck"
DECLARED = sorted(path for path in SOURCE.rglob("*.pxd") if path.with_suffix(".py").exists())
# The garbage collector's header has a body of its own.
DECLARED = [path for path in DECLARED if path.name != "_gc.pxd"]


def classes_of(tree):
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def functions_of(body):
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def assigned_on_self(node):
    """Attributes that methods of a class set, or that it annotates."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            found.add(part.attr)
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            found.add(part.target.id)
    return found


def names_in(function):
    names = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    names |= {
        part.id
        for part in ast.walk(function)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    return names


def statements(text):
    """Lines without comments, those in brackets joined, each with its indentation."""
    text = re.sub(r"#[^\n]*", "", text)
    joined, depth = "", 0
    for character in text:
        depth += (character == "(") - (character == ")")
        joined += " " if character == "\n" and depth else character
    for line in joined.splitlines():
        if line.strip():
            yield len(line) - len(line.lstrip()), line.strip()


def argument_names(signature):
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    return [part.split("=")[0].split()[-1] for part in inside.split(",") if part.strip()]


def problems(path):
    tree = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8"))
    classes, functions = classes_of(tree), functions_of(tree.body)
    owner, locals_ = None, ()
    for indent, line in statements(path.read_text(encoding="utf-8")):
        if indent == 0:
            owner, locals_ = None, locals_ if line.startswith("@") else ()
        if line.startswith("cdef class "):
            name = re.match(r"cdef class (\w+)", line).group(1)
            owner = classes.get(name)
            if owner is None:
                yield f"class {name}"
        elif line.startswith("@cython.locals"):
            locals_ = re.findall(r"(\w+)=", line)
        elif "(" in line and line.startswith(("cdef ", "cpdef ")):
            name = re.search(r"(\w+)\(", line).group(1)
            known = functions_of(owner.body) if owner is not None else functions
            if name not in known:
                yield f"function {name}"
            else:
                expected = [argument.arg for argument in known[name].args.args]
                if argument_names(line) != expected:
                    yield f"arguments of {name}: {argument_names(line)} are {expected}"
                yield from (f"local {one} of {name}" for one in locals_ if one not in names_in(known[name]))
            locals_ = ()
        elif owner is not None and line.startswith("cdef "):
            attribute = line.split()[-1]
            if attribute not in assigned_on_self(owner):
                yield f"attribute {owner.name}.{attribute}"


@pytest.mark.parametrize("path", DECLARED, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_declaration_names_something_in_the_source(path):
    assert list(problems(path)) == []


def test_a_stale_declaration_is_noticed(tmp_path):
    (tmp_path / "m.py").write_text("class A:\n    def f(self, x):\n        self.y = x\n        z = 1\n")
    declared = tmp_path / "m.pxd"
    declared.write_text(
        "cdef class A:\n    cdef int y\n    cdef int gone\n"
        "    @cython.locals(z=int, w=int)\n    cpdef f(self, int other)\n    cdef g(self)\n"
    )
    found = list(problems(declared))
    assert found == [
        "attribute A.gone",
        "arguments of f: ['self', 'other'] are ['self', 'x']",
        "local w of f",
        "function g",
    ]
