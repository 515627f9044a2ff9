"""What compiling a module saves: the time of a workload that uses it, over the time with it compiled.

Only modules that no other compiled module includes can be left out: these are measured. Each is taken out of
a copy of the compiled package. Both packages run the same workload in turns, each time in a process of their
own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import rlcheck

_TREES = "from benchmarks.bst.subject import tree, is_bst; from rlcheck import *; import rlcheck\n"
_CAMPAIGN = _TREES + "work = lambda: Campaign(tree, valid=is_bst, seed=0, {}).run(episodes=3_000)"
_API = (
    "from benchmarks.containers.subjects import TEXTBOOK\n"
    "work = lambda: TEXTBOOK[0].test(seed=0).run(episodes=20)"
)
_HYPOTHESIS = (
    "from benchmarks.hypothesis.properties import PROPERTIES; from benchmarks.hypothesis.drive import drive\n"
    "work = lambda: drive(PROPERTIES['bst'], 'rlcheck', 0, calls=300)"
)

#: A workload for each module that can be left out.
WORKLOADS = {
    "abstractions/sequence": _CAMPAIGN.format("learner='monte-carlo', abstraction='sequence'"),
    "abstractions/spans": _HYPOTHESIS,
    "characteristics": _CAMPAIGN.format("learner='monte-carlo'"),
    "contexts": _API,
    "learners/_saved": _CAMPAIGN.format("learner='zest'"),
    "learners/portfolio/learner": _CAMPAIGN.format("learner='portfolio'"),
    "learners/portfolio/states": _CAMPAIGN.format("learner='portfolio'"),
    "learners/swarm": _CAMPAIGN.format("learner='swarm'"),
    "learners/uniform": _CAMPAIGN.format("learner='uniform'"),
    "rewards": _CAMPAIGN.format("learner='monte-carlo'"),
}
#: The fastest of several rounds: other programs can only slow one down.
_TIMED = """
from time import process_time
work()
seconds = []
for _ in range(6):
    started = process_time()
    work()
    seconds.append(process_time() - started)
print(min(seconds))"""


def compiled_modules() -> list[str]:
    """Return the modules that a compiled package has, and that can be left out."""
    package = Path(rlcheck.__file__).parent
    return [module for module in WORKLOADS if list(package.glob(f"{module}.*.so"))]


def saving(module: str, repeats: int) -> dict[str, Any]:
    """Return how much longer the workload of a module takes without it compiled: the fastest of each."""
    package = Path(rlcheck.__file__).parent
    with TemporaryDirectory() as folder:
        shutil.copytree(package, Path(folder) / "rlcheck")
        for library in (Path(folder) / "rlcheck").glob(f"{module}.*.so"):
            library.unlink()
        paths = (str(package.parent), folder)
        pairs = [[_seconds(WORKLOADS[module], path) for path in paths] for _ in range(repeats)]
    compiled, plain = map(min, zip(*pairs, strict=True))
    ratios = [slow / fast for fast, slow in pairs]
    return {"value": round(plain / compiled, 3), "detail": f"{min(ratios):.2f} to {max(ratios):.2f}"}


def _seconds(workload: str, path: str) -> float:
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([path, root])}
    command = [sys.executable, "-c", workload + _TIMED]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.splitlines()[-1])
