"""GraphQL documents, which graphql-core has to validate against a schema."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

SCHEMA = """
type Query { version: String  user(id: ID!): User  posts(first: Int, tag: Tag): [Post!]  node(id: ID!): Node }
type Mutation { rename(id: ID!, name: String!): User  publish(id: ID!): Post }
interface Node { id: ID! }
type User implements Node { id: ID!  name(upper: Boolean): String  friend: User  posts(first: Int): [Post!] }
type Post implements Node { id: ID!  title: String  tag: Tag  author: User! }
enum Tag { NEWS SPORT }
"""
_FIELDS = [
    "version",
    "user",
    "posts",
    "node",
    "rename",
    "publish",
    "id",
    "name",
    "friend",
    "title",
    "tag",
    "author",
]
_ARGUMENTS = ["id", "first", "tag", "name", "upper"]
_VALUES = ["1", '"s"', "true", "NEWS", "null", "$a", "$b"]
_TYPES = ["Query", "Mutation", "Node", "User", "Post", "Tag"]
_INPUTS = ["ID!", "Int", "String!", "Boolean", "Tag", "User"]
_VALUE = re.compile(r': (1|"s"|true|NEWS|null)(?=[ )])')
_NAME = re.compile(r"\b[abABFG]\b")
_TOKEN = re.compile(r'\$?\w+!?|"s"|\.\.\.|[{}():]')


def document(choose: Choose) -> str:
    """One to three definitions."""
    made = [definition(choose)]
    while len(made) < 3 and choose([True, False]):
        made.append(definition(choose))
    return " ".join(made)


def definition(choose: Choose) -> str:
    """An operation with or without a name and variables, or a fragment."""
    kind = choose(["query", "mutation", "fragment"])
    if kind == "fragment":
        return f"fragment {choose(['F', 'G'])} on {choose(_TYPES)} {selections(choose)}"
    name = choose([" A", " B"]) if choose([True, False]) else ""
    variables: list[str] = []
    while len(variables) < 2 and choose([True, False]):
        variables.append(f"{choose(['$a', '$b'])}: {choose(_INPUTS)}")
    declared = f" ({' '.join(variables)})" if variables else ""
    return f"{kind}{name}{declared} {selections(choose)}"


def selections(choose: Choose, depth: int = 0) -> str:
    """One to three of fields and fragments."""
    made = [selection(choose, depth)]
    while len(made) < 3 and choose([True, False]):
        made.append(selection(choose, depth))
    return f"{{ {' '.join(made)} }}"


def selection(choose: Choose, depth: int) -> str:
    """Any field with any arguments, or any fragment."""
    kind = choose(["field", "spread", "inline"] if depth < 3 else ["field", "spread"])
    if kind == "spread":
        return f"...{choose(['F', 'G'])}"
    if kind == "inline":
        return f"... on {choose(_TYPES)} {selections(choose, depth + 1)}"
    name = choose(_FIELDS)
    given: list[str] = []
    while len(given) < 2 and choose([True, False]):
        given.append(f"{choose(_ARGUMENTS)}: {choose(_VALUES)}")
    arguments = f"({' '.join(given)})" if given else ""
    inner = f" {selections(choose, depth + 1)}" if depth < 3 and choose([True, False]) else ""
    return f"{name}{arguments}{inner}"


@cache
def _graphql() -> tuple[Any, Any]:
    import graphql

    return graphql, graphql.build_schema(SCHEMA)


def is_query(text: str) -> bool:
    """Whether the document asks for what the schema has."""
    graphql, schema = _graphql()
    # One error is enough, and validation is what takes the time.
    return not graphql.validate(schema, graphql.parse(text), max_errors=1)


def shape(text: str) -> Hashable:
    """Fields and types, without values and the names that the document gives to its own parts."""
    return _NAME.sub("_", _VALUE.sub(": _", text))


def size(text: str) -> int:
    """The number of tokens."""
    return len(_TOKEN.findall(text))


SUBJECTS = (Subject("graphql", document, is_query, shape, size, needs=("graphql",), inputs=2_000),)
