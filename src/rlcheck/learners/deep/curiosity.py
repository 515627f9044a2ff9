"""Curiosity: Random Network Distillation, a reward for states that were seldom met.

Reference: Burda, Edwards, Storkey, Klimov, "Exploration by Random Network Distillation", 2018.

    r = (l - mean(l)) / sqrt(mean(l * l)),    l = |F(s) - P(s)|^2

F is a random network that stays as it is, P a smaller one that learns to predict it: it predicts well what it
has seen often. Both means are running ones.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from rlcheck.learners.deep.networks import Rows

#: What the running means keep of themselves at each batch.
_KEPT = 0.99
#: How wide the hidden layers and the output are.
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
        """How unfamiliar states are, normalised by those before them: [B, W] -> [B]. They get familiar."""
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
