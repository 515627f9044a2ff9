"""Policies: what a campaign learned, kept as valid choice sequences that a later one imitates.

Plain JSON: loading a file never runs code. Sequences outlive a change of learner, of its parameters and of
the names of choice points, which rows of a table do not.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from random import Random

from rlcheck.checks import check_choices
from rlcheck.files import check_header, header, read_text, write_file

_KIND = "policy"
_VERSION = 1

#: The most bytes that are read.
_LARGEST = 2**28

#: How many inputs a policy holds.
_SAMPLED = 1_000


class PolicyWarning(UserWarning):
    """A policy file could not be used: the campaign starts cold."""


class Sample:
    """A uniform sample of the unique valid inputs, as choices."""

    def __init__(self, seed: int) -> None:
        self._kept: list[tuple[int, ...]] = []
        self._met = 0
        self._rng = Random(seed)

    def keep(self, choices: Sequence[int]) -> None:
        """Offer an input: it is added, replaces another one, or is left out."""
        self._met += 1
        if len(self._kept) < _SAMPLED:
            self._kept.append(tuple(choices))
        elif (place := self._rng.randrange(self._met)) < _SAMPLED:
            self._kept[place] = tuple(choices)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sample as a policy."""
        save_policy(path, self._kept)


def save_policy(path: str | os.PathLike[str], examples: Iterable[Sequence[int]]) -> None:
    """Write a policy; an earlier file is replaced as a whole or not at all."""
    import json  # Slow to load, and needed only here.

    data = {**header(_KIND, _VERSION), "examples": [list(example) for example in examples]}
    write_file(path, json.dumps(data))


def load_policy(path: str | os.PathLike[str]) -> list[list[int]]:
    """Return the examples of a policy; none, with a warning, if the file cannot be used."""
    import json  # Slow to load, and needed only here.

    try:
        data = check_header(json.loads(read_text(path, largest=_LARGEST)), _KIND, _VERSION)
        examples = data.get("examples")
        if not isinstance(examples, list):
            raise ValueError("it has no list of examples")
        return [check_choices(example) for example in examples]
    except (OSError, ValueError, RecursionError) as error:
        warnings.warn(
            f"policy={os.fspath(path)!r} cannot be used: {error}. The campaign starts cold;"
            " campaign.save() replaces the file.",
            PolicyWarning,
            stacklevel=3,
        )
        return []
