"""What all tests share."""

import pytest

pytest_plugins = ["pytester"]

#: Tests that need PyTorch, Ray, a browser, Go or Java, by parts of their names.
HEAVY = (
    "tests/benchmarks/test_deep.py",
    "tests/frontends/test_ray.py",
    "tests/frontends/test_rllib.py",
    "tests/unit/test_deep_learners.py",
    "::test_stable_baselines",
    "::test_recurrent",
    "[dqn]",
    "[recurrent]",
    "[go",
    "java",
    "deep_learner.py",
    "train_an_agent.py",
)


def pytest_collection_modifyitems(items):
    """Mark what `make test` leaves out."""
    for item in items:
        if "browser" in item.fixturenames or any(part in item.nodeid for part in HEAVY):
            item.add_marker(pytest.mark.heavy)
