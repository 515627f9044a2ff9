"""C programs for pycparser, GraphQL documents and OpenAPI descriptions: the strict suite's, with branches."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.campaigns import Subject as Strict
from benchmarks.strict import c_programs, graphql_queries, openapi_specs
from benchmarks.subjects.subject import Subject
from rlcheck import Coverage


def _subject(strict: Strict, coverage: Callable[[], Coverage]) -> Subject:
    return Subject(strict.name, strict.generator, strict.valid, coverage=coverage, needs=strict.needs)


SUBJECTS = (
    _subject(c_programs.SUBJECTS[0], lambda: Coverage("pycparser")),
    _subject(graphql_queries.SUBJECTS[0], lambda: Coverage("graphql")),
    _subject(openapi_specs.SUBJECTS[0], lambda: Coverage(("openapi_spec_validator", "jsonschema"))),
)
