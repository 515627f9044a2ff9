"""The repository keeps its own promises."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import rlcheck
from benchmarks import readme
from rlcheck import registry

ROOT = Path(__file__).parents[2]

#: Learners that need PyTorch.
DEEP = ("dqn", "recurrent")


def python(code):
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    return run.stdout


def test_public_names_are_sorted_and_there():
    assert rlcheck.__all__ == sorted(rlcheck.__all__)
    for name in rlcheck.__all__:
        assert getattr(rlcheck, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rlcheck.nothing


def test_importing_rlcheck_loads_the_standard_library_only():
    code = """
import sys
before = set(sys.modules)
import rlcheck, json
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    loaded = {name.partition(".")[0] for name in json.loads(python(code))}
    assert loaded - {"rlcheck"} <= sys.stdlib_module_names


def test_every_registered_name_loads_and_is_kebab_case():
    for kind, known in registry.KNOWN.items():
        assert registry.DEFAULTS[kind] in known
        assert list(known) == sorted(known)
        for name in known:
            assert name == name.lower().replace("_", "-")
            if name not in DEEP or find_spec("torch"):
                assert registry.load(kind, name) is not None


@pytest.mark.parametrize("learner", registry.names("learner"))
def test_the_same_seed_gives_the_same_run_in_every_process(learner):
    if learner in DEEP:
        pytest.importorskip("torch", reason="needs rlcheck[torch]")
    code = f"""
import rlcheck
from rlcheck.cli.demo import tree, is_bst
made = []
campaign = rlcheck.Campaign(tree, valid=is_bst, learner={learner!r}, seed=5,
                            observers=[lambda episode: made.append(tuple(episode.choices))])
campaign.run(episodes=300)
import hashlib
print(hashlib.sha256(repr(made).encode()).hexdigest())
"""
    assert python(code) == python(code)


def test_a_missing_extra_is_named_with_its_cure():
    code = """
import sys
sys.modules["hypothesis"] = None
import rlcheck
try:
    rlcheck.to_strategy
except rlcheck.RlcheckError as error:
    print(error)
"""
    assert "needs hypothesis. Install it with: pip install '.[hypothesis]'" in python(code)


def test_without_hypothesis_a_failure_is_reported_unshrunk():
    code = """
import sys
sys.modules["hypothesis"] = None
import rlcheck
@rlcheck.given(x=rlcheck.integers(5, 9))
def fails(x):
    assert False
try:
    fails()
except AssertionError as error:
    print(*error.__notes__)
"""
    output = python(code)
    assert "not shrunk" in output
    assert "pip install '.[hypothesis]'" in output
    assert "Reproduce with: rlcheck.replay(fails, [" in output


def test_the_results_in_the_readme_are_the_stored_ones():
    text = readme.README.read_text(encoding="utf-8")
    assert readme.SECTION.search(text)
    assert readme.fill(text) == text, "run: python -m benchmarks.readme"


def test_workflows_run_nothing_but_make():
    """What CI does, a contributor can do with the same command."""
    runs = [
        line.split("run:")[1].strip()
        for workflow in (ROOT / ".github" / "workflows").glob("*.yml")
        for line in workflow.read_text().splitlines()
        if "run:" in line
    ]
    assert len(runs) >= 4
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for run in runs:
        command, target = run.split()
        assert command == "make"
        assert target in targets


def test_one_version():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert rlcheck.__version__ == declared
    assert f"version: {declared}" in (ROOT / "CITATION.cff").read_text()
