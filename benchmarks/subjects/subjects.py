"""The subjects by name: those with branches first, then compiled ones, then the paper's own four."""

from __future__ import annotations

from benchmarks.subjects import (
    build_files,
    configurations,
    models,
    modules,
    molecules,
    notebooks,
    pages,
    parsers,
    programs,
    queries,
    scripts,
)

SUBJECTS = {
    subject.name: subject
    for subject in (
        *configurations.SUBJECTS,
        *parsers.SUBJECTS,
        *notebooks.SUBJECTS,
        *pages.SUBJECTS,
        *modules.SUBJECTS,
        *models.SUBJECTS,
        *queries.SUBJECTS,
        *programs.SUBJECTS,
        *molecules.SUBJECTS,
        *build_files.SUBJECTS,
        *scripts.SUBJECTS,
    )
}
