"""XML documents against a schema like that of Maven's project files."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

#: A tag, its text or None, its children.
Element = tuple[str, str | None, list[Any]]

#: Elements that hold others: which ones they may hold, once each unless starred.
_CHILDREN = {
    "project": "modelVersion groupId artifactId version packaging name description url parent"
    " dependencies build modules licenses developers",
    "parent": "groupId artifactId version",
    "dependencies": "dependency*",
    "dependency": "groupId artifactId version scope optional",
    "build": "plugins",
    "plugins": "plugin*",
    "plugin": "groupId artifactId version",
    "modules": "module*",
    "licenses": "license*",
    "license": "name url",
    "developers": "developer*",
    "developer": "id name url",
}
_REQUIRED = {
    "parent": ("groupId", "artifactId"),
    "dependency": ("artifactId",),
    "plugin": ("artifactId",),
    "license": ("name",),
    "developer": ("id",),
}
#: Elements that hold text: which words they may hold; None for any.
_WORDS: dict[str, tuple[str, ...] | None] = {
    "modelVersion": ("4.0.0",),
    "groupId": None,
    "artifactId": None,
    "version": None,
    "packaging": ("jar", "war", "pom"),
    "name": None,
    "description": None,
    "url": None,
    "scope": ("compile", "test"),
    "optional": ("true", "false"),
    "module": None,
    "id": None,
}
_TAGS = sorted({*_CHILDREN, *_WORDS})
_DICTIONARY = [
    "1.0",
    "2.1-SNAPSHOT",
    "4.0.0",
    "app",
    "compile",
    "core",
    "false",
    "jar",
    "junit",
    "org.example",
    "pom",
    "provided",
    "test",
    "true",
    "war",
]


def element(choose: Choose, depth: int = 0) -> Element:
    """Any element with any text and up to three children, of up to five levels."""
    tag = choose(_TAGS)
    text = choose(_DICTIONARY) if choose([True, False]) else None
    children: list[Element] = []
    while depth < 4 and len(children) < 3 and choose([True, False]):
        children.append(element(choose, depth + 1))
    return (tag, text, children)


def is_pom(root: Element) -> bool:
    """Whether it is a project that says something, every element of it as the schema has it."""
    return root[0] == "project" and len(root[2]) > 0 and _conforms(root)


def _conforms(value: Element) -> bool:
    tag, text, children = value
    if tag in _WORDS:
        words = _WORDS[tag]
        return text is not None and not children and (words is None or text in words)
    if tag not in _CHILDREN or text is not None:
        return False
    allowed = _CHILDREN[tag].split()
    tags = [child[0] for child in children]
    once = [child for child in tags if f"{child}*" not in allowed]
    return (
        all(child in allowed for child in once)
        and len(set(once)) == len(once)
        and all(required in tags for required in _REQUIRED.get(tag, ()))
        and all(map(_conforms, children))
    )


def shape(value: Element) -> Hashable:
    """Tags, without text."""
    return (value[0], *map(shape, value[2]))


def size(value: Element) -> int:
    """The number of elements."""
    return 1 + sum(map(size, value[2]))


SUBJECTS = (Subject("xml-pom", element, is_pom, shape, size),)
