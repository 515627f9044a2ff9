"""Networks over the whole history of an episode: an LSTM or a small Transformer, with heads for every point.

Both run in two ways with equal results: over whole sequences to learn, and choice by choice, with a memory
for each lane, to answer.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional


class Lstm(nn.Module):
    """A long short-term memory.

    Args:
        width: The width of its layers.
        layers: The number of layers.
        lanes: The number of sequences that it has a memory for.
    """

    memory: Tensor

    def __init__(self, width: int, layers: int, lanes: int) -> None:
        super().__init__()
        self._core = nn.LSTM(width, width, layers, batch_first=True)
        self.register_buffer("memory", torch.zeros(2, layers, lanes, width), persistent=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the state after each input: [B, T, H] -> [B, T, H]."""
        known: Tensor = self._core(inputs)[0]
        return known

    def step(self, inputs: Tensor, lanes: Tensor, times: Tensor) -> Tensor:
        """Return the state after one more input of each lane, which had so many before: [B, H] -> [B, H]."""
        known = inputs
        before = self.memory[:, :, lanes] * (times > 0)[:, None]  # [2, L, B, H]
        for layer, weights in enumerate(self._core.all_weights):
            # A third of the cost of the whole module for one step.
            hidden, cell = torch.lstm_cell(known, before[:, layer].unbind(0), *weights)
            self.memory[0, layer, lanes], self.memory[1, layer, lanes] = hidden, cell
            known = hidden
        return known


class Transformer(nn.Module):
    """Causal self-attention, with layer norm first.

    Args:
        width: The width of its layers; a multiple of 32, the width of a head.
        layers: The number of layers.
        lanes: The number of sequences that it has a memory for.
        context: The longest sequence.
    """

    memory: Tensor

    def __init__(self, width: int, layers: int, lanes: int, context: int) -> None:
        super().__init__()
        self._heads = max(1, width // 32)
        self._places = nn.Parameter(0.02 * torch.randn(context, width))
        self._blocks = nn.ModuleList(_Block(width) for _ in range(layers))
        shape = (layers, 2, lanes, self._heads, context, width // self._heads)
        self.register_buffer("memory", torch.zeros(shape), persistent=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the state after each input: [B, T, H] -> [B, T, H]."""
        known = inputs + self._places[: inputs.shape[1]]
        for block in self._layers():
            query, key, value = self._split(block.project(known))
            seen = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            known = block.combine(known, seen.transpose(1, 2).flatten(2))
        return known

    def step(self, inputs: Tensor, lanes: Tensor, times: Tensor) -> Tensor:
        """Return the state after one more input of each lane, which had so many before: [B, H] -> [B, H]."""
        longest = int(times.max()) + 1
        known = (inputs + self._places[times])[:, None]  # [B, 1, H]
        past = (torch.arange(longest, device=inputs.device) <= times[:, None])[:, None, None]  # [B, 1, 1, C]
        for block, memory in zip(self._layers(), self.memory, strict=True):
            query, key, value = self._split(block.project(known))  # [B, N, 1, D]
            memory[0, lanes, :, times] = key[:, :, 0]
            memory[1, lanes, :, times] = value[:, :, 0]
            keys, values = memory[:, lanes, :, :longest].unbind(0)  # [B, N, C, D]
            seen = functional.scaled_dot_product_attention(query, keys, values, attn_mask=past)
            known = block.combine(known, seen.transpose(1, 2).flatten(2))
        return known[:, 0]

    def _layers(self) -> Iterator[_Block]:
        return iter(self._blocks)

    def _split(self, projected: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values by head: [B, T, 3 H] -> three of [B, N, T, D]."""
        batch, length, _ = projected.shape
        query, key, value = projected.view(batch, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        return query, key, value


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self._before = nn.LayerNorm(width)
        self._project = nn.Linear(width, 3 * width)
        self._seen = nn.Linear(width, width)
        self._between = nn.LayerNorm(width)
        self._wide = nn.Linear(width, 4 * width)
        self._narrow = nn.Linear(4 * width, width)

    def project(self, known: Tensor) -> Tensor:
        """Return the input of the attention: [B, T, H] -> [B, T, 3 H]."""
        projected: Tensor = self._project(self._before(known))
        return projected

    def combine(self, known: Tensor, seen: Tensor) -> Tensor:
        """Return the state with the result of the attention added: [B, T, H], [B, T, H] -> [B, T, H]."""
        known = known + self._seen(seen)
        combined: Tensor = known + self._narrow(functional.gelu(self._wide(self._between(known))))
        return combined


class HistoryNetwork(nn.Module):
    """One network for all choice points: policy, value, and which point comes next.

    Args:
        core: Reads the history.
        width: The width of the core.
        points: The number of choice points.
        tokens: The number of choices.
        options: The number of outputs.
        inputs: The parts of the history that it sees: "SAR" for states, choices (actions) and rewards.
        window: The number of tokens of a state.
    """

    _offsets: Tensor

    def __init__(
        self,
        core: Lstm | Transformer,
        width: int,
        *,
        points: int,
        tokens: int,
        options: int,
        inputs: str,
        window: int,
    ) -> None:
        super().__init__()
        self.core = core
        self._inputs = inputs
        self._choices = nn.Embedding(tokens, width)
        if "S" in inputs:
            self._states = nn.EmbeddingBag(window * tokens, width, mode="sum")
            self.register_buffer("_offsets", tokens * torch.arange(window), persistent=False)
        if "R" in inputs:
            self._rewards = nn.Linear(1, width)
        self._points = nn.Embedding(points, width)
        self._mix = nn.Linear(2 * width, width)
        self._policy = nn.Linear(width, options)
        self._value = nn.Linear(width, 1)
        self._next = nn.Linear(width, points)
        with torch.no_grad():
            self._policy.weight.mul_(0.1)  # Nearly uniform at first.
            self._policy.bias.zero_()

    def embed(self, choices: Tensor, states: Tensor | None, rewards: Tensor | None) -> Tensor:
        """Return the input of the core: [...], [..., W], [...] -> [..., H]; None for what it does not see."""
        made: Tensor = self._choices(choices if "A" in self._inputs else torch.zeros_like(choices))
        if states is not None:
            at = states + self._offsets
            made = made + self._states(at.flatten(0, -2)).view(made.shape)
        if rewards is not None:
            made = made + self._rewards(rewards[..., None])
        return made

    def decide(self, known: Tensor, points: Tensor, most: int) -> tuple[Tensor, Tensor]:
        """Return the first `most` outputs of the policy, and the value, at a point: [..., H], [...]."""
        mixed = functional.elu(self._mix(torch.cat((known, self._points(points)), -1)))
        policy = functional.linear(mixed, self._policy.weight[:most], self._policy.bias[:most])
        return policy, self._value(mixed)[..., 0]

    def predict(self, known: Tensor) -> Tensor:
        """Return scores for the next point: [..., H] -> [..., P]."""
        scores: Tensor = self._next(known)
        return scores
