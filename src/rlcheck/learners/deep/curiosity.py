"""Curiosity: Random Network Distillation, a reward for states that seldom occurred.

Reference: Burda, Edwards, Storkey, Klimov, "Exploration by Random Network Distillation", 2018.

    r = (l - mean(l)) / sqrt(mean(l * l)),    l = |F(s) - P(s)|^2

F is a fixed random network, and P a smaller one that learns to predict F: it predicts well what it has seen
often. Both means are running means.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from rlcheck.learners.deep.networks import Rows

#: How much of the running means remains after each batch.
_KEPT = 0.99
#: The width of the hidden layers and of the output.
_FIXED, _LEARNED, _OUTPUT = 32, 8, 8


class Curiosity:
    """How unfamiliar states are.

    Args:
        places: How many one-hot vectors a state has.
        tokens: How many numbers there are for each.
    """

    def __init__(self, places: int, tokens: int, generator: torch.Generator, device: torch.device) -> None:
        self._offsets = torch.arange(places, device=device) * tokens
        self._fixed = (torch.randn(places * tokens, _FIXED, generator=generator) * places**-0.5).to(device)
        self._fixed_out = (torch.randn(_FIXED, _OUTPUT, generator=generator) * _FIXED**-0.5).to(device)
        self._learned = Rows(_LEARNED, places**-0.5, 0.003, generator, device)
        self._learned.grow((0,), (places * tokens,))
        self._learned_out = Rows(_OUTPUT, _LEARNED**-0.5, 0.003, generator, device)
        self._learned_out.grow((0,), (_LEARNED,))
        self._mean = 0.0
        self._square = 1.0

    def rewards(self, tokens: Tensor) -> Tensor:
        """Return how unfamiliar states are, normalised by earlier ones, and learn them: [B, W] -> [B]."""
        at = tokens + self._offsets
        aims = functional.elu(self._fixed[at].sum(1)) @ self._fixed_out
        weights = self._learned_out.touch(torch.arange(_LEARNED, device=tokens.device))
        guesses = functional.elu(self._learned.touch(at).sum(1)) @ weights
        errors = (aims - guesses).square().mean(1)
        errors.mean().backward()
        self._learned.step()
        self._learned_out.step()
        errors = errors.detach()
        self._mean += (1.0 - _KEPT) * (errors.mean().item() - self._mean)
        self._square += (1.0 - _KEPT) * (errors.square().mean().item() - self._square)
        rewards: Tensor = (errors - self._mean) / max(self._square, 1e-12) ** 0.5
        return rewards
