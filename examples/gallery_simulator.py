"""Gallery: guide the random numbers of a SimPy simulation to a day on which everything goes wrong."""

import random

import simpy

import rlcheck


def day_in_a_clinic(rng):
    """Twelve patients and two doctors; the longest time that a patient waits, in minutes."""
    environment = simpy.Environment()
    doctors = simpy.Resource(environment, capacity=2)
    waits = []

    def patient():
        arrived = environment.now
        with doctors.request() as turn:
            yield turn
            waits.append(environment.now - arrived)
            yield environment.timeout(rng.choice([5, 10, 15, 30]))

    def arrivals():
        for _ in range(12):
            environment.process(patient())
            yield environment.timeout(rng.choice([0, 5, 10, 20, 30]))

    environment.process(arrivals())
    environment.run()
    return max(waits)


def is_bad(wait):
    """Whether somebody waited for an hour and a half; below that, how near the day came to it."""
    return wait >= 90 or wait / 91.0


def guided_day(choose):
    """The same simulation, drawing from a guide."""
    return day_in_a_clinic(rlcheck.GuidedRandom(choose))


by_chance = sum(day_in_a_clinic(random.Random(seed)) >= 90 for seed in range(500))
summary = rlcheck.Campaign(guided_day, valid=is_bad, seed=0).run(episodes=500)
print(f"of 500 days, {by_chance} are bad by chance, and {summary.valid} with a guide")
