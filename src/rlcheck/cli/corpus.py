"""`rlcheck corpus export`: writes the inputs of a run as files, for other tools."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from rlcheck.checks import check_integer
from rlcheck.cli.targets import Target
from rlcheck.errors import ConfigurationError, RlcheckError, Signal
from rlcheck.report.store import Store


def export(folder: str, number: int | None, *, most: int) -> int:
    """Write each input as a file, and `index.jsonl` with their choices."""
    check_integer("--most", most)
    store = Store()
    try:
        runs = store.runs()
        if number is None and not runs:
            raise ConfigurationError("there are no stored runs. Make one with: rlcheck run TARGET")
        run = runs[0] if number is None else store.run(number)
        subject = Target.parse(run.target).load()
        if subject.hypothesis is not None:
            raise ConfigurationError(
                f"run {run.id} is a Hypothesis test: Hypothesis keeps its inputs itself."
            )
        where = Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        written = 0
        with (where / "index.jsonl").open("w", encoding="utf-8") as index:
            for choices in islice(store.corpus(run.id), most):
                try:
                    content, ending = _content(subject.input_of(choices))
                except (RlcheckError, Signal):
                    continue  # The generator has changed since then.
                name = f"{written:07}.{ending}"
                (where / name).write_bytes(content)
                index.write(json.dumps({"file": name, "choices": choices}) + "\n")
                written += 1
    finally:
        store.close()
    sys.stdout.write(f"{written:,} inputs of run {run.id} are in {folder}\n")
    return 0


def _content(value: Any) -> tuple[bytes, str]:
    """Bytes and text as they are, other inputs as their `repr`."""
    if isinstance(value, bytes | bytearray):
        return bytes(value), "bin"
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass"), "txt"
    return repr(value).encode("utf-8", "surrogatepass"), "py"
