"""Pure-Python subjects, each with one input of ordinary size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

TOML = """
title = "rlcheck"
[owner]
name = "Ada"
born = 1979-05-27T07:32:00-08:00
[database]
enabled = true
ports = [ 8000, 8001, 8002 ]
data = [ ["delta", "phi"], [3.14] ]
limits = { cpu = 79.5, case = 72.0 }
[servers.alpha]
ip = "10.0.0.1"
role = "front\\u0041end"
[[products]]
name = "Hammer"
sku = 738594937
[[products]]
"""

C = """
struct s { int a; char *b; };
int a[10] = { 1, 2, 3 };
int f(char x) {
    int y = 3;
    while (x < 10) { if (y == 3) x = x + 1; else y = f(x); }
    for (int i = 0; i < 5; i++) { y = y * 2; }
    return x + y;
}
"""

SCHEMA = """
type Query { user(id: ID!): User version: Int }
type User { id: ID name: String posts(first: Int): [Post] }
type Post { id: ID title: String }
"""

QUERY = "query A ($a: ID!) { user(id: $a) { name posts(first: 1) { ...F } } } fragment F on Post { id title }"


@dataclass(frozen=True, slots=True)
class Subject:
    """One input of one package."""

    module: str
    run: Callable[[], object]


def _tomllib() -> Callable[[], object]:
    import tomllib

    return lambda: tomllib.loads(TOML)


def _pycparser() -> Callable[[], object]:
    from pycparser import c_parser

    return lambda: c_parser.CParser().parse(C)


def _graphql() -> Callable[[], object]:
    import graphql

    schema = graphql.build_schema(SCHEMA)
    return lambda: graphql.validate(schema, graphql.parse(QUERY))


#: Their names are those of their packages.
SUBJECTS: dict[str, Callable[[], Callable[[], object]]] = {
    "tomllib": _tomllib,
    "pycparser": _pycparser,
    "graphql": _graphql,
}


def missing(name: str) -> list[str]:
    """Return the package of a subject, where it is not installed."""
    return [] if find_spec(name) else [name]
