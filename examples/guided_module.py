"""Code that calls the random module, guided inside a `with` block; a failing run is recorded and replayed."""

import random

import rlcheck


def simulate():
    """Somebody else's code: it takes no generator."""
    queue = 0
    for _ in range(20):
        queue += random.randint(0, 2) - 1
        assert queue < 7, "the queue overflows"


guide = rlcheck.Guide("monte-carlo", seed=0)
for number in range(500):
    try:
        with rlcheck.guided_random(guide, record="build/queue.jsonl"):
            simulate()
    except AssertionError as error:
        print(f"run {number}: {error}")
        break

try:
    with rlcheck.guided_random(replay="build/queue.jsonl"):
        simulate()
except AssertionError as error:
    print(f"replayed: {error}")
