"""Four ways to get a list of different numbers in rising order, and what each costs."""

from itertools import pairwise

from hypothesis import Phase, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck


def rises(xs):
    """Whether each number is above the one before it."""
    return all(a < b for a, b in pairwise(xs))


anything = st.lists(st.integers(0, 100), min_size=4, max_size=8)

filtered = anything.filter(rises)

mapped = anything.map(lambda xs: sorted(set(xs)))


@st.composite
def built(draw):
    """Draw the gaps between the numbers instead of the numbers."""
    xs = [draw(st.integers(0, 10))]
    for _ in range(draw(st.integers(3, 7))):
        xs.append(xs[-1] + draw(st.integers(1, 12)))
    return xs


def cost(strategy, backend="hypothesis"):
    """The test cases that it takes to run a test on 100 rising lists."""
    calls = []

    @settings(backend=backend, deadline=None, database=None, phases=[Phase.generate])
    @seed(0)
    @given(strategy)
    def test(xs):
        calls.append(xs)
        assume(rises(xs))

    try:
        test()
    except FailedHealthCheck:
        return "filter_too_much"
    short = sum(len(xs) < 4 for xs in calls)
    return f"{len(calls)} test cases" + (f", {short} with fewer than four numbers" if short else "")


if __name__ == "__main__":
    print("assume:  ", cost(anything))
    print("filter:  ", cost(filtered))
    print("map:     ", cost(mapped))
    print("build:   ", cost(built()))
    print("rlcheck: ", cost(anything, "rlcheck"))
