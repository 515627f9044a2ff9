"""`rlcheck report`: writes a page about stored runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rlcheck.errors import ConfigurationError
from rlcheck.files import write_file
from rlcheck.report.html import page
from rlcheck.report.schema import Run
from rlcheck.report.store import Store


def report(numbers: Sequence[int], output: str) -> int:
    """Write the page; a run that was compared with another one includes that one."""
    store = Store()
    try:
        runs = store.runs()
        if not runs:
            raise ConfigurationError("there are no stored runs. Make one with: rlcheck run TARGET")
        wanted = [store.run(number) for number in numbers] or runs[:1]
        write_file(output, page(store, _with_rivals(wanted, runs)))
    finally:
        store.close()
    sys.stdout.write(f"{output}\n")
    return 0


def _with_rivals(wanted: Sequence[Run], runs: Sequence[Run]) -> list[Run]:
    races = {run.raced or run.id for run in wanted}
    numbers = {run.id for run in wanted}
    return sorted(
        (run for run in runs if run.id in numbers or (run.raced or run.id) in races), key=lambda run: run.id
    )
