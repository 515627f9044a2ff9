"""The paper's search trees: values 1 to 31 are guided, the shape is not; only the end is rewarded."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

from rlcheck import Guide, GuidedRandom, Outcome

DEPTH = 4
PRUNE = 0.5
WINDOW = 1_000

Node: TypeAlias = tuple[int, Any, Any] | None


def tree(rng: Random, shape: Random, depth: int = 0) -> Node:
    """A tree of five levels at most; `rng` decides the numbers, `shape` where it ends."""
    value = rng.randint(1, 31)
    left = right = None
    if depth < DEPTH and shape.random() >= PRUNE:
        left = tree(rng, shape, depth + 1)
    if depth < DEPTH and shape.random() >= PRUNE:
        right = tree(rng, shape, depth + 1)
    return value, left, right


def is_bst(node: Node, low: int = 0, high: int = 32) -> bool:
    """Whether each number is above all on its left and below all on its right."""
    if node is None:
        return True
    value, left, right = node
    return low < value < high and is_bst(left, low, value) and is_bst(right, value, high)


def success(guide: Guide, episodes: int, seed: int) -> list[float]:
    """The share of valid trees in each window of episodes."""
    rng, shape = GuidedRandom(guide), Random(seed)
    shares = []
    for _ in range(episodes // WINDOW):
        valid = 0
        for _ in range(WINDOW):
            guide.start()
            made = is_bst(tree(rng, shape))
            guide.finish(Outcome.VALID if made else Outcome.INVALID)
            valid += made
        shares.append(valid / WINDOW)
    return shares
