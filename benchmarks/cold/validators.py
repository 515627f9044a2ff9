"""Six further validators, two of them compiled, and a bill of materials; the generators know words alone."""

from __future__ import annotations

from functools import cache
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

Document = dict[str, Any]


def avro_schema(choose: Choose, depth: int = 0) -> Any:
    """Make a schema of Avro: a word, or any of the keys with anything."""
    words = ["null", "int", "string", "record", "enum", "array", "map", "fixed", "A", "B", ""]
    if depth == 3 or choose([True, False]):
        return choose(words)
    made: Document = {}
    for key in ("type", "name", "fields", "items", "values", "symbols", "size"):
        if choose([True, False]):
            kind = choose(["word", "number", "schema", "list"])
            if kind == "word":
                made[key] = choose(words)
            elif kind == "number":
                made[key] = choose(range(4))
            elif kind == "schema":
                made[key] = avro_schema(choose, depth + 1)
            else:
                made[key] = [avro_schema(choose, depth + 1) for _ in range(choose(range(3)))]
    return made


def is_avro_record(schema: Any) -> object:
    """Whether fastavro parses it, and it is a record with two fields; fastavro is compiled."""
    from fastavro import parse_schema

    if not isinstance(schema, dict) or schema.get("type") != "record":
        return False
    try:
        parsed = parse_schema(schema)
    except Exception as error:  # It raises whatever comes to hand.
        return error
    return len(parsed["fields"]) >= 2


def type_definitions(choose: Choose) -> str:
    """Make type definitions of GraphQL."""
    kinds = ["type", "interface", "enum", "input", "union", "scalar"]
    names = ["Query", "A", "B", "C", "Int"]
    made = []
    for _ in range(choose(range(1, 5))):
        kind, name = choose(kinds), choose(names)
        over = f" implements {choose(names)}" if choose([False, True]) else ""
        body = [
            f"{choose(['a', 'b'])}: {choose(['Int', 'A', 'B', 'C', '[A]', 'D'])}"
            if choose([True, False])
            else str(choose(["X", "Y"]))
            for _ in range(choose(range(4)))
        ]
        made.append(f"{kind} {name}{over} {{ {' '.join(body)} }}")
    return "\n".join(made)


def is_schema_definition(text: str) -> bool:
    """Whether graphql-core builds a valid schema with an interface that something implements."""
    import graphql

    try:
        schema = graphql.build_schema(text)
    except (graphql.GraphQLError, TypeError, KeyError):
        return False
    return "implements" in text and not graphql.validate_schema(schema)


def rules(choose: Choose, depth: int = 0) -> Document:
    """Make a schema of Cerberus."""
    made: Document = {}
    for field in ("a", "b"):
        if choose([True, False]):
            rule: Document = {}
            for key in ("type", "required", "schema", "allowed", "min", "regex", "dependencies", "anyof"):
                if choose([False, True]):
                    kind = choose(["word", "number", "list", "rules"] if depth < 2 else ["word", "number"])
                    if kind == "word":
                        rule[key] = choose(["string", "integer", "dict", "list", "a", "b", "x*", "(", True])
                    elif kind == "number":
                        rule[key] = choose(range(3))
                    elif kind == "list":
                        rule[key] = [rules(choose, depth + 1)] if choose([True, False]) else ["a", "b"]
                    else:
                        rule[key] = rules(choose, depth + 1)
            made[field] = rule
    return made


def is_cerberus_schema(schema: Document) -> bool:
    """Whether Cerberus takes it for a schema in which a field holds others and one has three rules."""
    import cerberus

    nested = any("schema" in rule and rule.get("type") == "dict" for rule in schema.values())
    if not nested or not any(len(rule) >= 3 for rule in schema.values()):
        return False
    try:
        cerberus.Validator(schema)
    except (cerberus.DocumentError, cerberus.SchemaError, TypeError, ValueError, RuntimeError):
        return False
    return True


def message(choose: Choose) -> Document:
    """Make a file of Protocol Buffers as a dictionary."""
    types = ["TYPE_INT32", "TYPE_STRING", "TYPE_MESSAGE", "TYPE_ENUM"]
    labels = ["LABEL_OPTIONAL", "LABEL_REPEATED", "LABEL_REQUIRED"]
    made: Document = {"name": choose(["", "f.proto"]), "messageType": [], "enumType": []}
    if choose([True, False]):
        made["syntax"] = choose(["proto2", "proto3", "proto4"])
    for _ in range(choose(range(1, 4))):
        fields = []
        for _ in range(choose(range(4))):
            field = {"name": choose(["a", "b", "c", ""]), "number": choose(range(-1, 5))}
            field |= {"type": choose(types), "label": choose(labels)}
            if choose([True, False]):
                field["typeName"] = choose([".M", ".N", ".E", "X"])
            fields.append(field)
        made["messageType"].append({"name": choose(["M", "N", "M N"]), "field": fields})
    if choose([True, False]):
        values = [{"name": choose(["P", "Q"]), "number": choose(range(3))} for _ in range(choose(range(3)))]
        made["enumType"].append({"name": choose(["E", "M"]), "value": values})
    return made


def is_descriptor(document: Document) -> object:
    """Whether a pool takes the file, which has a message of two fields and an enumeration; it is compiled."""
    from google.protobuf import descriptor_pb2, descriptor_pool, json_format

    if not document["enumType"] or all(len(made["field"]) < 2 for made in document["messageType"]):
        return False
    try:
        parsed = json_format.ParseDict(document, descriptor_pb2.FileDescriptorProto())
        descriptor_pool.DescriptorPool().Add(parsed)
        descriptor_pool.DescriptorPool().AddSerializedFile(parsed.SerializeToString())
    except (json_format.ParseError, TypeError) as error:
        return error
    return True


@cache
def _order_model() -> Any:
    from pydantic import BaseModel, Field

    class Item(BaseModel, extra="forbid", strict=True):
        code: str = Field(pattern="^[A-Z]{2}$")
        count: int = Field(ge=1, le=9)

    class Order(BaseModel, extra="forbid", strict=True):
        number: int = Field(gt=100)
        kind: str = Field(pattern="^(new|old)$")
        items: list[Item] = Field(min_length=2)
        rebate: float | None

    return Order


def order(choose: Choose, depth: int = 0) -> Any:
    """Make a document of the words of an order."""
    kind = choose(["scalar", "map", "list"] if depth < 3 else ["scalar"])
    if kind == "scalar":
        return choose([None, True, 0, 1, 5, 77, 500, 1.5, "", "new", "old", "AB", "CD", "abc"])
    if kind == "list":
        return [order(choose, depth + 1) for _ in range(choose(range(4)))]
    keys = ["number", "kind", "items", "rebate", "code", "count", "note"]
    return {key: order(choose, depth + 1) for key in keys if choose([True, False])}


def is_order(document: Any) -> object:
    """Whether pydantic, which is compiled, accepts it; the errors are returned."""
    from pydantic import ValidationError

    try:
        _order_model().model_validate(document)
    except ValidationError as error:
        return [f"{'.'.join(map(str, one['loc']))}: {one['type']}" for one in error.errors()]
    return True


def json_schema(choose: Choose, depth: int = 0) -> Document:
    """Make a JSON schema of any keywords with anything."""
    made: Document = {}
    for key in ("type", "properties", "required", "items", "enum", "minimum", "pattern", "allOf", "$ref"):
        if choose([False, True]):
            kind = choose(
                ["word", "number", "list", "words", "map"] if depth < 2 else ["word", "number", "words"]
            )
            if kind == "word":
                made[key] = choose(["object", "string", "array", "any", "(", "#/a", ""])
            elif kind == "number":
                made[key] = choose(range(3))
            elif kind == "list":
                made[key] = [json_schema(choose, depth + 1) for _ in range(choose(range(3)))]
            elif kind == "words":
                made[key] = [choose(["a", "b", "object", 1]) for _ in range(choose(range(3)))]
            else:
                made[key] = {
                    choose(["a", "b"]): json_schema(choose, depth + 1) for _ in range(choose(range(3)))
                }
    return made


def is_json_schema(schema: Document) -> object:
    """Whether jsonschema accepts it, and it has at least four keywords, one of them properties."""
    import jsonschema

    if len(schema) < 4 or not schema.get("properties"):
        return False
    errors = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA).iter_errors(schema)
    return [error.message for error in errors] or True


Rows = tuple[int, list[tuple[int, int, int]]]


def bill_of_materials(choose: Choose) -> Rows:
    """Make rows of what a part consists of: the part, another one, and how many of it."""
    parts = choose(range(8, 13))
    rows = []
    while len(rows) < 24 and choose([True, False]):
        rows.append((choose(range(parts)), choose(range(parts)), choose(range(-3, 10))))
    return parts, rows


def is_bill_of_materials(bill: Rows) -> bool:
    """Whether no part contains itself, every one is used once, and the whole has fewer than 200 parts."""
    parts, rows = bill
    if any(count <= 0 for _, _, count in rows):
        return False
    if {part for row in rows for part in row[:2]} != set(range(parts)):
        return False
    counts = {(whole, part): count for whole, part, count in rows}
    if len(counts) != len(rows):
        return False

    def total(part: int, above: frozenset[int]) -> int:
        if part in above:
            raise ValueError("a part contains itself")
        inner = [(other, count) for (whole, other), count in counts.items() if whole == part]
        return 1 + sum(count * total(other, above | {part}) for other, count in inner)

    try:
        return max(total(part, frozenset()) for part in range(parts)) < 200
    except ValueError:
        return False


SUBJECTS = (
    Subject("avro", avro_schema, is_avro_record, needs=("fastavro",)),  # type: ignore[arg-type]
    Subject("graphql-types", type_definitions, is_schema_definition, needs=("graphql",)),
    Subject("cerberus", rules, is_cerberus_schema, needs=("cerberus",)),
    Subject("bill-of-materials", bill_of_materials, is_bill_of_materials),
    Subject("protobuf", message, is_descriptor, needs=("google.protobuf",)),  # type: ignore[arg-type]
    Subject("pydantic", order, is_order, needs=("pydantic",)),  # type: ignore[arg-type]
    Subject("json-schema", json_schema, is_json_schema, needs=("jsonschema",)),  # type: ignore[arg-type]
)
