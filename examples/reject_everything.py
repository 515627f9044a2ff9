"""A property whose assumption rejects every input, and ways to mend it."""

from itertools import pairwise

import rlcheck

numbers = rlcheck.lists(rlcheck.integers(0, 99), max_size=8)


def in_order(numbers):
    """The precondition: at least five numbers, each above the one before."""
    return len(numbers) >= 5 and numbers == sorted(set(numbers))


@rlcheck.settings(seed=1, episodes=100)
@rlcheck.given(numbers=numbers)
def test_search(numbers):
    """Would test a search in a sorted list, if there ever were one."""
    rlcheck.assume(in_order(numbers))


try:
    test_search()
except rlcheck.RlcheckError as error:
    print(error)


def measured(generator, episodes=3_000, valid=in_order):
    """Run a campaign and print what it found."""
    campaign = rlcheck.Campaign(generator, valid=valid, seed=1)
    summary = campaign.run(episodes)
    print(f"{summary.valid} of {summary.episodes} inputs are valid, {summary.unique_valid} of them unique")


measured(numbers)
measured(numbers, episodes=15_000)


def nearly(numbers):
    """True for a valid input; otherwise a tenth for each step up, less one for each step down."""
    pairs = list(pairwise(numbers))
    ups = sum(left < right for left, right in pairs)
    return in_order(numbers) or max(0.0, (2 * ups - len(pairs)) / 10)


measured(numbers, valid=nearly)


def ascending(choose):
    """Numbers in order by construction: a choice is the distance to the next number."""
    made = []
    last = -1
    while len(made) < 8 and choose([True, False]):
        last += choose(range(1, 13))
        made.append(last)
    return made


measured(ascending)
