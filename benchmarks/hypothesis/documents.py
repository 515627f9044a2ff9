"""Documents like XML: any tree of elements is drawn, one that keeps to a schema is assumed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from benchmarks.hypothesis.property import Property

#: A tag, and a text or a list of elements.
Element = tuple[str, Any]

TAGS = st.sampled_from(["project", "name", "version", "dependency", "group", "build"])
TEXTS = st.sampled_from(["", "1.0", "x"])
ELEMENTS = st.recursive(
    st.tuples(TAGS, TEXTS), lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)), max_leaves=8
)

#: What an element has to hold once, and what it may hold.
SCHEMA = {
    "project": ({"name"}, {"version", "dependency", "build"}),
    "dependency": ({"group", "name"}, {"version"}),
    "build": (set[str](), {"name"}),
}


def keeps_to_schema(element: Element) -> bool:
    """Whether an element holds what it has to, and no more than it may."""
    tag, body = element
    if tag not in SCHEMA:
        return bool(body == ("1.0" if tag == "version" else "x"))
    required, allowed = SCHEMA[tag]
    if isinstance(body, str):
        return body == "" and not required
    tags = [inner[0] for inner in body]
    return (
        all(tags.count(name) == 1 for name in required)
        and set(tags) <= required | allowed
        and all(map(keeps_to_schema, body))
    )


def shape(element: Element) -> Hashable:
    """Tags alone."""
    tag, body = element
    return (tag, tuple(map(shape, body)) if isinstance(body, list) else None)


def text_of(element: Element) -> str:
    """The document as text."""
    tag, body = element
    inner = body if isinstance(body, str) else "".join(map(text_of, body))
    return f"<{tag}>{inner}</{tag}>"


def test_text(element: Element) -> None:
    """A project has one name of its own, whatever it depends on."""
    assume(element[0] == "project")
    assume(keeps_to_schema(element))
    assert text_of(element).count("<name>") >= 1


PROPERTIES = (Property("xml-schema", test_text, shape, {"element": ELEMENTS}),)
