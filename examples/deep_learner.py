"""A deep learner: trained, saved, loaded."""

import tempfile
from pathlib import Path

import rlcheck
from rlcheck.learners import Recurrent, RecurrentConfig


def numbers(choose):
    """Four numbers; nothing here knows of order."""
    return [choose(range(20)) for _ in range(4)]


def is_sorted(xs):
    """Whether they are in order."""
    return xs == sorted(xs)


def valid(learner, episodes):
    """How many valid inputs a learner makes."""
    return rlcheck.Campaign(numbers, valid=is_sorted, learner=learner, seed=0).run(episodes=episodes).valid


at_random = valid("uniform", 2_000)
learner = Recurrent(RecurrentConfig(width=32, step_size=0.01))
print("more valid inputs than at random:", valid(learner, 2_000) > 1.5 * at_random)

path = Path(tempfile.mkdtemp()) / "numbers.pt"
learner.save(path)
loaded = Recurrent.load(path)
print("more still, by what was loaded:", valid(loaded, 500) > 3 * at_random * 500 / 2_000)
