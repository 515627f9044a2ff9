"""The compiled hot path makes the same choices as the plain Python it was compiled from."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from rlcheck import registry

COMPILED = Path(__file__).parents[2] / "build" / "compiled"

CODE = """
import hashlib, sys
import rlcheck.guide
from rlcheck import Campaign
from rlcheck.cli.demo import is_bst, tree
def mixed(choose):
    made = [choose(range(1000), state=1), choose("abc", at="letter")]
    while len(made) < 8 and choose([True, False]):
        made.append(choose(range(70)))
    return made
made = []
for generator, valid in ((tree, is_bst), (mixed, lambda xs: xs[0] % 3 == 0)):
    for abstraction in ("call-tree", "frames", "sequence"):
        Campaign(generator, valid=valid, learner=sys.argv[1], abstraction=abstraction, seed=3,
                 observers=[lambda e: made.append((tuple(e.choices), e.unique))]).run(int(sys.argv[2]))
print(rlcheck.guide.__file__.endswith(".py"), hashlib.sha256(repr(made).encode()).hexdigest())
"""


#: Networks are slow, and none of their own code is compiled.
EPISODES = {"dqn": "150", "recurrent": "150"}


def run(learner, path):
    environment = {**os.environ, "PYTHONPATH": str(path)}
    command = [sys.executable, "-c", CODE, learner, EPISODES.get(learner, "1500")]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=600)
    return output.stdout.split()


@pytest.mark.skipif(
    not COMPILED.exists() or which("cc") is None,
    reason="no C compiler, or `make build/compiled/stamp` not run",
)
@pytest.mark.parametrize("learner", registry.names("learner"))
def test_compiled_and_plain_python_make_the_same_choices(learner):
    if learner in EPISODES:
        pytest.importorskip("torch", reason="needs rlcheck[torch]")
    plain, chosen = run(learner, Path(__file__).parents[2] / "src")
    compiled, same = run(learner, COMPILED)
    assert (plain, compiled) == ("True", "False")
    assert chosen == same
