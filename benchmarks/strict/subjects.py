"""The subjects of the suite, by name."""

from __future__ import annotations

from benchmarks.strict import (
    c_programs,
    graphql_queries,
    kml_documents,
    openapi_specs,
    pom_documents,
    sequences,
    terms,
    trees,
)

SUBJECTS = {
    subject.name: subject
    for subject in (
        *trees.SUBJECTS,
        *sequences.SUBJECTS,
        *terms.SUBJECTS,
        *pom_documents.SUBJECTS,
        *c_programs.SUBJECTS,
        *graphql_queries.SUBJECTS,
        *kml_documents.SUBJECTS,
        *openapi_specs.SUBJECTS,
    )
}
