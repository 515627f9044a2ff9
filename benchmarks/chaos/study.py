"""Chaos: damaged files, killed runs, and the same seed in other processes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time

from benchmarks.bst.subject import Tree, is_bst
from benchmarks.chaos.files import KINDS, damage
from benchmarks.chaos.kills import kill
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import markdown, verdict
from rlcheck import Campaign
from rlcheck.generators import Choose

LEARNERS = ("uniform", "monte-carlo", "sarsa-lambda", "diverse", "zest", "swarm", "portfolio", "rarity")
#: What a long campaign is guided by.
LONG = ("uniform", "monte-carlo", "diverse")
#: How many workers a killed run has.
WORKERS = {"without workers": 0, "two workers": 2}

_HEAD = """# Chaos

Reproduce with `make chaos`.
"""
_FILES = """
## Damaged files

Files of each kind are mutated (bits, cuts, copies, odd numbers and texts; databases by column and
checkpoints by tensor too), and read as a user reads them. A reader may accept a file, or refuse it with one
line. The aim: no traceback, no file that takes more than 10 s, and at most 500 MB. A checkpoint's reader has
loaded PyTorch, which takes most of that.
"""
_KILLS = """
## Killed runs

`rlcheck run` is killed at a random moment in its first three seconds. *Lost*: a stored failure that does not
replay. *Damaged*: a database that fails SQLite's check. *Orphans*: workers that are alive five seconds later.
"""
_SAME = """
## The same seed

Digests of all choices of 300 episodes, each in a process of its own with another `PYTHONHASHSEED`.
"""

_LONG = """
## A long campaign

One campaign on search trees of any size up to depth 8, with a hundred keys. *MB* is the most memory that the
process had up to then; inputs per second of processor time. The aim: memory grows by at most 5 % after the
first tenth, and the last tenth is at least 0.9 times as fast as the first.
"""

_DIGEST = """
import hashlib
from benchmarks.bst.subject import is_bst, tree
from rlcheck import Campaign
digest = hashlib.sha256()
Campaign(tree, valid=is_bst, learner={learner!r}, seed=7,
         observers=[lambda episode: digest.update(repr(episode.choices).encode())]).run(300)
print(digest.hexdigest())
"""


def damaged(task: Task) -> list[Row]:
    """Read mutated files of a kind."""
    found = damage(task.subject, task.inputs, task.seed)
    return [{"subject": task.subject, "seed": task.seed, "files": task.inputs, **found}]


def killed(task: Task) -> list[Row]:
    """Kill runs."""
    return [
        {"subject": task.subject, "seed": task.seed, **kill(task.inputs, task.seed, WORKERS[task.subject])}
    ]


def same(task: Task) -> list[Row]:
    """Run a learner with the same seed in many processes."""
    digests: Counter[str] = Counter()
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), root]))
    for number in range(task.inputs):
        environment = {**os.environ, "PYTHONHASHSEED": str(number), "PYTHONPATH": path}
        command = [sys.executable, "-c", _DIGEST.format(learner=task.subject)]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        digests[done.stdout.strip()] += 1
    return [{"subject": task.subject, "processes": task.inputs, "digests": len(digests)}]


def _wide_tree(choose: Choose, depth: int = 0) -> Tree:
    """Make a tree that is larger than any campaign can exhaust."""
    node = Tree(choose(range(100)))
    if depth < 8 and choose([True, False]):
        node.left = _wide_tree(choose, depth + 1)
    if depth < 8 and choose([True, False]):
        node.right = _wide_tree(choose, depth + 1)
    return node


def long(task: Task) -> list[Row]:
    """Run one campaign for a long time; look at it in ten steps."""
    campaign = Campaign(_wide_tree, valid=is_bst, learner=task.subject, seed=task.seed)
    step = task.inputs // 10
    rates, megabytes = [], []
    for _ in range(10):
        started = process_time()
        campaign.run(episodes=step)
        rates.append(round(step / (process_time() - started)))
        megabytes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    return [{"subject": task.subject, "inputs": 10 * step, "rates": rates, "megabytes": megabytes}]


def page(results: Results) -> str:
    """Return the page."""
    lines = [_HEAD]
    if rows := results.get("files"):
        table = []
        for row in rows:
            counts = [row.get(name, 0) for name in ("accepted", "refused", "traceback", "hang")]
            met = not (counts[2] or counts[3]) and row["megabytes"] <= 500
            figures = [f"{row['files']:,}", *map(str, counts), f"{row['slowest']:g}", str(row["megabytes"])]
            table.append([row["subject"], *figures, verdict(met)])
        heads = ["kind", "files", "accepted", "refused", "tracebacks", "hangs", "slowest, s", "MB", ""]
        lines += [_FILES, *markdown(heads, table)]
    if rows := results.get("kills"):
        names = ("kills", "stored", "lost", "damaged", "orphans")
        table = [[row["subject"], *(f"{row.get(name, 0):,}" for name in names)] for row in rows]
        lines += [_KILLS, *markdown(["run", "kills", "failures stored", *names[2:]], table)]
    if rows := results.get("same"):
        table = [
            [row["subject"], str(row["processes"]), str(row["digests"]), verdict(row["digests"] == 1)]
            for row in rows
        ]
        lines += [_SAME, *markdown(["learner", "processes", "different digests", ""], table)]
    if rows := results.get("long"):
        table = []
        for row in rows:
            rates, used = row["rates"], row["megabytes"]
            met = rates[-1] >= 0.9 * rates[0] and used[-1] <= 1.05 * used[0]
            figures = [f"{figure:,}" for figure in (row["inputs"], used[0], used[-1], rates[0], rates[-1])]
            table.append([row["subject"], *figures, verdict(met)])
        heads = ["learner", "inputs", "MB, first tenth", "MB, last", "inputs/s, first tenth", "last", ""]
        lines += [_LONG, *markdown(heads, table)]
    return "\n".join(lines)


STUDY = Study(
    "chaos",
    {
        "files": Part(damaged, list(KINDS), inputs=10_000, fresh=True, keys=("subject", "")),
        "kills": Part(killed, list(WORKERS), inputs=500, keys=("subject", "")),
        "same": Part(same, LEARNERS, inputs=1_000, keys=("subject", "")),
        "long": Part(long, LONG, inputs=10_000_000, fresh=True, keys=("subject", "")),
    },
    page,
)
