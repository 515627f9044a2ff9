"""Costs of whole processes: the time to import rlcheck, and the peak of memory."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.bst.subject import is_bst, tree
from rlcheck import Campaign

_IMPORTED = """
import sys
before = set(sys.modules)
import rlcheck
new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"rlcheck"} - sys.stdlib_module_names
# Compiled modules share two that Cython makes in memory: they are in no file.
print([name for name in sorted(new) if getattr(sys.modules[name], "__file__", None)])
"""


def import_time(*, repeats: int) -> dict[str, Any]:
    """Milliseconds that `import rlcheck` adds to the start of Python: medians."""
    spent: dict[str, list[float]] = {"import rlcheck": [], "pass": []}
    # Byte code is cached, as it is for users, whatever the environment says and wherever rlcheck lies.
    with TemporaryDirectory() as cache:
        cached = {"PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        third_party = _python(_IMPORTED, environment=cached).strip()
        if third_party != "[]":
            raise RuntimeError(f"import rlcheck loads {third_party}: only the standard library is allowed.")
        for _ in range(repeats):
            for code, times in spent.items():
                started = perf_counter()
                _python(code, environment=cached)
                times.append(perf_counter() - started)
    imported, bare = (statistics.median(times) * 1e3 for times in spent.values())
    return {
        "value": round(imported - bare, 1),
        "detail": f"{imported:.0f} ms less {bare:.0f} ms; no third-party module",
    }


def memory(*, episodes: int) -> dict[str, Any]:
    """Peak of memory, in megabytes, of a process that runs a campaign on the BST study."""
    code = f"from benchmarks.cost import processes; processes.print_memory({episodes})"
    peak, seconds, unique = json.loads(_python(code))
    return {
        "value": round(peak / 1e6, 1),
        "detail": f"{episodes:,} inputs in {seconds:.0f} s, {unique:,} unique valid",
    }


def print_memory(episodes: int) -> None:
    """Run the campaign in this process, and print its peak of memory in bytes."""
    summary = Campaign(tree, valid=is_bst, learner="monte-carlo", seed=0).run(episodes=episodes)
    print(json.dumps([_peak(), summary.seconds, summary.unique_valid]))


def _peak() -> int:
    # Linux hands the parent's ru_maxrss down to a child, hence it is asked for the peak of this process.
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.open() if line.startswith("VmHWM:")) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _python(code: str, *, environment: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-c", code]
    settings = {**os.environ, **(environment or {})}
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=settings).stdout
