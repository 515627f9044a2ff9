"""A program that takes a random.Random, guided: what it draws is learned from how its runs end."""

import random

import rlcheck


def measure(rng):
    """A simulation that somebody else wrote; its alarm is only tested by some of the runs."""
    sensor = rng.choice(["north", "south", "roof"])
    temperature = rng.uniform(-40.0, 60.0)
    return sensor == "roof" and 37.0 < temperature < 37.2


def generator(choose):
    """The same program, drawing from a guide."""
    return measure(rlcheck.GuidedRandom(choose))


plain = sum(measure(random.Random(seed)) for seed in range(5_000))
guided = rlcheck.Campaign(generator, valid=bool, seed=0).run(episodes=5_000).valid
print(f"of 5,000 runs, {plain} raise the alarm by chance, and {guided:,} with a guide")
