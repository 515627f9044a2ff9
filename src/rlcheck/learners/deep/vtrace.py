"""V-trace: values and advantages of choices that another, mostly older, policy made.

Reference: Espeholt et al., "IMPALA: Scalable Distributed Deep-RL with Importance Weighted Actor-Learner
Architectures", ICML 2018, equation (1).

    v[t] = V[t] + rho[t] * (r[t] + g * V[t+1] - V[t]) + g * c[t] * (v[t+1] - V[t+1])

with rho = c = min(1, policy / behaviour), and V = 0 after the last choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp


def vtrace(
    rewards: Sequence[float],
    values: Sequence[float],
    scores: Sequence[float],
    behaviour: Sequence[float],
    discount: float,
) -> tuple[list[float], list[float]]:
    """Return the target of each value, and the advantage of each choice.

    Args:
        rewards: The reward after each choice.
        values: The value expected before each choice.
        scores: The log-probability of each choice now.
        behaviour: The log-probability of each choice when it was made.
        discount: How much the next reward counts.
    """
    aims: list[float] = []
    advantages: list[float] = []
    next_value = next_aim = 0.0
    for step in range(len(rewards) - 1, -1, -1):
        ratio = exp(min(0.0, scores[step] - behaviour[step]))
        value = values[step]
        advantages.append(ratio * (rewards[step] + discount * next_aim - value))
        aim = value + ratio * (rewards[step] + discount * next_value - value)
        aim += discount * ratio * (next_aim - next_value)
        aims.append(aim)
        next_value, next_aim = value, aim
    return aims[::-1], advantages[::-1]
