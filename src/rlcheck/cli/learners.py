"""`rlcheck learners`: lists the learners, and the extras that some of them need."""

from __future__ import annotations

import json
import sys

from rlcheck import registry
from rlcheck.errors import MissingExtra


def learners(*, as_json: bool) -> int:
    """Print each learner with a sentence about it, or with the extra that is missing."""
    rows = []
    for name in registry.names("learner"):
        try:
            module = sys.modules[registry.load("learner", name).__module__]
            name_of, _, about = (module.__doc__ or "").partition("\n")[0].partition(": ")
            text, missing = about or name_of, None
        except MissingExtra as error:
            text, missing = "", str(error).rpartition("with: ")[2]
        default = name == registry.DEFAULTS["learner"]
        rows.append({"name": name, "default": default, "about": text, "missing": missing})
    if as_json:
        sys.stdout.write(json.dumps({"rlcheck": "learners", "version": 1, "learners": rows}) + "\n")
        return 0
    for row in rows:
        mark = "*" if row["default"] else " "
        said = f"not installed: {row['missing']}" if row["missing"] else row["about"]
        sys.stdout.write(f"{mark} {row['name']:<14} {said}\n")
    sys.stdout.write("* is the default.\n")
    return 0
