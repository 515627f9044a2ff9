"""Sorted lists from a generator that knows nothing of order: the example of the README."""

# ruff: noqa: D103 - the README shows it, and has little room.

import rlcheck


def numbers(choose):
    made = []
    while len(made) < 20 and choose([True, False]):
        made.append(choose(range(101)))
    return made


def is_sorted(xs):
    return len(xs) >= 5 and xs == sorted(xs)


for learner in ("uniform", "diverse"):
    summary = rlcheck.Campaign(numbers, valid=is_sorted, learner=learner, seed=0).run(episodes=10_000)
    print(f"{learner}: {summary.unique_valid:,} different sorted lists")
