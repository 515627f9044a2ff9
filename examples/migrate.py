"""One property three times: on plain Hypothesis, on the backend, and as a property of rlcheck."""

from collections import Counter

import hypothesis
from hypothesis import strategies as st

import rlcheck

seen = Counter()
stock = {"database": None, "deadline": None}
busy = [hypothesis.HealthCheck.too_slow]  # This machine may be.


def is_ascending(xs):
    """The precondition: at least four different numbers in order."""
    return len(xs) >= 4 and xs == sorted(set(xs))


# The test that you have. Only so that it can be shown here, it may reject as much as it likes.
@hypothesis.settings(**stock, suppress_health_check=[*busy, hypothesis.HealthCheck.filter_too_much])
@hypothesis.seed(0)
@hypothesis.given(st.lists(st.integers(0, 20), max_size=6))
def test_median(xs):
    """The median of a list is one of its numbers."""
    seen["plain Hypothesis, test cases"] += 1
    hypothesis.assume(is_ascending(xs))
    seen["plain Hypothesis, valid"] += 1
    assert xs[len(xs) // 2] in xs


# The same test on the backend: one more setting, or `pytest --rlcheck` and no change at all.
@hypothesis.settings(**stock, suppress_health_check=busy, backend="rlcheck")
@hypothesis.seed(0)
@hypothesis.given(st.lists(st.integers(0, 20), max_size=6))
def test_median_guided(xs):
    """The median of a list is one of its numbers."""
    seen["the backend, test cases"] += 1
    hypothesis.assume(is_ascending(xs))
    seen["the backend, valid"] += 1
    assert xs[len(xs) // 2] in xs


# The same property without Hypothesis: it runs many more inputs in the same time.
@rlcheck.settings(seed=0)
@rlcheck.given(xs=rlcheck.lists(rlcheck.integers(0, 20), max_size=6))
def test_median_of_rlcheck(xs):
    """The median of a list is one of its numbers."""
    seen["rlcheck.given, inputs"] += 1
    rlcheck.assume(is_ascending(xs))
    seen["rlcheck.given, valid"] += 1
    assert xs[len(xs) // 2] in xs


for test in (test_median, test_median_guided, test_median_of_rlcheck):
    test()
for what, count in seen.items():
    print(f"{what}: {count:,}")
