"""Descriptions of web interfaces, which openapi-spec-validator has to accept.."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

Object = dict[str, Any]

_STRINGS = ["Pets", "1.0", "query", "path", "string", "object", "/pets"]
_TYPES = ["string", "integer", "object", "array", "list", "file"]
_REFERENCES = ["#/components/schemas/Pet", "#/components/schemas/Error", "#/components/Pet"]


def specification(choose: Choose) -> Object:
    """Any of the top-level keys, each with something of about the right kind."""
    made: Object = {}
    if choose([True, False]):
        made["openapi"] = choose(["1.2", "2.0", "3.0", "3.0.3", "3.1.0"])
    if choose([True, False]):
        made["info"] = info(choose)
    if choose([True, False]):
        made["paths"] = paths(choose)
    if choose([True, False]):
        made["components"] = components(choose)
    if choose([True, False]):
        made["tags"] = scalar(choose)
    return made


def scalar(choose: Choose) -> Any:
    """A string, a number or a truth value."""
    kind = choose(["string", "number", "boolean"])
    if kind == "string":
        return choose(_STRINGS)
    return choose(range(3)) if kind == "number" else choose([True, False])


def info(choose: Choose) -> Object:
    """What the interface is."""
    made: Object = {}
    if choose([True, False]):
        made["title"] = scalar(choose)
    if choose([True, False]):
        made["version"] = scalar(choose)
    if choose([True, False]):
        made["description"] = scalar(choose)
    return made


def paths(choose: Choose) -> Object:
    """Up to two paths."""
    made: Object = {}
    while len(made) < 2 and choose([True, False]):
        made[choose(["/", "/pets", "pets", "/pets/{id}"])] = path(choose)
    return made


def path(choose: Choose) -> Object:
    """Up to two operations."""
    made: Object = {}
    while len(made) < 2 and choose([True, False]):
        made[choose(["get", "post", "fetch", "summary"])] = operation(choose)
    return made


def operation(choose: Choose) -> Object:
    """What is asked and what is answered."""
    made: Object = {}
    if choose([True, False]):
        made["operationId"] = scalar(choose)
    if choose([True, False]):
        made["parameters"] = []
        while len(made["parameters"]) < 2 and choose([True, False]):
            made["parameters"].append(parameter(choose))
    if choose([True, False]):
        made["responses"] = {}
        while len(made["responses"]) < 2 and choose([True, False]):
            made["responses"][choose(["200", "404", "default", "ok"])] = response(choose)
    return made


def parameter(choose: Choose) -> Object:
    """Something asked."""
    made: Object = {}
    if choose([True, False]):
        made["name"] = choose(["id", "limit"])
    if choose([True, False]):
        made["in"] = choose(["path", "query", "header", "body"])
    if choose([True, False]):
        made["required"] = scalar(choose)
    if choose([True, False]):
        made["schema"] = schema(choose)
    return made


def response(choose: Choose) -> Object:
    """Something answered."""
    made: Object = {}
    if choose([True, False]):
        made["description"] = scalar(choose)
    if choose([True, False]):
        made["content"] = {choose(["application/json", "text"]): {"schema": schema(choose)}}
    return made


def components(choose: Choose) -> Object:
    """Up to two schemas to refer to."""
    made: Object = {}
    while len(made) < 2 and choose([True, False]):
        made[choose(["Pet", "Error"])] = schema(choose)
    return {choose(["schemas", "definitions"]): made}


def schema(choose: Choose, depth: int = 0) -> Object:
    """A reference, or any of a schema's keys."""
    if choose([True, False]):
        return {"$ref": choose(_REFERENCES)}
    made: Object = {}
    if choose([True, False]):
        made["type"] = choose(_TYPES)
    if depth < 2 and choose([True, False]):
        made["items"] = schema(choose, depth + 1)
    if depth < 2 and choose([True, False]):
        made["properties"] = {choose(["id", "name"]): schema(choose, depth + 1)}
    if choose([True, False]):
        made["required"] = choose([True, ["id"], ["name"], []])
    return made


@cache
def _validator() -> tuple[Any, tuple[type[Exception], ...]]:
    from jsonschema.exceptions import ValidationError
    from openapi_spec_validator import validate
    from openapi_spec_validator.exceptions import OpenAPIError
    from referencing.exceptions import Unresolvable

    # The validator runs out of stack where references lead in a circle, so it does not accept them.
    return validate, (OpenAPIError, ValidationError, Unresolvable, RecursionError)


def is_openapi(value: Object) -> bool:
    """Whether the validator accepts the specification."""
    validate, rejections = _validator()
    try:
        validate(value)
    except rejections:
        return False
    return True


def shape(value: Any) -> Hashable:
    """Keys, without values."""
    if isinstance(value, dict):
        return frozenset((key, shape(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(map(shape, value))
    return None


def size(value: Any) -> int:
    """The number of keys."""
    if isinstance(value, dict):
        return len(value) + sum(map(size, value.values()))
    return sum(map(size, value)) if isinstance(value, list) else 0


SUBJECTS = (
    Subject(
        "openapi",
        specification,
        is_openapi,
        shape,
        size,
        needs=("openapi_spec_validator",),
        inputs=10_000,
    ),
)
