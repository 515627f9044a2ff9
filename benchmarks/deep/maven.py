"""Project files like Maven's: a naive generator of XML, and a reader as strict as Maven's.

The generator is the one that the paper shows: depth 4, up to two children, up to one attribute, and one
dictionary for tags, attributes and text.
"""

from __future__ import annotations

from xml.etree import ElementTree

from rlcheck.generators import Choose

#: Elements that hold others: which ones they may hold, once each unless starred.
_CHILDREN = {
    "project": "modelVersion groupId artifactId version packaging name description url inceptionYear parent"
    " organization dependencies dependencyManagement build modules licenses developers contributors"
    " repositories pluginRepositories properties scm issueManagement ciManagement profiles reporting",
    "parent": "groupId artifactId version relativePath",
    "organization": "name url",
    "dependencies": "dependency*",
    "dependencyManagement": "dependencies",
    "dependency": "groupId artifactId version scope type classifier optional systemPath exclusions",
    "exclusions": "exclusion*",
    "exclusion": "groupId artifactId",
    "build": "plugins pluginManagement finalName directory outputDirectory sourceDirectory defaultGoal"
    " testSourceDirectory resources extensions",
    "pluginManagement": "plugins",
    "plugins": "plugin*",
    "plugin": "groupId artifactId version executions inherited extensions",
    "executions": "execution*",
    "execution": "id phase goals inherited",
    "goals": "goal*",
    "resources": "resource*",
    "resource": "directory targetPath filtering includes excludes",
    "includes": "include*",
    "excludes": "exclude*",
    "modules": "module*",
    "licenses": "license*",
    "license": "name url distribution comments",
    "developers": "developer*",
    "developer": "id name email url timezone roles organizationUrl",
    "contributors": "contributor*",
    "contributor": "name email url timezone roles organizationUrl",
    "roles": "role*",
    "repositories": "repository*",
    "pluginRepositories": "pluginRepository*",
    "repository": "id name url layout releases snapshots",
    "pluginRepository": "id name url layout releases snapshots",
    "releases": "enabled updatePolicy checksumPolicy",
    "snapshots": "enabled updatePolicy checksumPolicy",
    "scm": "connection developerConnection tag url",
    "issueManagement": "system url",
    "ciManagement": "system url notifiers",
    "notifiers": "notifier*",
    "notifier": "type address sendOnError sendOnFailure sendOnSuccess",
    "profiles": "profile*",
    "profile": "id activation build modules dependencies repositories properties",
    "activation": "activeByDefault jdk os file",
    "os": "name family arch version",
    "file": "exists missing",
    "reporting": "outputDirectory excludeDefaults plugins",
}
#: Elements whose children may have any tag and hold text.
_FREE = {"properties"}
_BOOLEANS = {"optional", "inherited", "extensions", "filtering", "enabled", "activeByDefault"} | {
    "excludeDefaults",
    "sendOnError",
    "sendOnFailure",
    "sendOnSuccess",
}
_ALLOWED = {tag: frozenset(children.replace("*", "").split()) for tag, children in _CHILDREN.items()}
_REPEATED = frozenset(
    child.rstrip("*") for children in _CHILDREN.values() for child in children.split() if "*" in child
)
#: Attributes that the reader knows.
_ATTRIBUTES = {"project": {"xmlns", "schemaLocation"}, "plugin": {"combine.self"}, "goals": {"combine.self"}}
_WORDS = [
    "4.0.0",
    "1.0",
    "jar",
    "war",
    "test",
    "compile",
    "true",
    "false",
    "org.example",
    "xmlns",
    "combine.self",
]
#: What tags, attributes and text are taken from.
DICTIONARY = sorted(
    {*_CHILDREN, *_FREE, *(child for allowed in _ALLOWED.values() for child in allowed), *_WORDS}
    | {"schemaLocation"}
)
_DEPTH = 4


def document(choose: Choose) -> str:
    """An XML document."""
    return ElementTree.tostring(_node(choose, 0), encoding="unicode")


def _node(choose: Choose, depth: int) -> ElementTree.Element:
    node = ElementTree.Element(choose(DICTIONARY))
    for _ in range(choose(range(2))):
        node.set(choose(DICTIONARY), choose(DICTIONARY))
    if depth < _DEPTH and choose([True, False]):
        for _ in range(choose(range(3))):
            node.append(_node(choose, depth + 1))
    elif choose([True, False]):
        node.text = choose(DICTIONARY)
    return node


def is_project(text: str) -> bool:
    """Whether a reader of Maven's model takes the document for a project that says something."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:  # A tag such as 4.0.0.
        return False
    return root.tag == "project" and len(root) > 0 and _reads(root)


def _reads(node: ElementTree.Element) -> bool:
    tag = node.tag
    if not _ATTRIBUTES.get(tag, set()).issuperset(node.keys()):
        return False
    if tag in _FREE:
        return not node.text and all(not len(child) and not child.keys() for child in node)
    allowed = _ALLOWED.get(tag)
    if allowed is None or (tag == "extensions" and len(node) == 0):
        return len(node) == 0 and (tag not in _BOOLEANS or node.text in (None, "true", "false"))
    if node.text:
        return False
    seen = set()
    for child in node:
        if (
            child.tag not in allowed
            or (child.tag in seen and child.tag not in _REPEATED)
            or not _reads(child)
        ):
            return False
        seen.add(child.tag)
    return True
