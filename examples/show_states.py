"""The states that `call-tree` gives to each choice of one tree: 5, with 2 on its left and 8 on its right."""

import rlcheck
from rlcheck.abstractions import CallTree


def tree(choose, depth=0):
    """A tree of at most three levels, as nested tuples."""
    value = choose(range(11), at="value")
    left = right = None
    if depth < 2 and choose([True, False], at="left"):
        left = tree(choose, depth + 1)
    if depth < 2 and choose([True, False], at="right"):
        right = tree(choose, depth + 1)
    return value, left, right


class Scripted:
    """A learner that gives prepared answers."""

    def __init__(self, answers):
        self.answers = iter(answers)

    def select(self, point, state, n):
        """The next answer; shows the state."""
        names[point.number] = point.name
        print(f"{point.name:5} in state {shown(state)}")
        return next(self.answers)

    def reward(self, value):
        """Nothing is learned."""

    def update(self, outcome):
        """Nothing is learned."""


def shown(state):
    """A state with its parts, outermost first: choices as point=index, calls as >1, >2 and so on."""
    parts = []
    for part in state.parts:
        tokens = [f"{names[t & 0xFFFF]}={t >> 16}" if t >= 0 else f">{call(t)}" for t in part]
        parts.append("[" + " ".join(tokens) + "]")
    return " ".join(parts)


def call(token):
    """The number of a call, in the order in which calls are met."""
    return calls.setdefault(token, len(calls) + 1)


names = {}
calls = {}
learner = Scripted([5, 0, 2, 1, 1, 0, 8, 1, 1])
campaign = rlcheck.Campaign(tree, learner=learner, abstraction=CallTree(window=2, recent=3))
print(campaign.episode().value)
