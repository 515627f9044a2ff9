"""`rlcheck report`: writes a page about stored runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rlcheck.errors import ConfigurationError
from rlcheck.files import write_file
from rlcheck.report.html import page
from rlcheck.report.store import Store, with_rivals


def report(numbers: Sequence[int], output: str) -> int:
    """Write the page; a run that was compared with another one includes that one."""
    store = Store()
    try:
        runs = store.runs()
        if not runs:
            raise ConfigurationError("there are no stored runs. Make one with: rlcheck run TARGET")
        wanted = [store.run(number) for number in numbers] or runs[:1]
        write_file(output, page(store, with_rivals(wanted, runs)))
    finally:
        store.close()
    sys.stdout.write(f"{output}\n")
    return 0
