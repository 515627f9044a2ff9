"""Molecules as lines of text (SMILES), which RDKit has to read."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.subjects.subject import Subject
from rlcheck.generators import Choose

_TOKENS = """
    C N O S P F Cl Br c n o s [nH] [NH4+] [O-] [C@H] [C@@H] [13C] [Fe] [2H] = # : / \\ . ( ) 1 2 3 %10
""".split()


def line(choose: Choose) -> str:
    """Up to 16 tokens."""
    return "".join(choose(_TOKENS) for _ in range(choose(range(1, 17))))


@cache
def _chem() -> Any:
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")  # type: ignore[attr-defined]
    return Chem


def is_molecule(text: str) -> bool:
    """Whether it is read, and makes sense to a chemist."""
    return _chem().MolFromSmiles(text) is not None


def canonical(text: str) -> Hashable:
    """The one line that stands for all lines of the same molecule."""
    chem = _chem()
    return str(chem.MolToSmiles(chem.MolFromSmiles(text)))


SUBJECTS = (Subject("rdkit", line, is_molecule, structure=canonical, needs=("rdkit",)),)
