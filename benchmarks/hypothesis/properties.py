"""All properties, and all planted bugs, by name."""

from __future__ import annotations

from benchmarks.hypothesis import documents, machines, sequences, terms, trees
from benchmarks.hypothesis.property import Property

PROPERTIES: dict[str, Property] = {
    each.name: each for module in (trees, sequences, terms, documents, machines) for each in module.PROPERTIES
}
#: Not counted among the properties: a test that fails ends.
BUGS: dict[str, Property] = {each.name: each for module in (trees, terms) for each in module.BUGS}
